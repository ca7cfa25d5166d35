// Whether a bound is just due: within twice the margin of 250 ms of it, counted from where that bound counts.
import { expect, test } from 'vitest';
import type { Facts } from '../../model/facts.ts';
import { connected, planned, sockets, tiny, written } from '../fixtures/tiny.ts';
import { isBoundDue } from './due.ts';

const due = (bounds: Facts['bounds'], atMs: number, isWritten = true): boolean => {
  const full = { sendQueue: 7 };
  const { view, exchange } = tiny([planned(0), connected(5), ...(isWritten ? [written(10)] : []), sockets(50, full), sockets(60, full)], { bounds });
  return isBoundDue(view, exchange, 1_000, atMs);
};

test.each<[keyof Facts['bounds'], number]>([
  ['lifetime', 10], ['age', 10], ['read', 1_000], ['progress', 1_000], ['send', 50],
])('%s, from %d on', (bound, fromMs) => {
  const at = [-501, -500, 0, 500, 501].map((ms) => due({ [bound]: 3_000 }, fromMs + 3_000 + ms));
  expect(at).toEqual([false, true, true, true, false]);
});

test('none', () => {
  expect(due({}, 3_000)).toBe(false);
  expect(due({ header: 3_000, settle: 3_000, drain: 3_000, shutdown: 3_000 }, 3_000)).toBe(false);
  expect(due({ lifetime: 3_000, send: 3_000 }, 3_010, false)).toBe(false);
});
