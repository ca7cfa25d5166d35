// Bytes that have arrived and are not yet understood. Grows by doubling, so that a peer which sends
// one byte at a time costs no more than one which sends all at once; empty, it holds no memory.

const EMPTY = Buffer.alloc(0);
const SMALLEST = 1024;

export type Inbox = { buffer: Buffer; start: number; end: number; owned: boolean };

export const createInbox = (): Inbox => ({ buffer: EMPTY, start: 0, end: 0, owned: false });

export const sizeOf = (inbox: Inbox): number => inbox.end - inbox.start;

/** Adds bytes. A chunk that arrives while nothing waits is kept as it is, without a copy. */
export const append = (inbox: Inbox, chunk: Buffer): void => {
  const size = sizeOf(inbox);
  if (size === 0) {
    inbox.buffer = chunk;
    inbox.start = 0;
    inbox.end = chunk.length;
    inbox.owned = false;
    return;
  }
  if (!inbox.owned || inbox.end + chunk.length > inbox.buffer.length) {
    const grown = Buffer.allocUnsafeSlow(Math.max(SMALLEST, 2 * (size + chunk.length)));
    inbox.buffer.copy(grown, 0, inbox.start, inbox.end);
    inbox.buffer = grown;
    inbox.start = 0;
    inbox.end = size;
    inbox.owned = true;
  }
  chunk.copy(inbox.buffer, inbox.end);
  inbox.end += chunk.length;
};

/** Removes the first `count` bytes and returns a view of them, good until the next `append`. */
export const take = (inbox: Inbox, count: number): Buffer => {
  const taken = inbox.buffer.subarray(inbox.start, inbox.start + count);
  inbox.start += count;
  if (inbox.start === inbox.end) {
    inbox.buffer = EMPTY;
    inbox.start = 0;
    inbox.end = 0;
    inbox.owned = false;
  }
  return taken;
};

/** Where `what` begins, counted from the first waiting byte; -1 where it does not stand. */
export const find = (inbox: Inbox, what: string, from = 0): number =>
  inbox.buffer.subarray(inbox.start, inbox.end).indexOf(what, from, 'latin1');

/** Whether the next two bytes are CR LF. */
export const startsWithLineEnd = (inbox: Inbox): boolean =>
  sizeOf(inbox) >= 2 && inbox.buffer[inbox.start] === 13 && inbox.buffer[inbox.start + 1] === 10;
