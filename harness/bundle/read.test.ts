// Reading back what may have been cut off, changed, or written by another version.
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MANIFEST, OBSERVATIONS, RESOLVED, temporaryFolder, VERDICTS } from './fixture.ts';
import { readBundle } from './read.ts';
import { createRedactor } from './redact.ts';
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

it('believes no verdicts without the seal, which anybody can take away: only its writer does, before there is one', async () => {
  const folder = await write(true);
  expect((await readBundle(folder)).verdicts).toEqual(VERDICTS);
  rmSync(join(folder, 'seal.json'));
  const { verdicts, verdictsText } = await readBundle(folder);
  expect(verdicts).toMatchObject({ outcome: 'error', verdicts: [], problems: [{ code: 'interrupted' }] });
  expect(JSON.parse(verdictsText!)).toEqual(VERDICTS);
  expect((await readBundle(folder, { isOver: false })).verdicts).toEqual(VERDICTS);
  // What was an error stays that, with why.
  const broken = { ...VERDICTS, outcome: 'error', verdicts: [], problems: [{ family: 'environment', code: 'disk-full', message: 'no space' }] };
  writeFileSync(join(folder, 'verdicts.json'), JSON.stringify(broken));
  expect((await readBundle(folder)).verdicts).toEqual(broken);
  writeFileSync(join(folder, 'verdicts.json'), JSON.stringify({ ...broken, verdicts: VERDICTS.verdicts }));
  expect((await readBundle(folder)).verdicts.verdicts).toEqual([]);
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

it.each([
  ['an outcome that is no word of ours', { outcome: '<img src=x>' }, 'its outcome is none'],
  ['a claim with such an outcome', { verdicts: [{ ...VERDICTS.verdicts[0], outcome: '<img src=x>' }] }, 'verdict 1 is none'],
  ['a claim without evidence', { verdicts: [VERDICTS.verdicts[0], { ...VERDICTS.verdicts[0], evidence: null }] }, 'verdict 2 is none'],
  ['an interval of words', { verdicts: [{ ...VERDICTS.verdicts[0], interval: { fromMs: 'now', toMs: 2 } }] }, 'verdict 1 is none'],
  ['problems of another kind', { problems: ['<b>'] }, 'its problems are none'],
  ['no verdicts', { verdicts: null }, 'it lists no verdicts'],
])('refuses %s, which pages and tables would print as it is', async (_, changed, message) => {
  const folder = await write(false);
  await expect(readBundle(folder, { isOver: false })).resolves.toMatchObject({ verdicts: VERDICTS });
  writeFileSync(join(folder, 'verdicts.json'), JSON.stringify({ ...VERDICTS, ...changed }));
  await rejects(folder, 'bundle-damaged', `verdicts.json cannot be read: ${message}`);
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

const CHANGES: readonly (readonly [string, (folder: string) => void, RegExp])[] = [
  ['one byte', (folder) => flip(join(folder, 'timeline.ndjson')), /not as it was sealed: timeline\.ndjson was changed$/],
  ['a byte of a snapshot', (folder) => flip(join(folder, 'snapshots/watched.sockets.json')), /snapshots\/watched\.sockets\.json was changed/],
  ['a file added', (folder) => writeFileSync(join(folder, 'snapshots/x.json'), ''), /snapshots\/x\.json was added/],
  ['a file removed', (folder) => rmSync(join(folder, 'verdicts.json')), /verdicts\.json is missing/],
  [
    'a file renamed', (folder) => renameSync(join(folder, 'sockets/changes.tsv'), join(folder, 'sockets/changed.tsv')),
    /sockets\/changes\.tsv is missing, sockets\/changed\.tsv was added/,
  ],
  ['a link to the same bytes', (folder) => link(join(folder, 'timeline.ndjson')), /timeline\.ndjson is no plain file/],
  ['the manifest a link', (folder) => link(join(folder, 'manifest.json')), /manifest\.json is no plain file/],
  ['a folder that is a link', (folder) => symlinkSync('snapshots', join(folder, 'more')), /more is no plain file/],
];

const flip = (path: string): void => {
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(path, bytes);
};

const link = (path: string): void => {
  renameSync(path, `${path}.real`);
  symlinkSync(`${path}.real`, path);
};

it.each(CHANGES)('refuses a sealed bundle with %s changed, and names it', async (_, change, message) => {
  const folder = await write(true);
  await readBundle(folder);
  change(folder);
  await rejects(folder, 'bundle-tampered', message);
});

it.each([['cut', (text: string) => text.slice(0, -20)], ['empty', () => ''], ['no list', () => '{"format":1}\n'], ['null', () => 'null']])(
  'refuses a seal that is %s',
  async (_, change) => {
    const folder = await write(true);
    const path = join(folder, 'seal.json');
    writeFileSync(path, change(readFileSync(path, 'utf8')));
    await rejects(folder, 'bundle-damaged', /^seal\.json is not whole/);
  },
);

it('refuses links in what was never sealed too', async () => {
  const folder = await write(false);
  symlinkSync('/etc/hostname', join(folder, 'logs/router.log'));
  await rejects(folder, 'bundle-tampered', /not as it was written: logs\/router\.log is no plain file/);
});
