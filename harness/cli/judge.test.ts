// Judging bundles again: the same bytes, the outcome's exit code, and no silence where they differ.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { toJsonText } from '../bundle/atomic.ts';
import { MANIFEST, RESOLVED, VERDICTS } from '../bundle/fixture.ts';
import type { Verdicts } from '../bundle/format.ts';
import { readBundle } from '../bundle/read.ts';
import { createRedactor } from '../bundle/redact.ts';
import { createBundleWriter } from '../bundle/write.ts';
import type { BundleWriter } from '../bundle/write.ts';
import { FACTS } from '../expectations/fixtures/facts.ts';
import { LEAK } from '../expectations/fixtures/knobs.ts';
import type { Knobs } from '../expectations/fixtures/knobs.ts';
import { control, story } from '../expectations/fixtures/story.ts';
import { observationsOf, timelineOf } from '../expectations/fixtures/timeline.ts';
import { judge } from '../expectations/judge.ts';
import type { Claim } from '../model/facts.ts';
import { scenarioOutcome } from '../model/verdict.ts';
import { judgeBundle } from './judge.ts';

const CLAIMS: readonly Claim[] = [
  {
    kind: 'upstream-closed', id: 'upstream-closed', notApplicable: null,
    options: { upstream: 'model', client: 'alice', after: 'gone', within: 1_000 },
  },
  { kind: 'renewal-stopped', id: 'renewal-stopped', options: { client: 'alice', after: 'gone' }, notApplicable: null },
];

const write = async (changes: Partial<Knobs> = {}): Promise<BundleWriter> => {
  const parent = mkdtempSync(join(tmpdir(), 'hangup-judge-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const bundle = await createBundleWriter(join(parent, 'b'), {
    manifest: MANIFEST, scenarioText: '', resolved: { ...RESOLVED, judged: { facts: FACTS, claims: CLAIMS } }, redactor: createRedactor(),
  });
  for (const observation of observationsOf(story(changes)).toReversed()) bundle.observe(observation);
  await bundle.writeControl(timelineOf(...control()));
  await bundle.closeTimeline();
  return bundle;
};

const judged = async (folder: string): Promise<Verdicts> => {
  const { timeline, control: stayed, resolved } = await readBundle(folder);
  const verdicts = judge({ timeline, control: stayed, ...resolved.judged });
  return { judge: 1, scenario: MANIFEST.scenario, outcome: scenarioOutcome(verdicts), verdicts, problems: [] };
};

it.each([
  ['clean', {}, 'passed', 0],
  ['leaking', LEAK, 'failed', 1],
] as const)('gives the same bytes for a %s run, and exits by the outcome', async (_, changes, outcome, code) => {
  const bundle = await write(changes);
  const verdicts = await judged(bundle.folder);
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
  const bundle = await write();
  await bundle.writeVerdicts({ ...VERDICTS, outcome: 'passed', verdicts: [] });
  const { exitCode, output } = await judgeBundle(bundle.folder);
  expect(output).toMatch(/^Note: the bundle was not sealed/);
  expect(output).toContain('This differs from verdicts.json');
  expect(exitCode).toBe(3);
});

it('allows another version of the judges to have judged otherwise', async () => {
  const bundle = await write();
  writeFileSync(join(bundle.folder, 'verdicts.json'), toJsonText({ ...VERDICTS, judge: 0 }));
  const { exitCode, output } = await judgeBundle(bundle.folder);
  expect(output).toContain('was written by judge version 0; this is 1.');
  expect(exitCode).not.toBe(3);
});

it('judges what a killed run left, and leaves alone what was never judged', async () => {
  const killed = await write();
  expect((await judgeBundle(killed.folder)).output).toContain('There is no verdicts.json to compare with.');
  const broken = await write();
  const problems = [{ family: 'environment', code: 'system-not-ready', message: 'not ready after 10 s' }] as const;
  await broken.writeVerdicts({ ...VERDICTS, outcome: 'error', verdicts: [], problems });
  await broken.seal();
  const { exitCode, output } = await judgeBundle(broken.folder);
  expect(output).toContain('system-not-ready: not ready after 10 s');
  expect(output).toContain('byte for byte');
  expect(exitCode).toBe(3);
});
