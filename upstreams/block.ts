// A run of data events in one buffer, for an upstream that writes as fast as it can. The events are
// alike but for their numbers, so a block is laid out once and only digits are written anew.
// It may be filled again only when the kernel has taken it: the interpreter has one write at a time.
import { chunkText } from './http/answer.ts';
import type { EventParts } from './shapes/shape.ts';

export const BLOCK_BYTES = 64 * 1024;

/** A number within an event: where it stands in a frame, how long it is, how far from the event's own number. */
type Slot = { readonly at: number; readonly digits: number; readonly offset: number };

export type Block = {
  readonly buffer: Buffer;
  /** Bytes of one event, with its chunk framing and without. */
  readonly frameBytes: number;
  readonly eventBytes: number;
  readonly slots: readonly Slot[];
  readonly capacity: number;
};

const digitsOf = (number: number): number => String(number).length;

const layOut = (parts: EventParts, first: number, chunked: boolean): Block => {
  let event = '';
  const slots: Slot[] = [];
  for (const part of parts) {
    if (typeof part === 'number') slots.push({ at: event.length, digits: digitsOf(first + part), offset: part });
    event += typeof part === 'number' ? '0'.repeat(digitsOf(first + part)) : part;
  }
  const frame = chunked ? chunkText(event) : event;
  const begin = frame.indexOf(event);
  const capacity = Math.max(1, Math.floor(BLOCK_BYTES / frame.length));
  const buffer = Buffer.allocUnsafeSlow(capacity * frame.length).fill(frame, 'latin1');
  return {
    buffer,
    frameBytes: frame.length,
    eventBytes: event.length,
    slots: slots.map((slot) => ({ ...slot, at: begin + slot.at })),
    capacity,
  };
};

/** The block for events from number `first` on: the given one where its numbers are as long as theirs. */
export const blockFor = (block: Block | null, parts: () => EventParts, first: number, chunked: boolean): Block =>
  block?.slots.every(({ digits, offset }) => digits === digitsOf(first + offset)) ? block : layOut(parts(), first, chunked);

/** How many events from `first` on fit: the block's size, and numbers of equal length. */
export const roomIn = (block: Block, first: number): number =>
  block.slots.reduce((room, { digits, offset }) => Math.min(room, 10 ** digits - first - offset), block.capacity);

const writeNumber = (buffer: Buffer, end: number, digits: number, value: number): void => {
  let number = value;
  for (let at = end, left = digits; left > 0; left -= 1, at -= 1) {
    const rest = Math.floor(number / 10);
    buffer[at] = 48 + (number - rest * 10);
    number = rest;
  }
};

/** Writes the numbers of events `first`, `first + 1`, ... and returns the bytes of `count` events. */
export const fillBlock = (block: Block, first: number, count: number): Buffer => {
  const { buffer, frameBytes, slots } = block;
  for (const { at, digits, offset } of slots) {
    const end = at + digits - 1;
    for (let index = 0; index < count; index += 1) writeNumber(buffer, index * frameBytes + end, digits, first + offset + index);
  }
  return buffer.subarray(0, count * frameBytes);
};
