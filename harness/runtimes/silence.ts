// Whether a run is as silent as its note looks. After a sleep of the machine, or when its clock is put forward, every note looks
// old until somebody has had the time to touch it: so one start writes down what it saw, and a later one looks whether it still is so.
import { readFileSync, writeFileSync } from 'node:fs';
import { nowMs } from '../model/time.ts';
import { runFileOf } from './run-files.ts';
import { BEAT_MS, placeHere } from './run-life.ts';

/** Of a machine that is awake: both owners touch their note in each beat of it, however busy they find it when they wake up. */
const WATCHED_MS = 4 * BEAT_MS;

/** When the note was touched last, and when that was seen: by a clock that stands still with the machine, and by one that all machines have. */
type Sight = { readonly touchedMs: number; readonly boot: string; readonly atMs: number; readonly wallMs: number };

/** Beside the note; removed with it. */
export const silenceFileOf = (runId: string): string => `${runFileOf(runId)}.silent`;

const readSight = (runId: string): Sight | null => {
  try {
    return JSON.parse(readFileSync(silenceFileOf(runId), 'utf8')) as Sight;
  } catch {
    return null;
  }
};

/** True where the note has not been touched since an earlier start saw it, long enough ago; else what is seen now is written down. */
export const hasStayedSilent = (runId: string, touchedMs: number): boolean => {
  const { boot } = placeHere();
  const sight = readSight(runId);
  if (sight?.touchedMs !== touchedMs) {
    const seen: Sight = { touchedMs, boot, atMs: nowMs(), wallMs: Date.now() };
    writeFileSync(silenceFileOf(runId), JSON.stringify(seen), { mode: 0o600 });
    return false;
  }
  return (sight.boot === boot ? nowMs() - sight.atMs : Date.now() - sight.wallMs) > WATCHED_MS;
};
