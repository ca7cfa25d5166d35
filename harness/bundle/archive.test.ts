// An archive is the bundle again, byte for byte; a smaller one says what it lacks; a hostile one does no harm.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { onTestFinished, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { refOf } from '../model/observation.ts';
import type { Observation } from '../model/observation.ts';
import { createScope } from '../model/scope.ts';
import type { Scope } from '../model/scope.ts';
import { bundleFolderOf } from './archive-read.ts';
import { writeArchive } from './archive-write.ts';
import { archiveBundle } from './archive.ts';
import { temporaryFolder } from './fixture.ts';
import { readBundle } from './read.ts';
import { writeSeal } from './seal.ts';

const GOLDEN = join(import.meta.dirname, '..', '..', 'evidence', 'golden', 'failed');

const scopeOfTest = (): Scope => {
  const scope = createScope();
  onTestFinished(async () => void (await scope.close()));
  return scope;
};

/** A sealed copy, with more in it where a test wants that. */
const copyOf = async (more: Readonly<Record<string, string>> = {}): Promise<string> => {
  const folder = join(temporaryFolder(), 'bundle');
  cpSync(GOLDEN, folder, { recursive: true });
  for (const [name, text] of Object.entries(more)) writeFileSync(join(folder, name), text);
  await writeSeal(folder);
  return folder;
};

const NO_REFS: ReadonlySet<string> = new Set();
const inputOf = (folder: string, limitBytes = 10_000_000) => ({
  folder,
  root: 'it',
  path: join(temporaryFolder(), 'it.zip'),
  limitBytes,
  refs: NO_REFS,
  force: false,
  withPackets: false,
});

/** As many characters as asked for that no compression makes much smaller, in lines. */
const noise = (length: number): string => {
  let state = 1;
  const next = (): string => {
    state = (state * 48_271) % 2_147_483_647;
    return state.toString(36);
  };
  let text = '';
  while (text.length < length) text += `${next()} ${next()} ${next()} ${next()}\n`;
  return text;
};

const zipOf = async (entries: Readonly<Record<string, string>>, mode = 0o100644): Promise<string> => {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(entries)) zip.addBuffer(Buffer.from(text), name, { mode });
  zip.end();
  const path = join(temporaryFolder(), 'hostile.zip');
  await writeFile(path, await buffer(zip.outputStream));
  return path;
};

/** The same archive with a name in it replaced by one of equal length, which no writer of archives would write. */
const renamed = async (path: string, from: string, to: string): Promise<string> => {
  const bytes = await readFile(path);
  for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from)) bytes.write(to, at);
  await writeFile(path, bytes);
  return path;
};

test('an archive is read as the bundle that it was made of', async () => {
  const folder = await copyOf();
  const made = await archiveBundle(inputOf(folder));
  expect(made.reduced).toBeNull();
  const unpacked = await bundleFolderOf(made.path, scopeOfTest());
  const [before, after] = [await readBundle(folder), await readBundle(unpacked)];
  expect(after.isSealed).toBe(true);
  const dataOf = ({ timeline, control, folder: _, ...rest }: typeof before) => ({ ...rest, timeline: timeline.all, control: control?.all });
  expect(dataOf(after)).toEqual(dataOf(before));
});

test('what was unpacked is gone when the scope is closed; a folder stays', async () => {
  const folder = await copyOf();
  const { path } = await archiveBundle(inputOf(folder));
  const scope = createScope();
  const unpacked = await bundleFolderOf(path, scope);
  expect(await bundleFolderOf(folder, scope)).toBe(folder);
  expect(existsSync(unpacked)).toBe(true);
  await scope.close();
  expect(existsSync(unpacked)).toBe(false);
  expect(existsSync(folder)).toBe(true);
});

test('the same files give the same bytes, whenever and in whatever zone', async () => {
  const [first, second] = [await copyOf(), await copyOf()];
  const [a, b] = [inputOf(first), inputOf(second)];
  const zone = process.env.TZ;
  onTestFinished(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });
  process.env.TZ = 'Asia/Tokyo';
  await archiveBundle(a);
  process.env.TZ = 'America/Lima';
  await archiveBundle(b);
  expect(readFileSync(a.path).equals(readFileSync(b.path))).toBe(true);
});

