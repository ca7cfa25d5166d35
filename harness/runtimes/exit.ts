// How the end of a process is written down, the same on both runtimes: a container's engine knows
// only a number, where a plain process also names its signal.
import { constants } from 'node:os';

export type Exit = { readonly code: number | null; readonly signal: string | null };

const NUMBERS = constants.signals as Readonly<Record<string, number>>;

/**
 * Death by signal 15 and exit 143 become one value, `{ code: 143, signal: 'SIGTERM' }`: shells and inits
 * report a child that died by signal n as 128 + n.
 */
export const exitOf = (code: number | null, signal: string | null): Exit => {
  if (signal !== null) return { code: 128 + (NUMBERS[signal] ?? 0), signal };
  if (code === null || code <= 128) return { code, signal: null };
  const name = Object.keys(NUMBERS).find((key) => NUMBERS[key] === code - 128);
  return { code, signal: name ?? null };
};
