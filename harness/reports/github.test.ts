// Workflow commands as the runner reads them, and a step summary that it does not throw away.
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { endOf, HOSTILE, HOSTILE_SET, play, runOf, SET } from './fixtures/set.ts';
import { annotationsOf, definition, workflowCommand } from './github.ts';
import type { RunEnd } from './reporter.ts';
import type { ScenarioSummary } from './summary.ts';

const PLACE = { cwd: '/repo', environment: {} };

const run = async (end: RunEnd, environment: Readonly<Record<string, string>> = {}): Promise<readonly string[]> => {
  let text = '';
  const output = { write: (more: string) => void (text += more), isTerminal: false, columns: 80, hasColour: false };
  await play(definition.open(output, { ...PLACE, environment }), end);
  expect(text.endsWith('\n')).toBe(true);
  return text.trimEnd().split('\n');
};

const many = (count: number, outcome: 'failed' | 'inconclusive'): readonly ScenarioSummary[] =>
  Array.from({ length: count }, (_, index) =>
    runOf(`many/${outcome}-${String(index).padStart(4, '0')}`, { outcome, claims: { a: outcome === 'failed' ? 'violated' : outcome } }),
  );

it('stops commands while systems may be heard, and lets them go on with a word that nobody can guess', async () => {
  const [first, second] = await run(endOf([]));
  const token = /^::stop-commands::([0-9a-f-]{36})$/.exec(first!)?.[1];
  expect(second).toBe(`::${token}::`);
  expect((await run(endOf([])))[0]).not.toBe(first);
});

it('has one line for each, whatever is in it, and nothing that ends a property or begins another command', async () => {
  const lines = (await run(endOf(HOSTILE_SET))).slice(2);
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line).toMatch(/^::(error|notice) (file=[^:,]*,)?title=[^:,]*::/);
  expect(workflowCommand({ level: 'error', file: 'a:b,c%', title: 't\n,', message: '100 %\r\nfrom: a, b' })).toBe(
    '::error file=a%3Ab%2Cc%25,title=t%0A%2C::100 %25%0D%0Afrom: a, b\n',
  );
});

it('names the file from the root of the repository, if it lies in it', () => {
  const fileOf = (file: string, environment = {}): string | null =>
    annotationsOf(endOf([runOf('a', { outcome: 'failed', claims: { x: 'violated' }, file })]), { cwd: '/repo/sub', environment })[0]!.file;
  expect(fileOf('scenarios/a.yaml')).toBe('scenarios/a.yaml');
  expect(fileOf('scenarios/a.yaml', { GITHUB_WORKSPACE: '/repo' })).toBe('sub/scenarios/a.yaml');
  expect(fileOf('../a.yaml', { GITHUB_WORKSPACE: '/repo' })).toBe('a.yaml');
  expect(fileOf('../../a.yaml', { GITHUB_WORKSPACE: '/repo' })).toBe(null);
  expect(fileOf(`a${HOSTILE}`)).toBe(null);
});

it('shows ten of each level at most; beyond that the tenth counts the others', () => {
  const shown = (count: number): readonly string[] =>
    annotationsOf(endOf([...many(count, 'failed'), ...many(3, 'inconclusive')]), PLACE).map(({ level, title }) => `${level} ${title}`);
  expect(shown(10)).toHaveLength(13);
  expect(shown(10)[9]).toBe('error many/failed-0009: failed');
  expect(shown(11)).toHaveLength(13);
  expect(shown(11).slice(8, 10)).toEqual(['error many/failed-0008: failed', 'error hangup: and 2 more']);
  expect(shown(500)[9]).toBe('error hangup: and 491 more');
  expect(shown(500)[10]).toBe('warning many/inconclusive-0000: inconclusive');
});

it('sends nobody to a step summary that there is not', () => {
  const said = (environment: Readonly<Record<string, string>>, folder: string | null): string =>
    annotationsOf({ ...endOf(many(11, 'failed')), folder }, { cwd: '/repo', environment })[9]!.message;
  expect(said({}, null)).toBe('and 2 more');
  expect(said({}, '/repo/evidence/r1')).toBe('and 2 more: see evidence/r1');
  expect(said({ GITHUB_STEP_SUMMARY: '/tmp/s' }, '/repo/evidence/r1')).toBe('and 2 more: see the step summary and evidence/r1');
});

it('is an error for the system and the harness, a warning where nothing could be said, a notice for known and fixed', () => {
  const levels = annotationsOf(endOf(SET), PLACE).map(({ level, title }) => `${level} ${title}`);
  expect(levels).toEqual([
    'error disconnect/endless[how=fin]: failed',
    'error drain/always: failed',
    'error drain/flaky: failed',
    'error judges/wrongly: failed',
    'error start/broken: error',
    'error start/slow: error',
    'warning drain/unclear: inconclusive',
    'notice disconnect/finite: fixed',
    'notice disconnect/silent: known',
  ]);
});

const summaryFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-github-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'summary.md');
};

it('appends a page to the step summary', async () => {
  const path = summaryFile();
  appendFileSync(path, 'of another tool\n');
  await run(endOf(SET), { GITHUB_STEP_SUMMARY: path });
  const text = readFileSync(path, 'utf8');
  expect(text).toMatch(/^of another tool\n# hangup\n/);
  expect(text).toContain('Run on reference-router with seed-main; reference-router, runtime process.');
  expect(text).toContain('| disconnect/endless\\[how=fin\\] | reference-router with seed-main | **failed** | 1 | 2 | 1 | 1 | 3.6 s |');
  expect(text).toContain('- violated `renewal-stopped`: renewing: the lease of reservation 7 moved 2 times after the leave');
  expect(text).not.toContain('left out');
});

it.each([
  ['empty', 0],
  ['nearly full', 1024 * 1024 - 2_000],
  ['full', 1024 * 1024 - 10],
])('keeps a summary that was %s below 1 MiB, and says what was left out', async (_, before) => {
  const path = summaryFile();
  appendFileSync(path, 'x'.repeat(before));
  const long = Array.from({ length: 4_000 }, (__, index) =>
    runOf(`many/${index}`, { outcome: 'failed', claims: { a: 'violated', b: 'violated', c: 'does-not-apply' }, reason: '\ud83d\ude00|'.repeat(150) }),
  );
  const last = (await run(endOf(long), { GITHUB_STEP_SUMMARY: path })).at(-1);
  if (before > 1024 * 1024 - 100) expect(last).toMatch(/^::warning title=hangup%3A no step summary::/);
  else expect(last).toMatch(/^::error /);
  const { size } = statSync(path);
  expect(size).toBeLessThan(1024 * 1024);
  if (before > 0 && before < 1024 * 1024 - 100) expect(readFileSync(path, 'utf8')).toContain('"Does not apply" is left out here');
  if (before < 1024 * 1024 - 100) expect(readFileSync(path, 'utf8').slice(-2_000)).toMatch(/And \d+ more runs, left out here/);
  if (before === 0) expect(size).toBeGreaterThan(900_000);
});

it('fails where the summary cannot be written, after its commands', async () => {
  await expect(run(endOf(SET), { GITHUB_STEP_SUMMARY: '/proc/nowhere/summary' })).rejects.toThrow('ENOENT');
});
