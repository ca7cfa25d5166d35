// A bundle of a run that tests make up, written and sealed as a real one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { MANIFEST, RESOLVED } from '../bundle/fixture.ts';
import { JUDGE_VERSION } from '../bundle/format.ts';
import type { Verdicts } from '../bundle/format.ts';
import { readBundle } from '../bundle/read.ts';
import { createRedactor } from '../bundle/redact.ts';
import { createBundleWriter } from '../bundle/write.ts';
import type { FolderBundle } from '../bundle/write.ts';
import { FACTS } from '../expectations/fixtures/facts.ts';
import type { Knobs } from '../expectations/fixtures/knobs.ts';
import { control, story } from '../expectations/fixtures/story.ts';
import { observationsOf, timelineOf } from '../expectations/fixtures/timeline.ts';
import type { Entry } from '../expectations/fixtures/timeline.ts';
import { judge } from '../expectations/judge.ts';
import type { Claim } from '../model/facts.ts';
import { scenarioOutcome } from '../model/verdict.ts';

export const CLAIMS: readonly Claim[] = [
  {
    kind: 'upstream-closed', id: 'upstream-closed', notApplicable: null,
    options: { upstream: 'model', client: 'alice', after: 'gone', within: 1_000 },
  },
  { kind: 'renewal-stopped', id: 'renewal-stopped', options: { client: 'alice', after: 'gone' }, notApplicable: null },
];

/** Closed, and not judged yet. */
export const writeStory = async (
  changes: Partial<Knobs> = {},
  change: (entries: readonly Entry[]) => readonly Entry[] = (all) => all,
): Promise<FolderBundle> => {
  const parent = mkdtempSync(join(tmpdir(), 'hangup-judge-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const bundle = await createBundleWriter(join(parent, 'b'), {
    manifest: MANIFEST, scenarioText: '', resolved: { ...RESOLVED, judged: { facts: FACTS, claims: CLAIMS } }, redactor: createRedactor(),
  });
  for (const observation of observationsOf(change(story(changes))).toReversed()) bundle.observe(observation);
  await bundle.writeControl(timelineOf(...control()));
  await bundle.closeTimeline();
  return bundle;
};

/** As the run itself judges: from what was written. */
export const judgedBundle = async (folder: string): Promise<Verdicts> => {
  const { timeline, control: stayed, resolved } = await readBundle(folder);
  const verdicts = judge({ timeline, control: stayed, ...resolved.judged });
  return { judge: JUDGE_VERSION, scenario: MANIFEST.scenario, outcome: scenarioOutcome(verdicts), verdicts, problems: [] };
};

/** @returns the folder of a bundle that is judged and sealed */
export const sealedStory = async (...given: Parameters<typeof writeStory>): Promise<string> => {
  const bundle = await writeStory(...given);
  await bundle.writeVerdicts(await judgedBundle(bundle.folder));
  await bundle.seal();
  return bundle.folder;
};
