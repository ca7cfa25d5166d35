// Closing a bundle of which no page can be made: what was judged stays, is sealed, and the missing page is told beside it.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MANIFEST, OBSERVATIONS, RESOLVED, temporaryFolder, VERDICTS } from '../bundle/fixture.ts';
import type { Verdicts } from '../bundle/format.ts';
import { readBundle } from '../bundle/read.ts';
import { createRedactor } from '../bundle/redact.ts';
import { createBundleWriter } from '../bundle/write.ts';
import { closeBundle } from './cell-bundle.ts';
import type { Report } from './cell-bundle.ts';

const begun = async () => {
  const bundle = await createBundleWriter(join(temporaryFolder(), 'b'), { manifest: MANIFEST, scenarioText: '', resolved: RESOLVED, redactor: createRedactor() });
  for (const observation of OBSERVATIONS) bundle.observe(observation);
  await bundle.closeTimeline();
  return bundle;
};

const noInk: Report = async () => {
  throw new Error('no ink');
};
const told = { family: 'harness', code: 'unexpected', message: 'no ink' };

test.each<[Verdicts['outcome'], Verdicts['outcome']]>([
  ['failed', 'failed'],
  ['passed', 'error'],
  ['inconclusive', 'error'],
  ['interrupted', 'interrupted'],
])('a run that %s and has no page is told as %s, with every verdict', async (outcome, becomes) => {
  const bundle = await begun();
  const closed = await closeBundle(bundle, { ...VERDICTS, outcome }, noInk);
  expect(closed).toMatchObject({ outcome: becomes, problems: [told] });
  const read = await readBundle(bundle.folder);
  expect(read.isSealed).toBe(true);
  expect(read.verdicts).toMatchObject({ outcome: becomes, verdicts: VERDICTS.verdicts, problems: [...VERDICTS.problems, told] });
});

test('with its page it is as it was', async () => {
  const bundle = await begun();
  expect(await closeBundle(bundle, VERDICTS, async () => 'a page\n')).toEqual({ outcome: VERDICTS.outcome, problems: [] });
  expect((await readBundle(bundle.folder)).verdicts).toEqual(VERDICTS);
});

test('where nothing can be written any more that is thrown, and nothing is sealed', async () => {
  const bundle = await begun();
  const gone: Report = async (folder) => {
    rmSync(folder, { recursive: true });
    return 'a page\n';
  };
  await expect(closeBundle(bundle, VERDICTS, gone)).rejects.toMatchObject({ problems: [{ code: 'bundle-not-written' }] });
  await expect(readBundle(bundle.folder)).rejects.toMatchObject({ problems: [{ code: 'not-a-bundle' }] });
});
