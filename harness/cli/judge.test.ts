// Judging bundles again: the same bytes, the outcome's exit code, and no silence where they differ.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { toJsonText } from '../bundle/atomic.ts';
import { VERDICTS } from '../bundle/fixture.ts';
import { JUDGE_VERSION } from '../bundle/format.ts';
import { keepSeal, writeReduced } from '../bundle/reduced.ts';
import { FACTS } from '../expectations/fixtures/facts.ts';
import { LEAK } from '../expectations/fixtures/knobs.ts';
import { control, story } from '../expectations/fixtures/story.ts';
import { timelineOf } from '../expectations/fixtures/timeline.ts';
import { judge } from '../expectations/judge.ts';
import { CLAIMS, judgedBundle, sealedStory, writeStory } from './judge-fixture.ts';
import { judgeBundle } from './judge.ts';

it.each([
  ['clean', {}, 'passed', 0],
  ['leaking', LEAK, 'failed', 1],
] as const)('gives the same bytes for a %s run, and exits by the outcome', async (_, changes, outcome, code) => {
  const bundle = await writeStory(changes);
  const verdicts = await judgedBundle(bundle.folder);
  expect(verdicts.outcome).toBe(outcome);
  // In the run the judges saw the record in memory; here they see what was written of it.
  const seen = { timeline: timelineOf(...story(changes)), control: timelineOf(...control()), facts: FACTS, claims: CLAIMS };
  expect(verdicts.verdicts).toEqual(judge(seen));
  await bundle.writeVerdicts(verdicts);
  await bundle.seal();
  const before = readFileSync(join(bundle.folder, 'verdicts.json'), 'utf8');
  const { exitCode, output } = await judgeBundle(bundle.folder);
  expect(output).toContain('The same as verdicts.json, byte for byte.');
  expect(exitCode).toBe(code);
  for (const verdict of verdicts.verdicts) if (verdict.outcome !== 'held') expect(output).toContain(`${verdict.outcome} ${verdict.id}`);
  expect(readFileSync(join(bundle.folder, 'verdicts.json'), 'utf8')).toBe(before);
});

it('says aloud where the same version of the judges now says something else', async () => {
  const bundle = await writeStory();
  await bundle.writeVerdicts({ ...VERDICTS, outcome: 'passed', verdicts: [] });
  await bundle.seal();
  const { exitCode, output } = await judgeBundle(bundle.folder);
  expect(output).toContain('This differs from verdicts.json');
  expect(exitCode).toBe(3);
});

it('allows another version of the judges to have judged otherwise', async () => {
  const bundle = await writeStory();
  writeFileSync(join(bundle.folder, 'verdicts.json'), toJsonText({ ...VERDICTS, judge: 0 }));
  await bundle.seal();
  const { exitCode, output } = await judgeBundle(bundle.folder);
  expect(output).toContain(`was written by judge version 0; this is ${JUDGE_VERSION}.`);
  expect(exitCode).not.toBe(3);
});

it('concludes nothing from verdicts that were not sealed: the run was killed between the two', async () => {
  const bundle = await writeStory();
  await bundle.writeVerdicts(await judgedBundle(bundle.folder));
  const { exitCode, output } = await judgeBundle(bundle.folder);
  expect(output).toMatch(/^Note: the bundle was not sealed/);
  expect(output).toContain('error: interrupted. verdicts.json is not compared with');
  expect(output).toContain('Claims: 0 held, 0 violated, 0 inconclusive. Exit code 3.');
  expect(exitCode).toBe(3);
});

it('says of a run that was cut off that it is an error, and judges nothing by its record', async () => {
  for (const expect_ of [null, join(import.meta.dirname, 'fixtures/claims.yaml')]) {
    const killed = await writeStory(LEAK);
    const { exitCode, output } = await judgeBundle(killed.folder, { expect: expect_ });
    expect(output).toMatch(/^Note: the bundle was not sealed/);
    expect(output).toContain('interrupted: the run was cut off before it was judged');
    expect(output).toContain('error: interrupted. There is no verdicts.json to compare with');
    expect(output).toContain('Claims: 0 held, 0 violated, 0 inconclusive. Exit code 3.');
    expect(exitCode).toBe(3);
  }
});

it.each([['error', 3], ['interrupted', 130]] as const)('leaves alone what was never judged: %s', async (outcome, code) => {
  const broken = await writeStory();
  const problems = [{ family: 'environment', code: 'system-not-ready', message: 'not ready after 10 s' }] as const;
  await broken.writeVerdicts({ ...VERDICTS, outcome, verdicts: [], problems });
  await broken.seal();
  const { exitCode, output } = await judgeBundle(broken.folder);
  expect(output).toContain('system-not-ready: not ready after 10 s');
  expect(output).toContain('byte for byte');
  expect(exitCode).toBe(code);
});

it('does not judge an archive from which observations were left out, and says whose verdicts it shows', async () => {
  const reduced = async (path: string): Promise<string> => {
    const folder = await sealedStory(LEAK);
    await keepSeal(folder);
    await writeReduced(folder, [{ path, what: 'some', bytes: 1 }], null);
    return folder;
  };
  const lacking = await reduced('timeline.ndjson');
  const { exitCode, output } = await judgeBundle(lacking);
  expect(output).toContain('Not judged again: what verdicts.json was made from is not all here. These are the verdicts that it holds.');
  expect(output).toContain('violated upstream-closed');
  expect(exitCode).toBe(1);
  const file = join(import.meta.dirname, 'fixtures/claims.yaml');
  await expect(judgeBundle(lacking, { expect: file })).rejects.toMatchObject({ problems: [{ code: 'bundle-reduced' }] });
  const whole = await reduced('logs/router.log');
  expect((await judgeBundle(whole)).output).toContain('byte for byte');
  expect((await judgeBundle(whole, { expect: file })).exitCode).toBe(1);
});
