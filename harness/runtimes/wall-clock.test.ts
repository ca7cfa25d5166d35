// What the wall clock says of a moment is never put before it.
import { expect, test } from 'vitest';
import { nowMs } from '../model/time.ts';
import { onOurClock, wallAheadMs } from './wall-clock.ts';

test('a moment that was stamped a moment ago is not before what was before it', () => {
  for (let round = 0; round < 1_000; round += 1) {
    const beforeMs = nowMs();
    const stamp = new Date().toISOString();
    expect(onOurClock(stamp, wallAheadMs())).toBeGreaterThanOrEqual(beforeMs);
  }
});

test('what is cut off a stamp is given back', () => {
  expect(onOurClock('1970-01-01T00:00:10.123999999Z', 1_000)).toBe(9_124);
});

test.each([['forward', 1_000, 3_000], ['back', 3_000, 1_000]])('a clock that was put %s in between: the later of both', (_, ...aheadsMs) => {
  expect(onOurClock('1970-01-01T00:00:10Z', ...aheadsMs)).toBe(9_001);
});

test('no stamp', () => {
  expect(onOurClock('', 0)).toBeNaN();
});
