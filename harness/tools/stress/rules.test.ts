// What is wrong under stress, and what is only nothing said; and an order that its seed repeats.
import { expect, test } from 'vitest';
import { resultOf } from '../matrix/result-fixture.ts';
import { heldOtherwise, wrongVerdicts } from './rules.ts';
import { shuffled } from './shuffle.ts';

test('clean: violated is wrong, inconclusive is not', () => {
  expect(wrongVerdicts(resultOf({ said: { closed: 'violated', money: 'inconclusive' } }), null)).toEqual([
    'clean, disconnect/row: closed is violated: because of closed',
  ]);
  expect(wrongVerdicts(resultOf({ said: { closed: 'inconclusive', money: 'held' } }), null)).toEqual([]);
});

test('planted: a named claim that is held is wrong; violated or inconclusive is not', () => {
  expect(wrongVerdicts(resultOf({ said: { closed: 'held' } }), 'leak')).toEqual(['leak, disconnect/row: closed is held']);
  expect(wrongVerdicts(resultOf({ said: { closed: 'inconclusive', money: 'held' } }), 'leak')).toEqual([]);
  expect(wrongVerdicts(resultOf({ said: { closed: 'violated' } }), 'leak')).toEqual([]);
});

test('idle: exactly the listed claims are held', () => {
  const result = resultOf({ said: { closed: 'held', money: 'inconclusive', extra: 'held' } });
  expect(heldOtherwise(result, { 'disconnect/row': ['closed', 'money'] })).toEqual([
    'disconnect/row: money was not held',
    'disconnect/row: extra was held, and is not in the list',
  ]);
});

test('an order is repeated by its seed, another one by another', () => {
  const items = Array.from({ length: 50 }, (_, index) => index);
  expect(shuffled(items, 7)).toEqual(shuffled(items, 7));
  expect(shuffled(items, 7)).not.toEqual(shuffled(items, 8));
  expect([...shuffled(items, 7)].sort((a, b) => a - b)).toEqual(items);
});
