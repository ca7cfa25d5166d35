// Where the stages of a run have their folders: below one that only its owner may enter, since it lies where all users of a machine
// write. Keys are in configurations there, and in ledgers and logs, which systems write as they like.
import { chmodSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { quoted } from '../model/shell-words.ts';
import type { StagePlan } from './runtime.ts';

type Place = Pick<StagePlan, 'runId' | 'folder'>;

/** Of all stages of a run. */
export const stagesFolder = (runId: string): string => join(tmpdir(), `hangup-stages-${runId}`);

const isBelow = ({ runId, folder }: Place): boolean => folder.startsWith(`${stagesFolder(runId)}${sep}`);

/** Only as root a system can become another user, and then must still get to what is its own. */
const mayBecomeAnother = (): boolean => process.getuid?.() === 0;

/** Makes it. What is inside is open as far as its owner's umask says. @param isCovered whether `coverFolder` lets such a system in */
export const makeStageFolder = (place: Place, isCovered = true): void => {
  if (isBelow(place)) {
    const all = stagesFolder(place.runId);
    mkdirSync(all, { recursive: true, mode: 0o700 });
    // Nobody lists it. Who knows a name in it reads what that lets him.
    if (!isCovered && mayBecomeAnother()) chmodSync(all, 0o711);
  }
  mkdirSync(place.folder, { recursive: true });
};

/**
 * A line for the shell that prepares the mounts of a stage: there the folder of all stages is another one that can be passed, and holds this stage's alone.
 * Where that is not allowed, it is passed outside, too. @returns '' where nobody would be kept out of his own
 */
export const coverFolder = (place: Place): string => {
  if (!isBelow(place) || !mayBecomeAnother()) return '';
  const [all, own] = [quoted(stagesFolder(place.runId)), quoted(place.folder)];
  const held = '/dev/shm/own-folder';
  return `{ mkdir ${held} && mount --bind ${own} ${held} && mount -t tmpfs -o mode=711 tmpfs ${all} && mkdir -p ${own} && mount --move ${held} ${own} && cd ${own}`
    + ` || { umount ${all}; umount ${held}; chmod 711 ${all}; }; rmdir ${held}; } 2>/dev/null`;
};
