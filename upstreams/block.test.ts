// A block is byte for byte what single events would have been.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { blockFor, fillBlock, roomIn } from './block.ts';
import type { Block } from './block.ts';
import { chunkText } from './http/answer.ts';

const PARTS = ['data: {"n":', '}\n\n'] as const;
const single = (number: number, chunked: boolean): string => {
  const event = PARTS[0] + number + PARTS[1];
  return chunked ? chunkText(event) : event;
};

it('equals the events one by one, whatever the counts, over every change of length', () => {
  const counted = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 8 });
  fc.assert(fc.property(fc.integer({ min: 1, max: 1_200 }), counted, fc.boolean(), (first, counts, chunked) => {
    let number = first;
    let block: Block | null = null;
    for (const wanted of counts) {
      block = blockFor(block, () => PARTS, number, chunked);
      const count = Math.min(wanted, roomIn(block, number));
      const expected = Array.from({ length: count }, (_, index) => single(number + index, chunked)).join('');
      expect(fillBlock(block, number, count).toString('latin1')).toBe(expected);
      number += count;
    }
  }));
});

it('keeps its buffer while the numbers stay as long', () => {
  const block = blockFor(null, () => PARTS, 10, true);
  expect(blockFor(block, () => PARTS, 99, true)).toBe(block);
  expect(blockFor(block, () => PARTS, 100, true)).not.toBe(block);
});

it('holds one event where the event is larger than a block', () => {
  const block = blockFor(null, () => ['x'.repeat(200_000), ''], 1, true);
  expect(block.capacity).toBe(1);
  expect(fillBlock(block, 1, 1)).toHaveLength(block.frameBytes);
});
