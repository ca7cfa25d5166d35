import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PACKAGE_ROOT } from '../scenario/identity.ts';
import { registries } from '../scenario/registries.ts';
import { testRegistries } from '../scenario/test-registries.ts';
import { schema } from './schema.ts';

type Json = { readonly [key: string]: Json } & { readonly oneOf: readonly Json[]; readonly anyOf: readonly Json[] };

const committed = (name: string): Promise<string> => readFile(join(PACKAGE_ROOT, 'docs', name), 'utf8');
const parsed = async (): Promise<Json> => JSON.parse((await schema({ registries: testRegistries })).output) as Json;

describe('the schema for editors', () => {
  test('is the committed one; `npm run schema` writes it', async () => {
    expect((await schema({ registries })).output).toBe(await committed('scenario.schema.json'));
    expect((await schema({ registries, card: true })).output).toBe(await committed('card.schema.json'));
    expect((await schema({ registries, fragment: true })).output).toBe(await committed('fragment.schema.json'));
  });

  test('is draft-07 and refuses unknown keys', async () => {
    const root = await parsed();
    expect(root).toMatchObject({
      $schema: 'http://json-schema.org/draft-07/schema#',
      additionalProperties: false,
      required: ['version', 'name', 'system', 'expect'],
    });
  });

  test('has one alternative a kind, with its options, its bare form and what may stand beside it', async () => {
    const steps = (await parsed()).properties!.clients!.additionalProperties!.properties!.script!.items!.oneOf;
    const titles = steps.map(({ title }) => title).filter((title) => title !== undefined);
    expect(titles).toEqual(testRegistries.steps.kinds);
    const disconnect = steps.find(({ title }) => (title as unknown) === 'disconnect')!;
    expect(disconnect).toMatchObject({ additionalProperties: false, required: ['disconnect'] });
    expect(Object.keys(disconnect.properties!)).toEqual(['disconnect', 'mark']);
    expect(JSON.stringify(disconnect.properties!.disconnect)).toContain('"half-close"');
    expect(JSON.stringify(steps[0])).toContain('"enum":["receive","await","pause"]');
  });

  test('a fault says when it is done and may set a mark; checks of names, not this schema, ask for one of the two times', async () => {
    const faults = (await parsed()).properties!.faults!.items!.oneOf;
    expect(faults.map(({ title }) => title)).toEqual(testRegistries.faults.kinds);
    expect(faults[0]).toMatchObject({ required: ['signal'] });
    expect(Object.keys(faults[0]!.properties!)).toEqual(['signal', 'after', 'wait', 'before', 'mark']);
  });

  test('a fragment has the parts of a scenario, and nothing that is the scenario\'s own', async () => {
    const root = JSON.parse((await schema({ registries: testRegistries, fragment: true })).output) as Json;
    expect(root).toMatchObject({ additionalProperties: false, required: ['version', 'fragment'] });
    expect(root.properties!.expect).toEqual((await parsed()).properties!.expect);
    expect(Object.keys(root.properties!)).not.toEqual(expect.arrayContaining(['watch']));
  });

  test('durations have their pattern, defaults as they stand in the file, and may be references', async () => {
    const watch = (await parsed()).properties!.watch!;
    expect(watch).toMatchObject({ default: '3 renewals', description: expect.any(String) });
    const matches = (text: string): boolean => watch.anyOf.some(({ pattern }) => new RegExp(pattern as unknown as string).test(text));
    for (const good of ['500ms', '2s', '1.5s', '3 renewals', '1 lease', '2 sweeps', '${watch:2s}'])
      expect([good, matches(good)]).toEqual([good, true]);
    for (const bad of ['2', '2 seconds', 'soon', '-1s']) expect([bad, matches(bad)]).toEqual([bad, false]);
  });
});
