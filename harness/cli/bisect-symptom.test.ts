// A search for what a bundle shows goes on with that: the bundle may lie elsewhere or be gone, and another one in its place is told.
import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkSameQuestion, readState, writeState } from '../plan/bisect-run/state.ts';
import { beginState, versions } from '../plan/bisect-run/test-search.ts';
import { temporaryFolder } from '../bundle/fixture.ts';
import type { Asked } from './bisect-question.ts';
import { withSymptom } from './bisect-symptom.ts';
import { sealedStory } from './judge-fixture.ts';
import { testTerminal } from './test-terminal.ts';

/** Asked beside a search that was begun for what this bundle shows. */
const begun = async (bundle: string, given = './latest') => {
  const folder = temporaryFolder();
  const file = join(folder, 'bisect.json');
  const { terminal } = testTerminal({ cwd: folder });
  const cell = { claims: [{ id: 'upstream-closed' }, { id: 'renewal-stopped' }] };
  const ask = async (symptom: string, fresh = false) => {
    const { question } = beginState([versions(3)]);
    const asked = { question: { ...question, symptomFrom: symptom }, cellAt: () => cell } as unknown as Asked;
    return withSymptom(terminal, { symptom, fresh }, asked, file);
  };
  symlinkSync(bundle, join(folder, 'latest'));
  const { asked, named } = await ask(given);
  await writeState(file, { ...beginState([versions(3)]), question: asked.question });
  return { folder, file, ask, wanted: named!.wanted, state: (await readState(file))! };
};

const leak = (): Promise<string> => sealedStory({ closedMs: null });

test('the question holds what the bundle shows: wherever it lies it is the same one', async () => {
  const bundle = await leak();
  const { folder, file, ask, wanted, state } = await begun(bundle);
  expect(wanted).toMatch(/^upstream-closed@[0-9a-f]{8}$/);
  expect(state.question).toMatchObject({ symptom: wanted, symptomFrom: './latest' });
  renameSync(bundle, join(dirname(bundle), 'elsewhere'));
  for (const same of [join(dirname(bundle), 'elsewhere'), wanted]) {
    const { asked, named } = await ask(same);
    expect(named!.wanted).toBe(wanted);
    await expect(checkSameQuestion(file, state, asked.question)).resolves.toBeUndefined();
  }
  rmSync(join(folder, 'latest'));
  symlinkSync(await sealedStory({ terminalMs: null }), join(folder, 'latest'));
  const { asked, named } = await ask('./latest');
  expect(named!.wanted).not.toBe(wanted);
  const line = readFileSync(file, 'utf8').split('\n').findIndex((text) => text.includes('"symptom": "upstream')) + 1;
  await expect(checkSameQuestion(file, state, asked.question)).rejects.toMatchObject({
    problems: [{ code: 'bisect-changed', message: expect.stringContaining('the symptom that is looked for'), location: { file, line } }],
  });
});

test('one that is gone is known by the search that was begun with it, and by no other', async () => {
  const { folder, file, ask, wanted, state } = await begun(await leak());
  rmSync(join(folder, 'latest'));
  const { asked, named } = await ask('./latest');
  expect(named).toEqual({ wanted, words: `${wanted}, as this search has it: ./latest is not there any more`, from: null });
  await expect(checkSameQuestion(file, state, asked.question)).resolves.toBeUndefined();
  await expect(ask('./other')).rejects.toMatchObject({ problems: [{ code: 'bad-option', message: expect.stringContaining('./other') }] });
  await expect(ask('./latest', true)).rejects.toMatchObject({ problems: [{ code: 'bad-option', hint: expect.stringContaining(`--symptom ${wanted}`) }] });
  rmSync(file);
  await expect(ask('./latest')).rejects.toMatchObject({ problems: [{ code: 'bad-option' }] });
});

describe.each([
  ['of an earlier format', (text: string) => text.replace(/"format": \d+/, '"format": 3')],
  ['that is damaged', (text: string) => text.slice(0, text.length / 2)],
])('beside a search %s', (_, damaged) => {
  const begunDamaged = async () => {
    const all = await begun(await leak());
    writeFileSync(all.file, damaged(readFileSync(all.file, 'utf8')));
    await expect(readState(all.file)).rejects.toMatchObject({ problems: [{ code: 'bisect-unreadable' }] });
    return all;
  };

  test.each([false, true])('a claim and a fingerprint need nothing of it (anew: %s)', async (fresh) => {
    const { ask, wanted } = await begunDamaged();
    for (const text of ['upstream-closed', wanted]) expect((await ask(text, fresh)).named).toMatchObject({ wanted: text, from: null });
  });

  test('what can be read is told for a bundle that is gone, unless one begins anew', async () => {
    const { folder, ask, wanted } = await begunDamaged();
    expect((await ask('./latest', true)).named).toMatchObject({ wanted });
    rmSync(join(folder, 'latest'));
    await expect(ask('./latest')).rejects.toMatchObject({ problems: [{ code: 'bisect-unreadable', hint: expect.stringContaining('--fresh') }] });
    await expect(ask('./latest', true)).rejects.toMatchObject({ problems: [{ code: 'bad-option', message: expect.stringContaining('./latest') }] });
    await expect(ask('upstream-close', true)).rejects.toMatchObject({ problems: [{ message: 'a/b makes no claim "upstream-close"' }] });
  });
});

test('one that is gone is known also where it is called as a claim might be', async () => {
  const { folder, ask, wanted } = await begun(await leak(), 'latest');
  rmSync(join(folder, 'latest'));
  expect((await ask('latest')).named).toMatchObject({ wanted, from: null });
});

test('a claim that the scenario does not make is told, also where a bundle shows it', async () => {
  const { ask } = await begun(await leak());
  await expect(ask('upstream-close')).rejects.toMatchObject({ problems: [{ code: 'bad-option', message: 'a/b makes no claim "upstream-close"' }] });
});
