// A run that keeps no evidence is judged from the same as one that does: what both give back to be judged is equal.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createTimeline } from '../model/timeline.ts';
import { MANIFEST, OBSERVATIONS, RESOLVED, temporaryFolder, VERDICTS } from './fixture.ts';
import { createNoBundle } from './none.ts';
import { createRedactor } from './redact.ts';
import { createBundleWriter } from './write.ts';
import type { BundleWriter } from './write.ts';

const SECRET = 'correct-horse-battery';
const SAID = { type: 'precondition', name: 'x', met: false, detail: `the key ${SECRET} was refused` } as const;

const fill = async (bundle: BundleWriter): Promise<Awaited<ReturnType<BundleWriter['readBack']>>> => {
  for (const observation of [...OBSERVATIONS, OBSERVATIONS[3]!].reverse()) bundle.observe(observation);
  bundle.observe({ atMs: 10, actor: 'harness', seq: 999, ...SAID });
  bundle.log('system', 'line\n');
  await bundle.update({ manifest: { versions: {} }, resolved: { ...RESOLVED, run: { ...RESOLVED.run, about: SECRET } } });
  await bundle.closeTimeline();
  bundle.observe({ atMs: 11, actor: 'harness', seq: 1000, ...SAID });
  await bundle.writeControl(createTimeline(OBSERVATIONS.slice(0, 3)));
  return bundle.readBack();
};

it('gives back what a bundle on the disk gives back: redacted, in total order, closed', async () => {
  const redactor = createRedactor();
  redactor.register(SECRET);
  const start = { manifest: MANIFEST, scenarioText: '', resolved: RESOLVED, redactor };
  const folder = temporaryFolder();
  const kept = await fill(await createBundleWriter(join(folder, 'b'), start));
  const none = await fill(createNoBundle(start));
  expect(none.timeline.all).toEqual(kept.timeline.all);
  expect(none.control?.all).toEqual(kept.control?.all);
  expect(none.resolved).toEqual(kept.resolved);
  expect(JSON.stringify(none)).not.toContain(SECRET);
  expect(none.timeline.of('precondition')).toHaveLength(1);
});

it('writes nothing', async () => {
  const before = readdirSync('.');
  const bundle = createNoBundle({ resolved: RESOLVED, redactor: createRedactor() });
  await fill(bundle);
  await bundle.writeVerdicts(VERDICTS);
  await bundle.writeReport('# report\n');
  expect(await bundle.seal()).toEqual({ format: 1, files: {} });
  expect({ folder: bundle.folder, failure: bundle.failure() }).toEqual({ folder: null, failure: null });
  expect(readdirSync('.')).toEqual(before);
});
