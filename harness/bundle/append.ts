// A file that only grows, written shortly after the fact: what is recorded is on its way to the disk
// within 50 ms, and a killed harness loses no more than that. Writes are asynchronous, because the
// process that records also measures its own scheduling lag.
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

const HELD_MS = 50;
const HELD_CHARACTERS = 64 * 1024;

export type Appender = {
  readonly add: (text: string) => void;
  /** Resolves when all that was added is with the kernel, or could not be written. */
  readonly flush: () => Promise<void>;
  /** Idempotent. What is added afterwards is dropped. */
  readonly close: () => Promise<void>;
};

/**
 * Creates the file; it must not exist.
 * @param onFailure told once, of the first write that failed; nothing is written to the file after it
 */
export const createAppender = async (path: string, onFailure: (error: unknown) => void): Promise<Appender> => {
  const file: FileHandle = await open(path, 'ax');
  let held: string[] = [];
  let characters = 0;
  let timer: NodeJS.Timeout | undefined;
  let hasFailed = false;
  let closing: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();

  const write = async (text: string): Promise<void> => {
    if (hasFailed) return;
    try {
      await file.appendFile(text);
    } catch (error) {
      hasFailed = true;
      onFailure(error);
    }
  };

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (held.length > 0) {
      const text = held.join('');
      held = [];
      characters = 0;
      last = last.then(() => write(text));
    }
    return last;
  };

  return {
    add: (text) => {
      if (hasFailed || closing) return;
      held.push(text);
      characters += text.length;
      if (characters >= HELD_CHARACTERS) void flush();
      else timer ??= setTimeout(() => void flush(), HELD_MS);
    },
    flush,
    close: () => (closing ??= flush().then(() => file.close())),
  };
};
