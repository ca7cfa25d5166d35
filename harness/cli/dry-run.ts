// `hangup run --dry-run`: what would be run, in its order, with the times that the seed gives it.
import { formatMs } from '../model/time.ts';
import { oneLine, plural } from '../reports/text.ts';
import type { Cell } from '../systems/cell.ts';
import { drawCell } from '../systems/draw.ts';
import type { RunOptions } from './run-options.ts';

/** Of more attempts only the first are written out. */
const MOST_SHOWN = 5;

export type DryRun = {
  /** In the order in which they would begin. */
  readonly cells: readonly Cell[];
  readonly runtime: string;
  readonly why: string;
  readonly seed: number;
};

type Wish = Pick<RunOptions, 'repeat' | 'shuffle' | 'untilFailure' | 'maxFailures'>;

/** Claims that apply on one line; those that do not by their reason, one line each. */
const claimLines = ({ claims }: Cell): readonly string[] =>
  [...Map.groupBy(claims, ({ notApplicable }) => notApplicable)]
    .sort(([a], [b]) => Number(a !== null) - Number(b !== null))
    .map(([reason, all]) => `${all.map(({ id }) => id).join(', ')}${reason === null ? '' : `: does not apply, ${reason}`}`);

const timesOf = (cell: Cell, seed: number, attempt: number): string | null => {
  const { drawn } = drawCell(cell, seed, attempt);
  return drawn === undefined ? null : Object.entries(drawn.times).map(([place, ms]) => `${place} ${formatMs(ms)}`).join(', ');
};

const timeLines = (cell: Cell, seed: number, repeat: number): readonly string[] => {
  const attempts = Array.from({ length: Math.min(repeat, MOST_SHOWN) }, (_, index) => index + 1);
  const lines = attempts.flatMap((attempt) => {
    const times = timesOf(cell, seed, attempt);
    return times === null ? [] : [`times${repeat === 1 ? '' : ` of attempt ${attempt}`}: ${times}`];
  });
  return lines.length === 0 || repeat <= MOST_SHOWN ? lines : [...lines, `and so on, ${repeat - MOST_SHOWN} more`];
};

const cellText = (cell: Cell, seed: number, repeat: number): string => {
  const planted = cell.defects.length > 0 ? `, with ${cell.defects.join(', ')}` : '';
  const lines = [...timeLines(cell, seed, repeat), ...claimLines(cell)].map((line) => `  ${line}`);
  const version = cell.card.version === null ? '' : ` ${cell.card.version}`;
  return [cell.id, `  on ${cell.card.system}${version}, runtime ${cell.runtime}${planted}`, ...lines, ''].join('\n');
};

/** What bounds the attempts, in words. */
const attemptsText = ({ repeat, untilFailure, maxFailures }: Wish): string => {
  const often = repeat === 1 ? '' : untilFailure ? `, until something fails, at most ${repeat} times` : `, ${repeat} times each`;
  return `${often}${maxFailures === null ? '' : `, until ${plural(maxFailures, 'run')} failed`}`;
};

/** What holds for all of them: for standard error, so that standard output is the list alone. */
export const dryRunHead = ({ cells, runtime, why, seed }: DryRun, wish: Wish): string => {
  const order = wish.shuffle ? 'in the order that it gives' : 'in the order of the files';
  return [
    `${plural(cells.length, 'scenario')} would be run on runtime ${runtime}: ${oneLine(why)}`,
    `seed ${seed}, ${order}${attemptsText(wish)}`,
    '',
  ].join('\n');
};

/** Each cell with its times and claims; what is not indented is an id. */
export const dryRunText = ({ cells, seed }: DryRun, { repeat }: Wish): string => cells.map((cell) => cellText(cell, seed, repeat)).join('');
