// Every format of reports, from the same sets of runs, against files that a person has looked at.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { endOf, HOSTILE_SET, play, SET } from './fixtures/set.ts';
import { reporters } from './registry.ts';
import type { ReportOutput, RunEnd } from './reporter.ts';

const SETS: readonly (readonly [string, RunEnd])[] = [
  ['set', endOf(SET)],
  ['strict', endOf(SET.slice(2, 4), { start: { scenarios: [], runtime: 'docker', why: 'asked for', strict: true } })],
  ['empty', endOf([], { exitCode: 5, folder: null })],
  ['interrupted', endOf([{ ...SET[0]!, outcome: 'interrupted', beyondKnown: 'interrupted', rows: [] }], { exitCode: 130 })],
  ['hostile', endOf(HOSTILE_SET)],
];
/** The page of a browser has tests of its own. */
const KINDS = reporters.kinds.filter((kind) => kind !== 'html');
const PLACE = { cwd: '/home/me/project', environment: {} };

const textOf = async (kind: string, end: RunEnd): Promise<string> => {
  let text = '';
  const output: ReportOutput = { write: (more) => void (text += more), isTerminal: false, columns: 100, hasColour: false };
  await play(reporters.get(kind)!.open(output, PLACE), end);
  return text;
};

/** What differs from machine to machine, and from call to call. */
const stable = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<token>')
    .replace(/"osPlatform": ".*?"/, '"osPlatform": "<platform>"')
    .replace(/"osRelease": ".*?"/, '"osRelease": "<release>"');

it.each(KINDS.flatMap((kind) => SETS.map(([name, end]) => [kind, name, end] as const)))('%s of the set "%s"', async (kind, name, end) => {
  const text = stable(await textOf(kind, end));
  await expect(text).toMatchFileSnapshot(join(import.meta.dirname, 'golden', 'formats', `${name}.${kind}.txt`));
  // Nothing moves a cursor, turns the text, or is half a character, in whatever format.
  expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  expect(text.isWellFormed()).toBe(true);
});
