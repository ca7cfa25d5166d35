// How many runs side by side: `--jobs 4`, `--jobs 50%`, `--jobs auto`. Most of a run is waiting, so what is taken by
// itself is several for each processor; what they weigh limits them further (schedule.ts).
import type { RuntimeKind } from '../runtimes/runtime.ts';

/** A number; a share of what `auto` takes, as `50%`; null: auto. */
export type Jobs = number | `${number}%` | null;

/** Runs for each processor, and at most: containers cost the engine more than processes cost the kernel. */
const AUTO: Readonly<Record<RuntimeKind, { readonly each: number; readonly most: number }>> = {
  process: { each: 6, most: 96 },
  docker: { each: 3.5, most: 48 },
};

/** Reads `4`, `50%`, `auto`. @returns undefined for anything else */
export const parseJobs = (text: string): Jobs | undefined => {
  if (text === 'auto') return null;
  const [, digits = '', percent] = /^(\d{1,4})(%?)$/.exec(text) ?? [];
  const number = Number(digits);
  if (number < 1) return undefined;
  return percent === '%' ? `${number}%` : number;
};

/** How many that is where `auto` takes so many; one at least. */
export const placesOfAuto = (jobs: Jobs, auto: number): number =>
  typeof jobs === 'number' ? jobs : Math.max(1, Math.floor(jobs === null ? auto : (auto * Number.parseFloat(jobs)) / 100));

/** How many that is on a machine with so many processors. */
export const placesOf = (jobs: Jobs, runtime: RuntimeKind, processors: number): number => {
  const { each, most } = AUTO[runtime];
  return placesOfAuto(jobs, Math.min(most, Math.max(each, each * processors)));
};
