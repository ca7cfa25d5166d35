// A file that only grows, written shortly after the fact: what is recorded is on its way to the disk
// within 50 ms, and a killed harness loses no more than that. Writes are asynchronous, because the
// process that records also measures its own scheduling lag; what waits for a slow disk is bounded.
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

const HELD_MS = 50;
const HELD_CHARACTERS = 64 * 1024;
/** A disk that is so far behind will not catch up soon, and memory must last for the run. */
const MAXIMUM_WAITING = 16 * 1024 * 1024;

export type Appender = {
  /** False: not taken, because too much waits for the disk already; taken again when half of it is written. */
  readonly add: (text: string) => boolean;
  /** Resolves when all that was taken is with the kernel, or could not be written. */
  readonly flush: () => Promise<void>;
  /** Idempotent. What is added afterwards is dropped. */
  readonly close: () => Promise<void>;
};

/**
 * Opens the file for adding to it, and creates it where there is none.
 * @param onFailure told once, of the first write that failed; nothing is written to the file after it
 * @param maximumWaiting characters that may wait for the disk
 */
export const createAppender = async (
  path: string,
  onFailure: (error: unknown) => void,
  maximumWaiting = MAXIMUM_WAITING,
): Promise<Appender> => {
  const file: FileHandle = await open(path, 'a');
  let held: string[] = [];
  let heldCharacters = 0;
  let writtenCharacters = 0;
  let timer: NodeJS.Timeout | undefined;
  let hasFailed = false;
  let isFull = false;
  let closing: Promise<void> | undefined;
  let current: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  /** One write for all that has come meanwhile. */
  const write = async (): Promise<void> => {
    next = undefined;
    const text = held.join('');
    writtenCharacters = heldCharacters;
    held = [];
    heldCharacters = 0;
    try {
      if (!hasFailed) await file.appendFile(text);
    } catch (error) {
      hasFailed = true;
      onFailure(error);
    }
    writtenCharacters = 0;
  };

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (held.length > 0) next ??= current = current.then(write);
    return current;
  };

  return {
    add: (text) => {
      if (hasFailed || closing) return true;
      const waiting = heldCharacters + writtenCharacters + text.length;
      isFull = waiting > (isFull ? maximumWaiting / 2 : maximumWaiting);
      if (isFull) return false;
      held.push(text);
      heldCharacters += text.length;
      if (heldCharacters >= HELD_CHARACTERS) void flush();
      else timer ??= setTimeout(() => void flush(), HELD_MS);
      return true;
    },
    flush,
    close: () => (closing ??= flush().then(() => file.close())),
  };
};
