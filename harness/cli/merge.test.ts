// Shards as a run leaves them, made up but written and sealed by the real writer: merged, and refused for every reason at once.
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { writeArchive } from '../bundle/archive-write.ts';
import { readBundle } from '../bundle/read.ts';
import { madeUpPlan, writeMadeUpShard } from '../plan/merge/fixture.ts';
import type { MadeUp } from '../plan/merge/fixture.ts';
import { parseShard, readShard, shardText, SHARD_FILE } from '../plan/shard/shard-file.ts';
import type { Shard } from '../plan/shard/shard-file.ts';
import { runCommand } from './program.ts';
import { testTerminal } from './test-terminal.ts';

const WHOLE: MadeUp = {
  count: 3, perShard: 3, hasControls: true,
  outcomeOf: (number) => (number === 4 ? 'failed' : number === 7 ? 'does-not-apply' : 'passed'),
};

let made: string;
beforeAll(async () => {
  made = mkdtempSync(join(tmpdir(), 'hangup-merge-made-'));
  for (const index of [1, 2, 3]) await writeMadeUpShard(join(made, `job-${index}`, 'evidence', `run-${index}`), index, WHOLE);
});
afterAll(() => rmSync(made, { recursive: true, force: true }));

/** A copy that may be spoilt, as artifacts of three jobs lie in one folder. */
const copy = (): { readonly root: string; readonly shard: (index: number) => string } => {
  const root = mkdtempSync(join(tmpdir(), 'hangup-merge-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(made, join(root, 'shards'), { recursive: true });
  return { root, shard: (index) => join(root, 'shards', `job-${index}`, 'evidence', `run-${index}`) };
};

const merge = async (root: string, ...words: readonly string[]) => {
  const { terminal, out, err } = testTerminal({ cwd: root });
  const code = await runCommand(['merge', ...(words.length === 0 ? ['shards', '--output', 'merged'] : words)], terminal);
  return { code, out: out(), err: err() };
};

const rewrite = async (folder: string, change: (shard: Shard) => Shard): Promise<void> => {
  const shard = await readShard(folder);
  if (typeof shard === 'string') throw new Error(shard);
  writeFileSync(join(folder, SHARD_FILE), shardText(change(shard)));
};

test('shards become one run: its folder, its reports, its exit code', async () => {
  const { root, shard } = copy();
  symlinkSync('run-1', join(shard(1), '..', 'latest'));
  // Some CIs keep what a link leads to.
  cpSync(shard(2), join(shard(2), '..', 'latest'), { recursive: true });
  const { code, out } = await merge(root, 'shards', '--output', 'merged', '--reporter', 'terminal,html,junit=junit.xml,json');
  expect(code).toBe(1);
  expect(out).toContain('merged from 3 shards of plan');
  expect(out).toMatch(/9 scenarios: 7 passed, 1 failed, 1 does-not-apply/);
  const folders = readdirSync(join(root, 'merged')).sort();
  expect(folders.filter((name) => name.startsWith('made-up'))).toHaveLength(8);
  expect(folders).toEqual(expect.arrayContaining(['control-00', 'control-00-shard-2', 'control-00-shard-3', 'durations.json', 'index.html', 'results.jsonl']));
  expect(readdirSync(root).sort()).toEqual(['junit.xml', 'merged', 'shards']);
  const bundle = await readBundle(join(root, 'merged', 'made-up-4'));
  expect([bundle.isSealed, bundle.verdicts.outcome]).toEqual([true, 'failed']);
  expect(readFileSync(join(root, 'merged', 'index.html'), 'utf8')).toContain('href="made-up-4/report.html"');
  expect(readFileSync(join(root, 'junit.xml'), 'utf8')).toContain('tests="9" failures="1" errors="0" skipped="1"');
  expect(Object.keys(JSON.parse(readFileSync(join(root, 'merged', 'durations.json'), 'utf8')).cells.process)).toHaveLength(9);
});

test('machines that have got something else for the same card: they are one run, and it is told', async () => {
  const root = mkdtempSync(join(tmpdir(), 'hangup-merge-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const write = (index: number, redirects: string): Promise<void> => {
    const versions = { 'npm http-proxy': '1.18.1', 'npm follow-redirects (came along)': redirects };
    return writeMadeUpShard(join(root, 'shards', String(index)), index, { count: 2, perShard: 2, content: { lines: 1, html: '', versions } });
  };
  await write(1, '1.14.0');
  await write(2, '1.15.6');
  const { code, err } = await merge(root);
  expect([code, err]).toEqual([0, 'note: not the same on every machine: npm follow-redirects (came along) 1.14.0 and 1.15.6\n']);
  rmSync(join(root, 'shards', '2'), { recursive: true });
  await write(2, '1.14.0');
  expect(await merge(root, 'shards', '--output', 'alike')).toMatchObject({ code: 0, err: '' });
});

test('every reason why they are not one whole run is told at once, and nothing is made', async () => {
  const { root, shard } = copy();
  // 1 is there twice, 2 is not, and in 3 one file was changed, one added and one taken away.
  cpSync(shard(1), join(root, 'shards', 'again'), { recursive: true });
  rmSync(shard(2), { recursive: true });
  appendFileSync(join(shard(3), 'made-up-2', 'verdicts.json'), ' ');
  writeFileSync(join(shard(3), 'made-up-2', 'more.txt'), '');
  rmSync(join(shard(3), 'made-up-5', 'logs', 'router.log'));
  rmSync(join(shard(3), 'made-up-8'), { recursive: true });
  mkdirSync(join(shard(3), 'made-up-99'));
  await writeMadeUpShard(join(root, 'shards', 'other'), 2, { ...WHOLE, change: { repeat: 3, harness: { version: '0.1.0', commit: 'abc', dirty: true } } });
  writeFileSync(join(root, 'shards', 'other', 'made-up-1', 'seal.json'), '{}');
  mkdirSync(join(root, 'shards', 'broken'));
  writeFileSync(join(root, 'shards', 'broken', SHARD_FILE), '{"format":1}');
  const { code, err } = await merge(root, 'shards', 'nowhere', '--output', 'merged');
  expect(code).toBe(4);
  for (const said of [
    'shard 1 of 3 is there 2 times: shards/again, shards/job-1/evidence/run-1', 'shard 2 of 3 is not there',
    /shards\/other is of plan \w+, and .* of \w+: repeat 1 and 3; commit unknown and abc; a hangup with changes and one without/,
    'made-up-2 is not as it was sealed: more.txt was added, verdicts.json was changed', 'made-up-5 is not as it was sealed: logs/router.log is missing',
    'shard 3 of 3 (shards/job-3/evidence/run-3): its bundle made-up-8 is missing', 'holds what it did not leave: made-up-99', 'made-up-1 is not as it was sealed: seal.json is not the one that the shard wrote down',
    'shards/broken: shard.json cannot be relied on', 'nowhere does not exist',
  ]) expect(err).toMatch(said instanceof RegExp ? said : new RegExp(said.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  expect(readdirSync(root)).toEqual(['shards']);
});

test('a shard that was killed, one with a bundle that was never sealed, and one that lacks a cell are refused', async () => {
  const { root, shard } = copy();
  await rewrite(shard(1), (each) => ({ ...each, ended: null }));
  await rewrite(shard(2), (each) => ({ ...each, ended: { ...each.ended!, results: each.ended!.results.map((one) => (one.bundle?.folder === 'made-up-1' ? { ...one, bundle: { ...one.bundle, seal: null } } : one)) } }));
  await rewrite(shard(3), (each) => ({ ...each, ended: { ...each.ended!, results: each.ended!.results.slice(1) } }));
  const { code, err } = await merge(root);
  expect(code).toBe(4);
  expect(err).toContain('shard 1 of 3 (shards/job-1/evidence/run-1) has not come to its end');
  expect(err).toContain('has bundles that were never sealed: made-up-1');
  expect(err).toContain('has no result of made/up-00002[how=fin]');
});

test('what shard.json says is not believed where it was changed by hand', () => {
  const plan = madeUpPlan({ count: 2, perShard: 1 });
  const shard: Shard = { plan, index: 1, runtime: 'process', ended: null };
  const text = shardText(shard);
  expect(parseShard(text)).toEqual(shard);
  for (const format of [1, 3])
    expect(() => parseShard(text.replace('"format": 2', `"format": ${format}`))).toThrow(`it has format ${format}, and this hangup reads 2: merge with the hangup that made it`);
  expect(() => parseShard(text.replace('"index": 1', '"index": 2'))).toThrow('it was changed since it was written');
  expect(() => parseShard(shardText({ ...shard, plan: { ...plan, seed: 8 } }))).toThrow('its plan was changed');
  expect(() => parseShard(shardText({ ...shard, index: 3 }))).toThrow('its shards are not those of 1 to 2');
  const result = { id: plan.cells[0]!.id, attempt: 1, tookMs: 1, bundle: { folder: '../elsewhere', seal: null }, kept: null };
  const ended = { startedAt: '2026-01-02T03:04:05.000Z', tookMs: 1, exitCode: 0, results: [result], notRun: [], controls: [] };
  expect(() => parseShard(shardText({ ...shard, ended }))).toThrow('does not lie beside it');
  const empty = { ...ended, results: [{ ...result, bundle: null }] };
  expect(() => parseShard(shardText({ ...shard, ended: empty }))).toThrow('(attempt 1) says nothing');
});

test('an attempt that is not there is refused, but of what is told once, and where failures may end it', async () => {
  const root = mkdtempSync(join(tmpdir(), 'hangup-merge-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const outcomes = ['passed', 'does-not-apply', 'untestable'] as const;
  const repeated: MadeUp = { count: 1, perShard: 3, outcomeOf: (number) => outcomes[number]!, change: { repeat: 3 } };
  await writeMadeUpShard(join(root, 'all'), 1, repeated);
  const refused = await merge(root, 'all', '--output', 'merged');
  expect([refused.code, existsSync(join(root, 'merged'))]).toEqual([4, false]);
  expect(refused.err).toContain('has no result of made/up-00000[how=fin] (attempt 2), made/up-00000[how=fin] (attempt 3)');
  expect(refused.err).not.toMatch(/up-0000[12]/);
  await writeMadeUpShard(join(root, 'early'), 1, { ...repeated, change: { repeat: 3, mayEndEarly: true } });
  const early = await merge(root, 'early', '--output', 'merged');
  expect([early.code, /1 passed/.test(early.out)], early.err).toEqual([2, true]);
});

test('what a shard did not begin is told as not run, and never makes a passed run', async () => {
  const root = mkdtempSync(join(tmpdir(), 'hangup-merge-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const early: MadeUp = { count: 2, perShard: 2, notRun: [3], change: { mayEndEarly: true } };
  for (const index of [1, 2]) await writeMadeUpShard(join(root, 'shards', String(index)), index, early);
  const { code, out, err } = await merge(root, 'shards', '--output', 'merged', '--reporter', 'terminal,tap');
  expect([code, out], err).toEqual([2, expect.stringMatching(/^4 scenarios on[\s\S]*Not run: 1 run, since something else had failed on shard 2: made\/up-00003\[how=fin\]/)]);
  // What is neither there nor said to be left out is lost, also where failures may end it.
  await rewrite(join(root, 'shards', '2'), (each) => ({ ...each, ended: { ...each.ended!, notRun: [] } }));
  const lost = await merge(root, 'shards', '--output', 'again');
  expect([lost.code, lost.err]).toEqual([4, expect.stringContaining('has no result of made/up-00003[how=fin]')]);
});

test('a shard that ended worse than its bundles say makes no better run', async () => {
  const { root, shard } = copy();
  await rewrite(shard(1), (each) => ({ ...each, ended: { ...each.ended!, exitCode: 3 } }));
  expect((await merge(root)).code).toBe(1);
  await writeMadeUpShard(join(root, 'one'), 1, { count: 1, perShard: 1 });
  await rewrite(join(root, 'one'), (each) => ({ ...each, ended: { ...each.ended!, exitCode: 3 } }));
  expect((await merge(root, 'one', '--output', 'of-one')).code).toBe(3);
});

test('links to shards are followed, where they are named and below, and each shard counts once; a link in a bundle is refused', async () => {
  const { root, shard } = copy();
  mkdirSync(join(root, 'links'));
  for (const index of [1, 2]) symlinkSync(shard(index), join(root, 'links', `link-${index}`));
  symlinkSync('..', join(root, 'links', 'around'));
  symlinkSync(join(shard(3), '..'), join(root, 'third'));
  const { code, out, err } = await merge(root, 'links', 'third', 'shards', '--output', 'merged');
  expect([code, /merged from 3 shards/.test(out)], err).toEqual([1, true]);
  const log = join(shard(1), 'made-up-0', 'logs', 'router.log');
  cpSync(log, join(root, 'elsewhere.log'));
  rmSync(log);
  symlinkSync(join(root, 'elsewhere.log'), log);
  expect((await merge(root, 'links', 'third', '--output', 'again')).err).toContain('made-up-0 is not as it was sealed: logs/router.log is no plain file');
});

test('the folder of a merge lies in nothing that is merged, and files of reporters may lie in it', async () => {
  const { root, shard } = copy();
  symlinkSync('shards', join(root, 'also'));
  for (const output of ['shards/merged', 'also/merged', join(shard(1), 'merged'), 'shards']) {
    const { code, err } = await merge(root, 'shards', '--output', output);
    expect([code, err]).toEqual([4, expect.stringContaining('[output-in-input]')]);
  }
  expect(readdirSync(join(root, 'shards')).sort()).toEqual(['job-1', 'job-2', 'job-3']);
  const { code, err } = await merge(root, 'shards', '--output', 'merged', '--reporter', 'terminal,junit=merged/out/junit.xml');
  expect([code, existsSync(join(root, 'merged', 'out', 'junit.xml'))], err).toEqual([1, true]);
});

test('a result that names the bundle of another, and a shard that was cut off while it was written, are refused by name', async () => {
  const { root, shard } = copy();
  await rewrite(shard(1), (each) => {
    const [one, other, ...rest] = each.ended!.results;
    return { ...each, ended: { ...each.ended!, results: [{ ...one!, bundle: other!.bundle }, { ...other!, bundle: one!.bundle }, ...rest] } };
  });
  const text = readFileSync(join(shard(2), SHARD_FILE), 'utf8');
  writeFileSync(join(shard(2), SHARD_FILE), text.slice(0, text.length / 2));
  const { code, err } = await merge(root);
  expect(code).toBe(4);
  expect(err).toContain('made-up-3 is not as it was sealed: it is a bundle of made/up-00003[how=fin], not of made/up-00000[how=fin]');
  expect(err).toContain('job-2/evidence/run-2: shard.json cannot be relied on');
  expect(existsSync(join(root, 'merged'))).toBe(false);
});

test('where hangup had changes of its own, that nobody can compare them is said', async () => {
  const { root } = copy();
  const said = async (dirty: boolean): Promise<boolean> => {
    const change = { harness: { version: '0.1.0', commit: 'abc', dirty } };
    for (const index of [1, 2]) await writeMadeUpShard(join(root, `dirty-${dirty}`, String(index)), index, { count: 2, perShard: 1, change });
    const { code, err } = await merge(root, `dirty-${dirty}`, '--output', `merged-${dirty}`);
    expect(code, err).toBe(0);
    return err.includes('whether they were the same for every shard cannot be told');
  };
  expect([await said(true), await said(false)]).toEqual([true, false]);
});

test('shards of which nothing applies come to a whole of which nothing applies', async () => {
  const { root } = copy();
  for (const index of [1, 2]) await writeMadeUpShard(join(root, 'none', String(index)), index, { count: 2, perShard: 1, outcomeOf: () => 'does-not-apply' });
  expect((await merge(root, 'none', '--output', 'merged')).code).toBe(5);
});

test('archives are shards too, and an empty shard is one', async () => {
  const root = mkdtempSync(join(tmpdir(), 'hangup-merge-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const few: MadeUp = { count: 2, perShard: 1, change: { cells: madeUpPlan({ count: 2, perShard: 1 }).cells.filter(({ shard }) => shard === 1) } };
  for (const index of [1, 2]) await writeMadeUpShard(join(root, `shard-${index}`), index, few);
  await writeArchive(join(root, 'shard-1'), 'shard-1', join(root, 'one.zip'));
  const { code, out } = await merge(root, 'one.zip', 'shard-2', '--output', 'merged');
  expect([code, /1 scenario: 1 passed/.test(out)]).toEqual([0, true]);
});

test('a stopped shard makes a stopped run; a folder that holds anything is not merged into', async () => {
  const { root, shard } = copy();
  await rewrite(shard(2), (each) => ({ ...each, ended: { ...each.ended!, exitCode: 130 } }));
  expect((await merge(root)).code).toBe(130);
  const again = await merge(root);
  expect(again.code).toBe(4);
  expect(again.err).toContain('[output-not-empty]');
  expect(existsSync(join(root, 'merged', 'index.html'))).toBe(true);
});
