// Reading back what may have been cut off, changed, or written by another version.
import { appendFileSync, mkdirSync, rmSync, writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MANIFEST, OBSERVATIONS, RESOLVED, temporaryFolder, VERDICTS } from './fixture.ts';
import { readBundle } from './read.ts';
import { createRedactor } from './redact.ts';
import { upgrade } from './upgrade.ts';
import { createBundleWriter } from './write.ts';

const write = async (isSealed: boolean): Promise<string> => {
  const folder = join(temporaryFolder(), 'b');
  const bundle = await createBundleWriter(folder, { manifest: MANIFEST, scenarioText: '', resolved: RESOLVED, redactor: createRedactor() });
  for (const observation of OBSERVATIONS) bundle.observe(observation);
  await bundle.closeTimeline();
  await bundle.writeVerdicts(VERDICTS);
  if (isSealed) await bundle.seal();
  return folder;
};

const rejects = (folder: string, code: string, message: RegExp | string): Promise<void> =>
  expect(readBundle(folder)).rejects.toMatchObject({
    problems: [{ family: 'scenario', code, message: expect.stringMatching(message) as string }],
  });

it('names each file that was changed, added or taken away after sealing', async () => {
  const folder = await write(true);
  appendFileSync(join(folder, 'timeline.ndjson'), '{}\n');
  writeFileSync(join(folder, 'logs/new.log'), '');
  rmSync(join(folder, 'scenario.yaml'));
  await rejects(folder, 'bundle-tampered', /scenario\.yaml is missing, logs\/new\.log was added, timeline\.ndjson was changed/);
});

it('reads an unsealed bundle without its cut last line, and says so', async () => {
  const folder = await write(false);
  appendFileSync(join(folder, 'timeline.ndjson'), '{"atMs":9999,"actor":"har');
  const read = await readBundle(folder);
  expect(read.timeline.all).toHaveLength(OBSERVATIONS.length);
  expect(read.notes).toEqual([
    expect.stringContaining('was not sealed'), expect.stringContaining('last line of timeline.ndjson was cut off'),
  ]);
});

it('does not take damage for a cut', async () => {
  const folder = await write(false);
  const path = join(folder, 'timeline.ndjson');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"atMs":900', '"atMs":"900"'));
  await rejects(folder, 'bundle-damaged', 'timeline.ndjson, line 3 is not an observation');
  writeFileSync(join(folder, 'resolved.json'), '{');
  writeFileSync(path, '');
  await rejects(folder, 'bundle-damaged', 'resolved.json is not JSON');
});

it('says so when the folder is none, or no bundle', async () => {
  const folder = temporaryFolder();
  await rejects(join(folder, 'nowhere'), 'not-a-bundle', /is not a folder/);
  await rejects(folder, 'not-a-bundle', /has no manifest\.json/);
  mkdirSync(join(folder, 'x'));
  writeFileSync(join(folder, 'x/manifest.json'), '{}');
  await rejects(join(folder, 'x'), 'not-a-bundle', 'manifest.json names no format');
});

it('refuses a bundle of a newer format, before it believes anything else', async () => {
  const folder = await write(false);
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...MANIFEST, format: 2 }));
  rmSync(join(folder, 'timeline.ndjson'));
  await rejects(folder, 'bundle-newer', /format 2, and this hangup reads up to 1/);
});

it('takes an older bundle through every step to the format of today', () => {
  const raw = { manifest: { format: 1, old: true }, resolved: {}, timeline: [{ at: 1 }], control: null };
  const steps = {
    1: (from: typeof raw) => ({ ...from, timeline: from.timeline.map((each) => ({ atMs: (each as { at: number }).at })) }),
    2: (from: typeof raw) => ({ ...from, resolved: { added: true } }),
  } as unknown as Parameters<typeof upgrade>[1];
  expect(upgrade(raw, steps, 3)).toEqual({
    manifest: { format: 3, old: true }, resolved: { added: true }, timeline: [{ atMs: 1 }], control: null,
  });
  expect(() => upgrade(raw, {}, 2)).toThrow('nothing leads from format 1');
});
