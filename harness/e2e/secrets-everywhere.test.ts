// Canaries in every place that a run writes to: none comes out of any command, in any file, in any form. The twin: what the system
// really printed holds each of them in each form, and the same search finds them there.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leaksIn, piecesIn, readableIn } from './fixtures/canaries.ts';
import { CANARIES, MODES, NOT_PRINTED, SECRETS, writeLoudScenarios } from './fixtures/loud-run.ts';
import { bundleFolders, bundlesOf, runOf, startCli, temporaryFolder } from './test-kit.ts';
import type { Finished } from './test-kit.ts';

let folder: string;
let canaries: Readonly<Record<string, string>>;
const shown: { readonly command: string; readonly finished: Finished }[] = [];
const environment = (): Record<string, string> => ({
  CI_DEPLOY_TOKEN: CANARIES['variable of the harness'],
  GITHUB_ACTIONS: 'true',
  GITHUB_STEP_SUMMARY: join(folder, 'evidence', 'summary.md'),
});
const REPORTERS = ['terminal', 'json', 'html', 'junit', 'ctrf', 'tap', 'markdown', 'github'];

const command = async (...words: readonly string[]): Promise<Finished> => {
  const finished = await startCli(words, { folder, env: environment() }).finished;
  shown.push({
    command: words
      .slice(0, 2)
      .map((word) => basename(word))
      .join(' '),
    finished,
  });
  return finished;
};

const raw = (): Buffer => readFileSync(join(folder, 'raw-loud'));

beforeAll(async () => {
  folder = temporaryFolder(true);
  mkdirSync(join(folder, 'evidence'));
  const paths = writeLoudScenarios(join(folder, 'scenarios'), MODES, (mode) => join(folder, `raw-${mode}`));
  const { output: told } = await command(
    'run',
    ...paths,
    '--runtime',
    'process',
    '--output',
    join(folder, 'evidence'),
    ...SECRETS,
    '--reporter',
    REPORTERS.join(','),
    '--var',
    `note=${CANARIES['variable of the harness']}`,
  );
  if (!existsSync(join(folder, 'raw-loud'))) throw new Error(`nothing was printed: ${told}`);
  const key = /sk-[0-9a-f]{30,}/.exec(raw().toString('latin1'))?.[0] ?? 'no key was printed';
  canaries = { ...CANARIES, 'key of an account': key };
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));

const output = (): readonly { readonly from: string; readonly bytes: Buffer }[] =>
  // The first line is the question, with the secrets in it: the test wrote it, not the command.
  shown.map(({ command: from, finished }) => ({ from, bytes: Buffer.from(finished.output.split('\n').slice(1).join('\n')) }));

describe('the twin', () => {
  test('what the system printed holds every canary, in every form', () => {
    const lines = raw().toString('utf8').split('\n');
    const readable = readableIn(raw());
    for (const [name, canary] of Object.entries(canaries)) if (!NOT_PRINTED.includes(name)) expect(readable, name).toContain(canary);
    for (const form of [
      'plain',
      'jsonThrice',
      'unicode',
      'urlTwice',
      'numbered',
      'base64Within',
      'hexUpper',
      'dump',
      'bytes',
      'sql',
      'in pieces',
    ]) {
      expect(lines.filter((line) => line.includes(` ${form} |`)).length, form).toBeGreaterThanOrEqual(6);
    }
  });

  test('the search finds each of them there', () => {
    const found = leaksIn([{ from: 'raw', bytes: raw() }], canaries);
    expect(found).toHaveLength(Object.keys(canaries).length - NOT_PRINTED.length);
  });

  test('the runs went where they were to go: through, dead at the start, refused in set-up, and by the ledger', async () => {
    const bundles = await bundlesOf(folder);
    expect([...bundles.values()].map(({ verdicts }) => verdicts!.outcome).sort()).toEqual(['error', 'error', 'error', 'failed']);
    const loud = [...bundles.values()].find(({ manifest }) => manifest.scenario.includes('loud'))!;
    expect(loud.timeline.of('response-ended').map(({ errorEvent }) => errorEvent)).toContainEqual(expect.stringContaining('bad key'));
    expect(loud.timeline.of('refund').map(({ answer }) => answer)).toContainEqual(expect.stringContaining('still reserved for'));
    const said = [...bundles.values()].flatMap(({ verdicts }) => verdicts!.problems.map(({ message }) => message)).join(' ');
    for (const told of ['no such table', 'answered 401', 'ended before it was ready']) expect(said).toContain(told);
    expect(loud.timeline.of('request-received').map(({ path }) => path)).toContainEqual(expect.stringContaining('key='));
  });
});

describe('the evidence', () => {
  test('has the logs, without what was hidden', () => {
    const log = piecesIn(join(runOf(folder)!.path, 'loud', 'logs'))
      .find(({ from }) => from === 'loud.log')!
      .bytes.toString('utf8');
    expect(log).toContain('no secret: this line must be there');
    expect(log.split('\n').length).toBeGreaterThan(100);
    expect(log.match(/\[redacted\]/g)!.length).toBeGreaterThan(100);
    const told = log.split('\n').filter((line) => line.startsWith('{"level"'));
    expect(told.length).toBeGreaterThanOrEqual(6);
    for (const line of told) expect(() => JSON.parse(line) as unknown, line).not.toThrow();
  });

  test('holds no canary, in no file, in no form', () => {
    const pieces = piecesIn(join(folder, 'evidence'));
    expect(pieces.length).toBeGreaterThan(60);
    const dump = pieces.find(({ from }) => /(?<!^the name of .*)dumps\/loud\.txt$/.test(from))!.bytes.toString('utf8');
    expect(dump).toMatch(/^dump of \[redacted\] \S*\[redacted\]\S*\n$/);
    for (const name of [
      'junit.xml',
      'ctrf-report.json',
      'results.tap',
      'results.jsonl',
      'index.html',
      'report.html',
      'report.md',
      'summary.md',
      'system.yaml',
    ]) {
      expect(
        pieces.some(({ from }) => from.endsWith(name)),
        name,
      ).toBe(true);
    }
    expect(leaksIn(pieces, canaries)).toEqual([]);
  });

  test('is judged again to the same bytes', async () => {
    for (const path of bundleFolders(folder)) expect((await command('judge', path)).output, path).toContain('byte for byte');
  }, 60_000);
});

