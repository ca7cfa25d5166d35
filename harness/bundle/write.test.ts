// A bundle on a real disk: complete and in order when sealed, readable when killed, never written
// over, free of secrets, and clear about a disk that is full.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Observation } from '../model/observation.ts';
import { createTimeline } from '../model/timeline.ts';
import { MANIFEST, OBSERVATIONS, RESOLVED, temporaryFolder, VERDICTS } from './fixture.ts';
import { readBundle } from './read.ts';
import { createRedactor } from './redact.ts';
import type { Redactor } from './redact.ts';
import { createBundleWriter } from './write.ts';
import type { FolderBundle } from './write.ts';

const create = (folder: string, redactor: Redactor = createRedactor()): Promise<FolderBundle> =>
  createBundleWriter(folder, { manifest: MANIFEST, scenarioText: 'version: 1\n', resolved: RESOLVED, redactor });

/** Runs beside the test with its own Node: writes into `folder` until it is killed or cannot. */
const programFor = (folder: string): string => `
  import { createBundleWriter } from ${JSON.stringify(join(import.meta.dirname, 'write.ts'))};
  import { createRedactor } from ${JSON.stringify(join(import.meta.dirname, 'redact.ts'))};
  let failed = null;
  const bundle = await createBundleWriter(${JSON.stringify(folder)}, {
    manifest: ${JSON.stringify(MANIFEST)}, scenarioText: 'version: 1\\n', resolved: ${JSON.stringify(RESOLVED)},
    redactor: createRedactor(), onFailure: (failure) => { failed = failure; },
  });
  console.log('writing');
  for (let seq = 1; failed === null; seq += 1) {
    bundle.observe({ atMs: seq, actor: 'harness', seq, type: 'precondition', name: 'x'.repeat(seq % 700), met: true, detail: '' });
    if (seq % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const outcome = await bundle.seal().then(() => 'sealed', (error) => error.problems[0].code);
  console.log(JSON.stringify({ problem: failed.problems[0], outcome }));`;

it('is in total order when sealed, whatever order the observations came in', async () => {
  const folder = join(temporaryFolder(), 'runs', 'one');
  const bundle = await create(folder);
  for (const observation of [...OBSERVATIONS, OBSERVATIONS[3]!].reverse()) bundle.observe(observation);
  bundle.log('system', 'first\nsec');
  bundle.log('system', 'ond\n');
  await bundle.writeControl(createTimeline(OBSERVATIONS.slice(0, 3)));
  await bundle.update({ manifest: { versions: { node: 'v24', engine: '20.10' } } });
  await bundle.closeTimeline();
  await bundle.writeVerdicts(VERDICTS);
  await bundle.writeReport('# report\n');
  const seal = await bundle.seal();

  const read = await readBundle(folder);
  expect(read.isSealed).toBe(true);
  expect(read.notes).toEqual([]);
  expect(read.timeline.all).toEqual(createTimeline(OBSERVATIONS).all);
  const lines = readFileSync(join(folder, 'timeline.ndjson'), 'utf8').trimEnd().split('\n');
  expect(lines.slice(0, 3).map((line) => (JSON.parse(line) as Observation).atMs)).toEqual([0, 800, 900]);
  expect(read.control?.all).toHaveLength(3);
  expect(read.manifest).toMatchObject({ format: 1, phases: { prepare: 800, drive: 610, stop: 110 }, versions: { engine: '20.10' } });
  expect(read.verdicts).toEqual(VERDICTS);
  expect(read.resolved).toEqual(RESOLVED);
  expect(readFileSync(join(folder, 'logs/system.log'), 'utf8')).toBe('first\nsecond\n');
  const snapshot: unknown = JSON.parse(readFileSync(join(folder, 'snapshots/watched.sockets.json'), 'utf8'));
  expect(snapshot).toMatchObject({ mark: 'watched', probe: 'sockets' });
  const changes = readFileSync(join(folder, 'sockets/changes.tsv'), 'utf8');
  expect(changes).toContain('3000\t127.0.0.2:41000\t127.0.0.4:9000\testablished\t0\t0\t77\n');
  expect(Object.keys(seal.files)).toEqual([
    'control.ndjson', 'logs/system.log', 'manifest.json', 'report.md', 'resolved.json', 'scenario.yaml',
    'snapshots/watched.sockets.json', 'sockets/changes.tsv', 'timeline.ndjson', 'verdicts.json',
  ]);
});

it('is on the disk shortly after the fact, and at once after a phase', async () => {
  const folder = join(temporaryFolder(), 'b');
  const bundle = await create(folder);
  bundle.observe(OBSERVATIONS[0]!);
  bundle.observe(OBSERVATIONS[1]!);
  await bundle.flush();
  expect((await readBundle(folder)).timeline.all).toHaveLength(2);
  bundle.observe(OBSERVATIONS[2]!);
  while ((await readBundle(folder)).timeline.all.length < 3) await pass(5);
  await bundle.closeTimeline();
});

it('is never written over', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'taken'));
  await expect(create(join(folder, 'taken'))).rejects.toMatchObject({ problems: [{ family: 'environment', code: 'bundle-exists' }] });
  expect(readdirSync(join(folder, 'taken'))).toEqual([]);
});

