// Reporters beside each other: all are told the same, each has its place, and one that breaks is alone with it.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createRedactor } from '../bundle/redact.ts';
import { ProblemError } from '../model/problem.ts';
import type { CellResult } from '../plan/run-cell.ts';
import { definition as json } from '../reports/json.ts';
import { cellWith } from '../systems/fixture.ts';
import { controlOf } from '../systems/control-cell.ts';
import type { RunEnd } from '../reports/reporter.ts';
import { chooseReporters } from './choose-reporters.ts';
import { openReporters } from './run-reporters.ts';
import type { RunReporters } from './run-reporters.ts';
import { testTerminal } from './test-terminal.ts';
import type { TestTerminal } from './test-terminal.ts';

const CELL = cellWith();
const result = (outcome: CellResult['outcome'], attempt = 1, more: Partial<CellResult> = {}): CellResult => ({
  cell: CELL,
  attempt,
  folder: `e/${attempt}`,
  outcome,
  verdicts: [],
  problems: [],
  tookMs: 5,
  ...more,
});
const START = { scenarios: [CELL.id], runtime: 'process', why: 'asked for' };

const temporary = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-reporters-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

type Opened = TestTerminal & { readonly reporters: RunReporters };

const opened = (
  words: readonly string[],
  {
    repeat = 1,
    secrets = [] as readonly string[],
    ...over
  }: Record<string, unknown> & { repeat?: number; secrets?: readonly string[] } = {},
): Opened => {
  const shown = testTerminal(over);
  const redactor = createRedactor();
  secrets.forEach(redactor.register);
  return {
    ...shown,
    reporters: openReporters({ chosen: chooseReporters(words, shown.terminal.cwd), terminal: shown.terminal, redactor, repeat }),
  };
};

