// The same request sent again: under the marker of the first, announced as what it is.
import { expect, test } from 'vitest';
import { cellWith } from '../systems/fixture.ts';
import { createExchanges } from './exchanges.ts';
import { testRun } from './fixture.ts';

test('a repeat bears the marker of the latest request, and the next one a new one', async () => {
  const run = testRun({ cell: cellWith() });
  const { plan, markerOf } = createExchanges(run);
  const first = await plan('alice', 'chat', 'drive');
  const again = await plan('alice', 'chat', 'drive', { isRepeat: true });
  const next = await plan('alice', 'chat', 'drive');
  expect(again).toEqual(first);
  expect(next.marker).not.toBe(first.marker);
  expect(markerOf('alice')).toBe(next.marker);
  expect(run.timeline.seal().of('exchange-planned').map(({ marker, repeat }) => [marker, repeat])).toEqual([
    [first.marker, undefined],
    [first.marker, true],
    [next.marker, undefined],
  ]);
});

test('what was sent for the preparation is not repeated, nor what nobody sent', async () => {
  const { plan } = createExchanges(testRun({ cell: cellWith() }));
  await plan('alice', 'chat', 'prepare');
  await expect(plan('alice', 'chat', 'drive', { isRepeat: true })).rejects.toThrow('alice has sent nothing yet that could be repeated');
});
