// A block is byte for byte what single events would have been.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { blockFor, fillBlock, roomIn } from './block.ts';
import type { Block } from './block.ts';
import { chunkText } from './http/answer.ts';
import type { EventParts } from './shapes/shape.ts';
import { renderEvent } from './shapes/text.ts';

const PARTS = ['data: {"n":', 0, '}\n\n'] as const;
/** Numbers of different lengths: 9 events after the first, one of the two gets longer, not the other. */
const TWO = ['data: {"seq":', 3, ',"n":', 0, '}\n\n'] as const;
const single = (parts: EventParts, number: number, chunked: boolean): string => {
  const event = renderEvent(parts, number);
  return chunked ? chunkText(event) : event;
};

const CASES = [['one number', PARTS], ['two', TWO]] as const;

it.each(CASES)('equals the events one by one, whatever the counts, over every change of length: %s', (_what, parts) => {
  const counted = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 8 });
  fc.assert(fc.property(fc.integer({ min: 1, max: 1_200 }), counted, fc.boolean(), (first, counts, chunked) => {
    let number = first;
    let block: Block | null = null;
    for (const wanted of counts) {
      block = blockFor(block, () => parts, number, chunked);
      const count = Math.min(wanted, roomIn(block, number));
      const expected = Array.from({ length: count }, (_, index) => single(parts, number + index, chunked)).join('');
      expect(fillBlock(block, number, count).toString('latin1')).toBe(expected);
      number += count;
    }
  }));
});

it('keeps its buffer while the numbers stay as long', () => {
  const block = blockFor(null, () => PARTS, 10, true);
  expect(blockFor(block, () => PARTS, 99, true)).toBe(block);
  expect(blockFor(block, () => PARTS, 100, true)).not.toBe(block);
  const two = blockFor(null, () => TWO, 6, true);
  expect(roomIn(two, 6)).toBe(1);
  expect(blockFor(two, () => TWO, 7, true)).not.toBe(two);
});

it('holds one event where the event is larger than a block', () => {
  const block = blockFor(null, () => ['x'.repeat(200_000), 0, ''], 1, true);
  expect(block.capacity).toBe(1);
  expect(fillBlock(block, 1, 1)).toHaveLength(block.frameBytes);
});