const lines = (text: string): readonly Record<string, unknown>[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const refused = (words: readonly string[], hasFolder = true): readonly string[] => {
  try {
    chooseReporters(words, '/', hasFolder);
  } catch (error) {
    return (error as ProblemError).problems.map(({ code, message, hint }) => `${code}: ${message} (${hint})`);
  }
  throw new Error(`${words.join(',')} was not refused`);
};

test('all that is wrong with the list is told at once, with what there is', () => {
  const [first, second, ...more] = refused(['jsno', 'terminal', 'xunit', 'terminal=x', 'junit=', 'tap=a', 'ctrf=./a']);
  expect(first).toBe(
    'unknown-reporter: there is no reporter "jsno" (did you mean `json`? there are: terminal, markdown, html, junit, ctrf, github, json, tap)',
  );
  expect(second).toContain('there is no reporter "xunit"');
  expect(more.map((each) => each.replace(/ \(.*/, ''))).toEqual([
    'bad-option: reporter terminal writes no file',
    'bad-option: --reporter junit= names no file',
    'bad-option: tap and ctrf would all write /a',
  ]);
});

test('where no bundles are kept, a reporter that does not print needs a file of its own', () => {
  expect(refused(['terminal', 'junit', 'html'], false).map((each) => each.replace(/;.*/, ''))).toEqual([
    'bad-option: reporter junit has no folder to write into',
    'bad-option: reporter html has no folder to write into',
  ]);
  expect(chooseReporters(['junit', 'tap=x', 'github'], '/', false)).toHaveLength(3);
});

test('attempts that were not needed are counted, and are no scenarios that were not run', async () => {
  const { reporters, out } = opened(['terminal']);
  reporters.begin(START);
  reporters.result(result('failed'));
  for (let attempt = 0; attempt < 297; attempt += 1) reporters.notNeeded('something has failed (--until-failure)');
  reporters.notNeeded('interrupted');
  await reporters.end(1, 10, null);
  expect(out()).toContain('\nNot begun, and not missed: 297 further attempts, since something has failed (--until-failure)\n');
  expect(out()).toContain('\nNot begun, and not missed: 1 further attempt, since interrupted\n');
  expect(out()).not.toContain('Not run:');
});

test('each is told once, also when it was asked for twice', async () => {
  const { reporters, out } = opened(['json', 'json']);
  reporters.begin(START);
  reporters.result(result('passed'));
  expect(await reporters.end(0, 10, null)).toBe(0);
  expect(lines(out()).map(({ event }) => event)).toEqual(['begin', 'result', 'end']);
  expect(lines(out()).at(1)).toMatchObject({
    scenario: 'disconnect/small',
    outcome: 'passed',
    startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect(lines(out()).at(-1)).toMatchObject({ exitCode: 0, folder: null, flaky: [], totals: { passed: 1, failed: 0 } });
});

test('the first that prints has standard output, the terminal behind it standard error, all others their files', async () => {
  const folder = temporary();
  const { reporters, out, err } = opened(['html', 'tap', 'terminal', 'junit', 'markdown', 'ctrf', 'json']);
  reporters.begin(START);
  reporters.result(result('failed'));
  expect(await reporters.end(1, 10, folder)).toBe(1);
  expect(out()).toMatch(/^TAP version 14\n/);
  expect(out()).not.toContain('hangup');
  expect(err()).toContain('1 scenario: 1 failed');
  expect(readdirSync(folder).sort()).toEqual(['ctrf-report.json', 'index.html', 'junit.xml', 'results.jsonl', 'results.tap', 'summary.md']);
  expect(readFileSync(join(folder, 'results.tap'), 'utf8')).toBe(out());
});

test('a file that was named is written there only, and what an earlier invocation left is gone from the start', async () => {
  const cwd = temporary();
  const folder = join(cwd, 'bundles');
  mkdirSync(folder);
  mkdirSync(join(cwd, 'out'));
  writeFileSync(join(cwd, 'out', 'x.xml'), 'old');
  const { reporters, out } = opened(['junit=out/x.xml', 'ctrf=new/deep/c.json', 'terminal'], { cwd });
  await reporters.prepare();
  expect(existsSync(join(cwd, 'out', 'x.xml'))).toBe(false);
  reporters.begin(START);
  expect(await reporters.end(5, 10, folder)).toBe(5);
  expect(out()).toContain('Nothing was run');
  expect(readFileSync(join(cwd, 'out', 'x.xml'), 'utf8')).toContain('<testsuites name="hangup" tests="0"');
  expect(JSON.parse(readFileSync(join(cwd, 'new', 'deep', 'c.json'), 'utf8'))).toMatchObject({ reportFormat: 'CTRF' });
  expect(readdirSync(folder)).toEqual([]);
});

test('what is no plain file is written to and not replaced', async () => {
  const cwd = temporary();
  symlinkSync('/dev/null', join(cwd, 'link'));
  const { reporters } = opened(['json=/dev/null', 'tap=link'], { cwd });
  await reporters.prepare();
  expect(await reporters.end(0, 10, null)).toBe(0);
  expect(readdirSync(cwd)).toEqual(['link']);
  expect(existsSync('/dev/null.partial')).toBe(false);
  expect(readFileSync('/dev/null', 'utf8')).toBe('');
});

test.each([
  ['a folder', 'taken'],
  ['below a file', 'file/x.xml'],
  ['where the kernel makes no folder', '/proc/hangup/x.xml'],
])('a file that cannot be written is told before anything is started: %s', async (_, path) => {
  const cwd = temporary();
  mkdirSync(join(cwd, 'taken'));
  writeFileSync(join(cwd, 'file'), '');
  const { reporters } = opened([`junit=${path}`], { cwd });
  await expect(reporters.prepare()).rejects.toMatchObject({
    problems: [{ family: 'environment', code: 'report-not-written', hint: expect.stringContaining('--reporter junit=path') }],
  });
});

test('a file that cannot be written at the end is told, an error where nothing worse was found, and the others know', async () => {
  const cwd = temporary();
  writeFileSync(join(cwd, 'file'), '');
  const run = async (code: number): Promise<readonly [number, string, unknown]> => {
    const { reporters, out, err } = opened(['json', 'junit=file/x.xml'], { cwd });
    reporters.result(result('passed'));
    const ended = await reporters.end(code, 10, null);
    return [ended, err(), lines(out()).at(-1)!.exitCode];
  };
  expect(await run(0)).toEqual([
    3,
    expect.stringMatching(/^hangup: reporter junit failed: the file of reporter junit cannot be written: .*\n$/),
    3,
  ]);
  expect(await run(2)).toEqual([3, expect.anything(), 3]);
  expect(await run(1)).toEqual([1, expect.anything(), 1]);
  expect(await run(130)).toEqual([130, expect.anything(), 130]);
});

test('no reporter is told a secret, in whatever form', async () => {
  const folder = temporary();
  const secret = 'p&ss<word>_"x"|y';
  const all = ['terminal', 'markdown', 'html', 'junit', 'ctrf', 'json', 'tap', 'github'];
  const environment = { GITHUB_STEP_SUMMARY: join(folder, 'step.md') };
  const { reporters, out, err } = opened(all, { secrets: [secret], environment });
  reporters.begin({ ...START, why: `asked for ${secret}` });
  reporters.phase(CELL, 'prepare', 1);
  const problems = [
    {
      family: 'environment',
      code: 'system-not-ready',
      message: `it said ${secret}\nauthorization: Bearer abcdefgh and`,
      hint: secret,
    } as const,
  ];
  reporters.result(result('error', 1, { problems }));
  await reporters.end(3, 10, folder);
  const texts = [out(), err(), ...readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))];
  expect(texts).toHaveLength(2 + 7);
  // Escaped for XML, Markdown or JSON it would be another text; these are left of it in each of them.
  for (const text of texts) for (const part of ['p&', 'ss&', 'word&', 'word>', 'ss\\<', 'abcdefgh']) expect(text).not.toContain(part);
  expect(texts.filter((text) => text.includes('redacted')).length).toBeGreaterThan(5);
});

test('every attempt is shown as one, and one that passed after another failed makes the scenario flaky', async () => {
  const { reporters, out } = opened(['terminal'], { repeat: 10 });
  reporters.begin(START);
  reporters.phase(CELL, 'prepare', 2);
  reporters.phase(CELL, 'prepare', 1);
  reporters.result(result('passed', 2));
  reporters.result(result('failed', 1));
  await reporters.end(1, 10, 'e');
  expect(reporters.results().map(({ outcome }) => outcome)).toEqual(['passed', 'failed']);
  expect(out()).toContain('started  disconnect/small (attempt 02 of 10)\n');
  expect(out()).toContain('failed  disconnect/small (attempt 01 of 10)  5 ms\n');
  expect(out()).toContain('\nFlaky:\n  disconnect/small: failed, passed\n');
});

test('a control is shown by the cell that it was made from, and leaves the running lines when it is over', () => {
  const { reporters, out } = opened(['terminal'], { isTerminal: true, repeat: 2 });
  const control = controlOf(CELL, 1_000);
  reporters.begin(START);
  reporters.phase(control, 'drive', 1);
  expect(out()).toContain('  drive        control of disconnect/small\n');
  const before = out().length;
  reporters.control(control);
  expect(out().slice(before)).toBe('\u001b[1A\u001b[0J');
  expect(reporters.results()).toEqual([]);
});

test('one that throws is said once, and keeps nobody from theirs', async () => {
  const { open } = json;
  const broken = (output: Parameters<typeof open>[0]): ReturnType<typeof open> => ({
    begin: () => {
      throw new Error('out of ink');
    },
    end: (end: RunEnd) => open(output).end(end),
  });
  Object.assign(json, { open: broken });
  onTestFinished(() => void Object.assign(json, { open }));
  const { reporters, out, err } = opened(['terminal', 'json']);
  reporters.begin(START);
  reporters.begin(START);
  expect(err()).toBe('hangup: reporter json failed: out of ink\n');
  expect(out()).toContain('1 scenario on runtime process: asked for');
  expect(await reporters.end(0, 1, null)).toBe(3);
});