test('nothing is written over unless that is asked for, and nothing else is left', async () => {
  const folder = await copyOf();
  const input = inputOf(folder);
  writeFileSync(input.path, 'mine');
  await expect(archiveBundle(input)).rejects.toMatchObject({ problems: [{ code: 'archive-exists' }] });
  expect(readFileSync(input.path, 'utf8')).toBe('mine');
  await archiveBundle({ ...input, force: true });
  expect(readFileSync(input.path, 'latin1').slice(0, 2)).toBe('PK');
  expect(readdirSync(join(input.path, '..'))).toEqual(['it.zip']);
  const link = join(temporaryFolder(), 'latest');
  symlinkSync(folder, link);
  for (const within of [folder, link])
    await expect(archiveBundle({ ...input, path: join(within, 'it.zip') })).rejects.toMatchObject({ problems: [{ code: 'bad-option' }] });
});

test('what is too large loses the middles of logs first, and says so inside; all that is judged stays', async () => {
  const folder = await copyOf({ 'logs/router.log': noise(400_000) });
  const whole = await archiveBundle(inputOf(folder));
  const { path, bytes, reduced } = await archiveBundle(inputOf(folder, whole.bytes - 20_000));
  expect(bytes).toBeLessThanOrEqual(whole.bytes - 20_000);
  expect(reduced).toMatchObject({ canBeJudged: true, left: [{ path: 'logs/router.log', what: 'the middle' }] });
  const { timeline, reduced: read, isSealed, notes, folder: unpacked } = await readBundle(await bundleFolderOf(path, scopeOfTest()));
  expect(read).toEqual(reduced);
  expect(isSealed).toBe(true);
  expect(notes.join()).toContain('logs/router.log: the middle');
  expect(timeline.all).toEqual((await readBundle(folder)).timeline.all);
  const log = readFileSync(join(unpacked, 'logs/router.log'), 'utf8');
  const original = readFileSync(join(folder, 'logs/router.log'), 'utf8');
  const [, begin, count, end] = /^(.*\n)\[(\d+) bytes left out of the archive\]\n(.*)$/s.exec(log)!;
  expect(original.startsWith(begin!) && original.endsWith(end!)).toBe(true);
  expect(begin!.length + Number(count) + end!.length).toBe(original.length);
  // The seal of the whole bundle comes along: what is as it was can be told.
  expect(readFileSync(join(unpacked, 'whole-seal.json'), 'utf8')).toBe(readFileSync(join(folder, 'seal.json'), 'utf8'));
});

test('then observations that no verdict refers to; those that one does, marks and snapshots stay', async () => {
  const folder = await copyOf();
  const { timeline } = await readBundle(folder);
  const sampled = ['probe.ledger', 'upstream.model'].map((actor) =>
    timeline.by(actor).filter((each) => (each.type === 'sample' ? each.mark === undefined : each.type === 'answer-progress')),
  );
  const refs = new Set<string>(sampled.map(([first]) => refOf(first!)));
  const input = inputOf(folder);
  const whole = await archiveBundle(input);
  let limitBytes = whole.bytes;
  let made = whole;
  while (made.reduced?.left.some(({ path }) => path === 'timeline.ndjson') !== true) {
    limitBytes -= 2_000;
    made = await archiveBundle({ ...input, limitBytes, refs, force: true });
  }
  const read = await readBundle(await bundleFolderOf(made.path, scopeOfTest()));
  expect(read.reduced?.canBeJudged).toBe(false);
  const has = (one: Observation | undefined): boolean => read.timeline.all.some((each) => refOf(each) === refOf(one!));
  for (const [referred, other] of sampled) expect([has(referred), has(other)]).toEqual([true, false]);
  expect(read.timeline.of('mark')).toEqual(timeline.of('mark'));
  expect(read.timeline.of('sample').filter(({ mark }) => mark)).toEqual(timeline.of('sample').filter(({ mark }) => mark));
  expect(read.timeline.all.length).toBeLessThan(timeline.all.length);
});

test('what fits into no limit is said, and nothing is left behind', async () => {
  const input = inputOf(await copyOf(), 500);
  await expect(archiveBundle(input)).rejects.toMatchObject({ problems: [{ code: 'archive-too-large' }] });
  expect(readdirSync(join(input.path, '..'))).toEqual([]);
});

