// The one value for an end, whoever reports it.
import { expect, test } from 'vitest';
import { exitOf } from './exit.ts';

test.each([
  [0, null, { code: 0, signal: null }],
  [3, null, { code: 3, signal: null }],
  [null, 'SIGTERM', { code: 143, signal: 'SIGTERM' }],
  [143, null, { code: 143, signal: 'SIGTERM' }],
  [137, null, { code: 137, signal: 'SIGKILL' }],
  [null, 'SIGKILL', { code: 137, signal: 'SIGKILL' }],
  [128, null, { code: 128, signal: null }],
  [255, null, { code: 255, signal: null }],
  [null, null, { code: null, signal: null }],
])('code %s, signal %s', (code, signal, one) => {
  expect(exitOf(code, signal)).toEqual(one);
});
