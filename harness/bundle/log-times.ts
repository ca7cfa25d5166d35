// When the lines of a log came, beside the log itself: `logs/<name>.times.tsv`. For lines that say no time of their own.
import { safeName } from './write-logs.ts';

/** `atMs`, of the run: the lines from `line` (counted from 0) on had come by then. Ascending. */
export type LineTime = { readonly line: number; readonly atMs: number };

export const TIMES_ENDING = '.times.tsv';

export const timesFile = (actor: string): string => safeName(actor) + TIMES_ENDING;

export const timesText = (times: readonly LineTime[]): string => `line\tatMs\n${times.map(({ line, atMs }) => `${line}\t${atMs}\n`).join('')}`;

/** What cannot be read is left out: it is for people, and nothing is judged by it. */
export const parseTimes = (text: string): readonly LineTime[] =>
  text.split('\n').flatMap((row) => {
    const found = /^(\d+)\t(\d+(?:\.\d+)?)$/.exec(row);
    return found ? [{ line: Number(found[1]), atMs: Number(found[2]) }] : [];
  });
