// Whether anybody of a run that is noted down still lives: the harness or its guard. Numbers of processes say that only to
// who has the same ones, so a note says where they were given; from elsewhere it is only seen whether somebody still touches it.
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { isAlive, startTimeOf } from './processes.ts';

/** With its start time a pid names one process for good. */
export type Named = { readonly pid: number; readonly startTime: string | null };

/** Where pids were given: a namespace of them, within one boot of one machine. */
export type Place = { readonly machine: string; readonly boot: string; readonly pids: string };

export type Owners = Named & { readonly harness?: Named; readonly place?: Place };

/** How often harness and guard touch their note. */
export const BEAT_MS = 30_000;
/** So long that no machine is so busy, and no process stopped by mistake for so long, that both had kept silent. */
const SILENT_MS = 15 * 60_000;

const orNothing = (read: () => string): string => {
  try {
    return read().trim();
  } catch {
    return '';
  }
};

export const placeHere = (): Place => ({
  machine: hostname(),
  boot: orNothing(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1')),
  pids: orNothing(() => readlinkSync('/proc/self/ns/pid')),
});

export const namedBy = (pid: number): Named => ({ pid, startTime: startTimeOf(pid) });

const answersSignals = (pid: number): boolean => {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

/** Where there is no /proc, whoever has the pid now is taken for its owner: better one note too many than a live run swept. */
const lives = ({ pid, startTime }: Named): boolean =>
  existsSync('/proc/self/stat') ? isAlive(pid) && startTimeOf(pid) === startTime : answersSignals(pid);

/** `silent`: nobody can be looked at, and the note has been left alone for long by the wall clock. */
export type Life = 'lives' | 'dead' | 'silent';

/**
 * Dead: harness and guard are both gone. Of another boot of this machine everything is; of another machine, or of pids that are
 * not ours (containers that share a folder), nobody can be looked at: there the note must have been left alone for long.
 * @param touchedMs when the note was last touched, of the wall clock
 */
export const lifeOf = (owners: Owners, touchedMs: number, here: Place = placeHere()): Life => {
  const { place, harness } = owners;
  if (place === undefined || (place.boot === here.boot && place.pids === here.pids)) return [owners, harness].some((one) => one && lives(one)) ? 'lives' : 'dead';
  if (place.machine === here.machine && place.boot !== here.boot) return 'dead';
  return Date.now() - touchedMs > SILENT_MS ? 'silent' : 'lives';
};