it('keeps the first snapshot when a mark is set again, and writes no file outside its folder', async () => {
  const folder = join(temporaryFolder(), 'b');
  const bundle = await create(folder);
  const sample = OBSERVATIONS.find((each) => each.type === 'sample' && each.mark === 'watched')!;
  bundle.observe(sample);
  bundle.observe({ ...sample, seq: 90, mark: '../../up' } as typeof sample);
  bundle.observe({ ...sample, seq: 91 });
  bundle.log('../../../up', 'x\n');
  await bundle.closeTimeline();
  expect(readdirSync(join(folder, 'snapshots')).sort())
    .toEqual(['.._.._up.sockets.json', 'watched.sockets.2.json', 'watched.sockets.json']);
  expect(readdirSync(join(folder, 'logs'))).toEqual(['.._.._.._up.log']);
});

it('holds no secret in any of its files', async () => {
  const folder = join(temporaryFolder(), 'b');
  const secrets = ['hunter2"quoted\\', 'käse und brot', 'MIIEvQIBADANBg\nkqhkiG9w0BAQEF', 'plain-account-key'];
  const redactor = createRedactor();
  for (const secret of secrets) redactor.register(secret);
  const inBase64 = (secret: string): string => Buffer.from(`x${secret}`).toString('base64');
  const all = secrets.flatMap((secret) => [secret, encodeURIComponent(secret), inBase64(secret), JSON.stringify(secret)]).join(' ');
  const bundle = await createBundleWriter(folder, {
    manifest: { ...MANIFEST, argv: ['--secret', 'A=unregistered-value', '--secret=B=another-value', all], versions: { node: all } },
    scenarioText: `# ${all}\n`,
    resolved: { ...RESOLVED, run: { ...RESOLVED.run, about: all, settings: { key: all } } },
    redactor,
  });
  for (const observation of OBSERVATIONS) bundle.observe(observation);
  const stamp = (seq: number): { atMs: number; actor: string; seq: number } => ({ atMs: 4000 + seq, actor: 'harness', seq });
  bundle.observe({ ...stamp(900), type: 'refund', account: all, attempt: 1, status: 200, answer: all, verdict: 'accepted' });
  bundle.observe({ ...stamp(901), type: 'sample', probe: 'http', tookMs: 1, mark: 'm', value: { status: 200, fields: { [all]: all } } });
  for (let at = 0; at < all.length; at += 7) bundle.log('system', all.slice(at, at + 7));
  await bundle.writeControl(createTimeline([{ ...stamp(1), type: 'precondition', name: all, met: true, detail: all }]));
  await bundle.closeTimeline();
  await bundle.writeVerdicts({ ...VERDICTS, problems: [{ family: 'harness', code: 'x', message: all, hint: all }] });
  await bundle.writeReport(all);
  await bundle.seal();

  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => statSync(join(folder, path)).isFile());
  expect(files.length).toBeGreaterThan(10);
  const forms = [
    ...secrets, ...secrets.map((secret) => inBase64(secret).slice(4, -4)), ...secrets.map((secret) => JSON.stringify(secret).slice(1, -1)),
    'unregistered-value', 'another-value',
  ];
  for (const path of files) {
    const text = readFileSync(join(folder, path), 'utf8');
    for (const form of forms) expect(text, path).not.toContain(form);
  }
  expect((await readBundle(folder)).isSealed).toBe(true);
});

it('can be read as far as it came when its harness is killed at any moment', async () => {
  for (const [afterMs, atLeastBytes] of [[0, 0], [20, 0], [90, 0], [0, 100_000]] as const) {
    const folder = join(temporaryFolder(), 'b');
    const child = spawn(process.execPath, ['--input-type=module', '-e', programFor(folder)], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    const exit = once(child, 'exit');
    const timeline = join(folder, 'timeline.ndjson');
    await pass(afterMs);
    while (child.exitCode === null && statSync(timeline).size < atLeastBytes) await pass(5);
    child.kill('SIGKILL');
    await exit;
    const read = await readBundle(folder);
    expect(read.isSealed).toBe(false);
    expect(read.notes[0]).toMatch(/was not sealed/);
    expect(read.timeline.all.map((each) => each.seq)).toEqual(read.timeline.all.map((_, index) => index + 1));
    if (atLeastBytes > 0) expect(read.timeline.all.length).toBeGreaterThan(100);
  }
});

/** A disk of 256 KiB in a mount namespace of its own; null where none may be made. */
const runOnSmallDisk = (folder: string, program: string): { readonly stdout: string; readonly stderr: string } | null => {
  const flags = process.getuid?.() === 0 ? '-m' : '-Urm';
  const allowed = spawnSync('unshare', [flags, 'mount', '-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder]).status === 0;
  if (!allowed) return null;
  const script = 'mount -t tmpfs -o size=256k tmpfs "$1" && "$2" --input-type=module -e "$3" && cp -r "$1/b" "$1-kept"';
  return spawnSync('unshare', [flags, 'sh', '-c', script, 'sh', folder, process.execPath, program], { encoding: 'utf8' });
};

it('says once that the disk is full, and keeps what was recorded', async ({ skip }) => {
  const parent = temporaryFolder();
  const folder = join(parent, 'disk');
  mkdirSync(folder);
  const result = runOnSmallDisk(folder, programFor(join(folder, 'b')));
  if (result === null) return skip('this machine allows no mount namespace');
  const told = JSON.parse(result.stdout.trim().split('\n').at(-1)!) as { problem: Record<string, string>; outcome: string };
  expect(told.outcome).toBe('disk-full');
  expect(told.problem).toMatchObject({ family: 'environment', code: 'disk-full', hint: 'make room, or write elsewhere with --output' });
  expect(told.problem.message).toContain(folder);
  const kept = await readBundle(`${folder}-kept`);
  expect(kept.isSealed).toBe(false);
  expect(kept.timeline.all.length).toBeGreaterThan(100);
  expect(existsSync(join(`${folder}-kept`, 'seal.json'))).toBe(false);
});
