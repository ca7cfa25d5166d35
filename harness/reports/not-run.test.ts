// What was not begun any more is in every report: by name, with the reason, and counted with the rest.
import { expect, it, test } from 'vitest';
import { endOf, SET } from './fixtures/set.ts';
import { notRunLines } from './not-run.ts';
import type { RunEnd } from './reporter.ts';
import { reporters } from './registry.ts';
import { renderJunit } from './junit.ts';

const WHY = '2 runs had failed (--max-failures 2)';
const NOT_RUN = ['pool/idle', 'pool/busy[how=fin]'].map((scenario) => ({ scenario, why: WHY }));
const END: RunEnd = { ...endOf(SET), notRun: NOT_RUN };

const textOf = async (kind: string, end: RunEnd): Promise<string> => {
  let written = '';
  const output = { write: (text: string) => void (written += text), isTerminal: false, columns: 100, hasColour: false };
  const reporter = reporters.get(kind)!.open(output, { cwd: '/', environment: {} });
  reporter.begin?.({ scenarios: [], runtime: 'process', why: 'asked for', seed: 4_711 });
  await reporter.end(end);
  return written;
};

it.each(reporters.kinds)('%s names what was not run, and why; and nothing of the kind where all was', async (kind) => {
  const text = await textOf(kind, END);
  for (const part of ['pool/idle', '--max-failures 2']) expect(text.replaceAll('\\-', '-')).toContain(part);
  expect(await textOf(kind, endOf(SET))).not.toMatch(/not.run/i);
});

test('many are counted, few are named', () => {
  const notRun = Array.from({ length: 7 }, (_, index) => ({ scenario: `s/${index}`, why: WHY }));
  expect(notRunLines({ notRun })).toEqual([`Not run: 7 runs, since ${WHY}: s/0, s/1, s/2, s/3, s/4 and 2 more`]);
  expect(notRunLines({})).toEqual([]);
});

test('formats that count tests count them as skipped or pending, and as nothing that went wrong', async () => {
  const [before, after] = await Promise.all([renderJunit(endOf(SET)), renderJunit(END)]);
  const numberOf = (text: string, name: string): number => Number(new RegExp(`<testsuites[^>]* ${name}="(\\d+)"`).exec(text)![1]);
  for (const [name, more] of [['tests', 2], ['skipped', 2], ['failures', 0], ['errors', 0]] as const)
    expect(numberOf(after, name) - numberOf(before, name), name).toBe(more);
  const { results } = JSON.parse(await textOf('ctrf', END)) as { results: { summary: Record<string, number>; tests: { status: string }[] } };
  expect(results.summary.pending).toBe(2);
  expect(results.summary.tests).toBe(results.tests.length);
  expect(results.tests.filter(({ status }) => status === 'pending')).toHaveLength(2);
});

test('a plan of TAP counts each, skipped with its reason', async () => {
  const lines = (await textOf('tap', END)).split('\n');
  const points = lines.filter((line) => /^(not )?ok \d/.test(line));
  expect(lines).toContain(`1..${points.length}`);
  expect(points.at(-1)).toBe(`ok ${points.length} - pool/busy[how=fin] # SKIP not run: ${WHY}`);
});

test('the first line for people says the seed, and the one for programs has it', async () => {
  expect((await textOf('terminal', END)).split('\n')[0]).toBe('0 scenarios on runtime process, seed 4711: asked for');
  expect(JSON.parse((await textOf('json', END)).split('\n')[0]!)).toMatchObject({ event: 'begin', seed: 4_711 });
});
