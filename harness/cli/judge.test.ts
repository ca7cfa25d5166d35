// Judging bundles again: the same bytes, the outcome's exit code, and no silence where they differ.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { toJsonText } from '../bundle/atomic.ts';
import { MANIFEST, OBSERVATIONS, RESOLVED, VERDICTS } from '../bundle/fixture.ts';
import type { Verdicts } from '../bundle/format.ts';
import { readBundle } from '../bundle/read.ts';
import { createRedactor } from '../bundle/redact.ts';
import { createBundleWriter } from '../bundle/write.ts';
import type { BundleWriter } from '../bundle/write.ts';
import { judge } from '../expectations/judge.ts';
import { scenarioOutcome } from '../model/verdict.ts';
import { judgeBundle } from './judge.ts';

const write = async (): Promise<BundleWriter> => {
  const parent = mkdtempSync(join(tmpdir(), 'hangup-judge-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const bundle = await createBundleWriter(join(parent, 'b'), {
    manifest: MANIFEST, scenarioText: '', resolved: RESOLVED, redactor: createRedactor(),
  });
  for (const observation of OBSERVATIONS) bundle.observe(observation);
  await bundle.closeTimeline();
  return bundle;
};

const judged = async (folder: string): Promise<Verdicts> => {
  const { timeline, control, resolved } = await readBundle(folder);
  const verdicts = judge({ timeline, control, ...resolved.judged });
  return { judge: 1, scenario: MANIFEST.scenario, outcome: scenarioOutcome(verdicts), verdicts, problems: [] };
};

it('gives the same bytes, and exits by the outcome', async () => {
  const bundle = await write();
  const verdicts = await judged(bundle.folder);
  expect(verdicts.verdicts.map((verdict) => verdict.id)).toEqual(['upstream-closed', 'renewal-stopped']);
  await bundle.writeVerdicts(verdicts);
  await bundle.seal();
  const before = readFileSync(join(bundle.folder, 'verdicts.json'), 'utf8');
  const { exitCode, output } = await judgeBundle(bundle.folder);
  expect(output).toContain('The same as verdicts.json, byte for byte.');
  expect(exitCode).toBe({ passed: 0, failed: 1, inconclusive: 2 }[verdicts.outcome as 'passed']);
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
  expect(output).toContain('was written by judge version 0; this is 1');
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
