// Everything that is registered can be written: its example parses, its defaults are good, its names
// are of the one form.
import { describe, expect, test } from 'vitest';
import type { Definition, Registry } from '../model/registry.ts';
import { exampleOptions } from './example.ts';
import { fieldSchema } from './fields-schema.ts';
import { PARSE_OPTIONS } from './issues.ts';
import { itemSchema } from './item.ts';
import { registries } from './registries.ts';
import { NAME } from './scalars.ts';

const all = Object.entries(registries).flatMap(([family, registry]) =>
  (registry as Registry<Definition>).all.map(
    (definition) => [family, definition.kind, definition, registry as Registry<Definition>] as const,
  ),
);

describe('registered', () => {
  test.each(all)('%s: %s', (family, kind, definition, registry) => {
    expect(kind).toMatch(NAME);
    expect(definition.about).toMatch(/\S/);
    const options = exampleOptions(definition);
    const result = itemSchema(family, registry).safeParse({ [kind]: options }, PARSE_OPTIONS);
    expect(result.error?.issues ?? []).toEqual([]);
    expect(result.data!.item.kind).toBe(kind);
    for (const [key, field] of Object.entries(definition.fields.options)) {
      expect(key).toMatch(NAME);
      expect(field.about).toMatch(/\S/);
      if (field.default !== undefined) expect([key, fieldSchema(field).safeParse(undefined).success]).toEqual([key, true]);
    }
    const { $bare, $one = [] } = definition.fields;
    for (const key of [...($bare === undefined ? [] : [$bare]), ...$one]) expect(Object.keys(definition.fields.options)).toContain(key);
  });
});