test('what is made of it holds none: the text and the archive of an issue', async () => {
  for (const path of bundleFolders(folder)) {
    const archive = join(folder, 'evidence', `${basename(path)}.zip`);
    const { code, output: text } = await command('issue', path, '--archive', archive, '--open-in', 'github', '--repository', 'o/n');
    expect(code, text).toBe(0);
  }
  const pieces = piecesIn(join(folder, 'evidence')).filter(({ from }) => from.includes('.zip: '));
  expect(pieces.length).toBeGreaterThan(30);
  expect(leaksIn(pieces, canaries)).toEqual([]);
}, 60_000);

test('what is rendered of it again holds none: pages, a comparison, what changed between two marks', async () => {
  const made = join(folder, 'evidence', 'made');
  const [loud] = bundleFolders(folder).filter((path) => basename(path) === 'loud');
  for (const format of ['html', 'markdown', 'junit', 'json']) {
    const { code, output: text } = await command('report', runOf(folder)!.path, '--format', format, '--output', join(made, format));
    expect(code, text).toBe(0);
  }
  await command('report', loud!, '--format', 'html', '--output', '-');
  await command('compare', loud!, loud!, '--html', join(made, 'comparison.html'));
  await command('diff', loud!, 'baseline', 'end');
  expect(piecesIn(made).length).toBeGreaterThan(10);
  expect(leaksIn(piecesIn(made), canaries)).toEqual([]);
}, 60_000);

test('what is run again holds none, and is judged as before', async () => {
  const [loud] = bundleFolders(folder).filter((path) => basename(path) === 'loud');
  const again = join(folder, 'evidence', 'again');
  // The harness has a value that the evidence has not.
  const note = ['--var', `note=${CANARIES['variable of the harness']}`];
  const { output: text } = await command('rerun', loud!, '--output', again, ...SECRETS, ...note);
  expect(text).toContain('Evidence: ');
  expect(piecesIn(again).length).toBeGreaterThan(20);
  const key = /sk-[0-9a-f]{30,}/g;
  const keys = Object.fromEntries((raw().toString('latin1').match(key) ?? []).map((each, index) => [`key ${index}`, each]));
  expect(Object.keys(keys).length).toBeGreaterThan(1);
  expect(leaksIn(piecesIn(again), { ...canaries, ...keys })).toEqual([]);
}, 60_000);

test('captured packets are raw, which is said; they stay where they are, and nothing else holds a canary', async ({ skip }) => {
  const own = join(folder, 'evidence', 'packets');
  const [loud] = writeLoudScenarios(join(folder, 'scenarios'), ['loud'], (mode) => join(folder, `raw-${mode}`));
  const { output: text } = await command('run', loud!, '--runtime', 'process', '--output', own, '--pcap', ...SECRETS);
  expect(text).toContain('raw bytes, secrets included');
  const isPacket = (from: string): boolean => from.endsWith('.pcap');
  const packets = piecesIn(own).filter(({ from }) => isPacket(from) && !from.startsWith('the name of'));
  if (packets.length === 0) return skip('this machine captures no packets');
  expect(leaksIn(packets, canaries)).toContainEqual(expect.stringMatching(/value of --secret$/));
  const bundle = dirname(dirname(join(own, packets[0]!.from)));
  const archive = join(own, 'attached.zip');
  const { output: told } = await command('issue', bundle, '--archive', archive);
  expect(told).toContain('capture/stage.pcap');
  const attached = piecesIn(own).filter(({ from }) => from.startsWith('attached.zip: '));
  expect(attached.length).toBeGreaterThan(5);
  expect(attached.filter(({ from }) => isPacket(from))).toEqual([]);
  const others = piecesIn(own).filter(({ from }) => !isPacket(from));
  const keys = [...new Set(raw().toString('latin1').match(/sk-[0-9a-f]{30,}/g) ?? [])].map((key, index) => [`key ${index}`, key] as const);
  expect(leaksIn(others, { ...canaries, ...Object.fromEntries(keys) })).toEqual([]);
}, 60_000);

test('the terminal shows none: whatever was run, and what went wrong with the words', async () => {
  await command('run', `no-such-${CANARIES['value of --secret']}.yaml`, ...SECRETS);
  await command('run', '--no-such-option', `${CANARIES['second value of --secret']}`, ...SECRETS);
  await command('explain', join(folder, 'scenarios', 'loud.yaml'), '--var', `note=${CANARIES['variable of the harness']}`);
  expect(shown.length).toBeGreaterThanOrEqual(8);
  expect(output().filter(({ bytes }) => bytes.length === 0)).toEqual([]);
  expect(leaksIn(output(), canaries)).toEqual([]);
}, 60_000);
