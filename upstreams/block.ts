// A run of data events in one buffer, for an upstream that writes as fast as it can. The events are
// alike but for their number, so a block is laid out once and only its digits are written anew.
// It may be filled again only when the kernel has taken it: the interpreter has one write at a time.
import { chunkText } from './http/answer.ts';

export const BLOCK_BYTES = 64 * 1024;

export type Block = {
  readonly buffer: Buffer;
  /** Bytes of one event, with its chunk framing and without. */
  readonly frameBytes: number;
  readonly eventBytes: number;
  readonly digits: number;
  /** Where the number stands in a frame. */
  readonly digitsAt: number;
  readonly capacity: number;
};

const layOut = ([before, after]: readonly [string, string], digits: number, chunked: boolean): Block => {
  const event = before + '0'.repeat(digits) + after;
  const frame = chunked ? chunkText(event) : event;
  const capacity = Math.max(1, Math.floor(BLOCK_BYTES / frame.length));
  const buffer = Buffer.allocUnsafeSlow(capacity * frame.length).fill(frame, 'latin1');
  return {
    buffer,
    frameBytes: frame.length,
    eventBytes: event.length,
    digits,
    digitsAt: frame.indexOf(event) + before.length,
    capacity,
  };
};

/** The block for events from number `first` on: the given one where the number is as long as its numbers. */
export const blockFor = (block: Block | null, parts: () => readonly [string, string], first: number, chunked: boolean): Block => {
  const digits = String(first).length;
  return block?.digits === digits ? block : layOut(parts(), digits, chunked);
};

/** How many events from `first` on fit: the block's size, and numbers of equal length. */
export const roomIn = (block: Block, first: number): number => Math.min(block.capacity, 10 ** block.digits - first);

/** Writes the numbers `first`, `first + 1`, ... and returns the bytes of `count` events. */
export const fillBlock = (block: Block, first: number, count: number): Buffer => {
  const { buffer, frameBytes, digits, digitsAt } = block;
  for (let index = 0; index < count; index += 1) {
    let number = first + index;
    for (let at = index * frameBytes + digitsAt + digits - 1, left = digits; left > 0; left -= 1, at -= 1) {
      const rest = Math.floor(number / 10);
      buffer[at] = 48 + (number - rest * 10);
      number = rest;
    }
  }
  return buffer.subarray(0, count * frameBytes);
};