test('a bundle that was not sealed stays unsealed in its archive', async () => {
  const folder = join(temporaryFolder(), 'bundle');
  cpSync(GOLDEN, folder, { recursive: true, filter: (path) => !path.endsWith('seal.json') });
  writeFileSync(join(folder, 'logs/router.log'), noise(400_000));
  writeFileSync(join(folder, 'verdicts.json.partial'), '{');
  const whole = await archiveBundle(inputOf(folder));
  for (const limitBytes of [whole.bytes, whole.bytes - 20_000]) {
    const { path } = await archiveBundle(inputOf(folder, limitBytes));
    const unpacked = await bundleFolderOf(path, scopeOfTest());
    expect(await readBundle(unpacked)).toMatchObject({ isSealed: false });
    expect(existsSync(join(unpacked, 'verdicts.json.partial'))).toBe(false);
  }
});

test('names that lead out, links, too much and too many are refused', async () => {
  const refuse = async (path: string, code: string, bounds?: { entries: number; bytes: number }): Promise<void> => {
    await expect(bundleFolderOf(path, scopeOfTest(), bounds)).rejects.toMatchObject({ problems: [{ code }] });
  };
  await refuse(await renamed(await zipOf({ 'aa/evil.txt': 'x' }), 'aa/evil', '../evil'), 'bundle-damaged');
  await refuse(await renamed(await zipOf({ 'a/evil.txt': 'x' }), 'a/evil', '/tmp/ev'.slice(0, 6)), 'bundle-damaged');
  await refuse(await renamed(await zipOf({ 'aa/evil.txt': 'x' }), 'aa/evil', '..\\evil'), 'bundle-damaged');
  await refuse(await zipOf({ link: '/etc/passwd' }, 0o120777), 'archive-refused');
  await refuse(await zipOf({ 'a/big': 'x'.repeat(1_000_000) }), 'archive-refused', { entries: 10, bytes: 1000 });
  await refuse(await zipOf({ a: '1', b: '2', c: '3' }), 'archive-refused', { entries: 2, bytes: 1000 });
  await refuse(await zipOf({ [`${'d/'.repeat(1000)}m`]: '1' }), 'archive-refused');
  await refuse(await zipOf({ 'a/one': '1', 'b/two': '2' }), 'not-a-bundle');
});

test('what is no zip, or only the begin of one, is said so', async () => {
  const folder = temporaryFolder();
  const text = join(folder, 'notes.txt');
  writeFileSync(text, 'no archive');
  await expect(bundleFolderOf(text, scopeOfTest())).rejects.toMatchObject({ problems: [{ code: 'not-a-bundle' }] });
  const { path } = await archiveBundle(inputOf(await copyOf()));
  writeFileSync(path, readFileSync(path).subarray(0, 9_000));
  await expect(bundleFolderOf(path, scopeOfTest())).rejects.toMatchObject({ problems: [{ code: 'bundle-damaged' }] });
  await expect(bundleFolderOf(join(folder, 'nothing'), scopeOfTest())).rejects.toMatchObject({ problems: [{ code: 'not-a-bundle' }] });
});

test('a link in the folder is not followed into the archive', async () => {
  const folder = join(temporaryFolder(), 'bundle');
  mkdirSync(folder);
  writeFileSync(join(folder, 'manifest.json'), '{}');
  symlinkSync('/etc/hostname', join(folder, 'link'));
  const path = join(temporaryFolder(), 'it.zip');
  await writeArchive(folder, 'it', path);
  expect(readdirSync(await bundleFolderOf(path, scopeOfTest()))).toEqual(['manifest.json']);
});

test('packets are left out however small they are, and stay only where that is asked for', async () => {
  const folder = await copyOf();
  mkdirSync(join(folder, 'capture'));
  writeFileSync(join(folder, 'capture', 'stage.pcap'), 'sk-0123456789abcdef0123');
  writeFileSync(join(folder, 'capture', 'notes.txt'), 'beside it');
  await writeSeal(folder);
  const without = await archiveBundle(inputOf(folder));
  expect(without.reduced).toMatchObject({ canBeJudged: true, left: [{ path: 'capture/notes.txt' }, { path: 'capture/stage.pcap' }] });
  const unpacked = await bundleFolderOf(without.path, scopeOfTest());
  expect(existsSync(join(unpacked, 'capture', 'stage.pcap'))).toBe(false);
  expect((await readBundle(unpacked)).isSealed).toBe(true);
  const whole = await archiveBundle({ ...inputOf(folder), withPackets: true });
  expect(whole.reduced).toBeNull();
  expect(existsSync(join(await bundleFolderOf(whole.path, scopeOfTest()), 'capture', 'stage.pcap'))).toBe(true);
});
