// Who counts as alive, by what can be looked at from here.
import { expect, test } from 'vitest';
import { isDead, namedBy, placeHere } from './run-life.ts';
import type { Named, Owners, Place } from './run-life.ts';

const here: Place = { machine: 'm', boot: 'b', pids: 'pid:[1]' };
const living = namedBy(process.pid);
const gone: Named = { pid: process.pid, startTime: '1' };
const owners = (guard: Named, harness: Named, place: Partial<Place> = {}): Owners => ({ ...guard, harness, place: { ...here, ...place } });
const hourAgo = (): number => Date.now() - 3_600_000;

test.each<[string, Owners, number, boolean]>([
  ['both live', owners(living, living), hourAgo(), false],
  ['the guard alone lives', owners(living, gone), hourAgo(), false],
  ['the harness alone lives', owners(gone, living), hourAgo(), false],
  ['the guard was never born', owners({ pid: 0, startTime: null }, living), hourAgo(), false],
  ['both are gone', owners(gone, gone), Date.now(), true],
  ['another boot of this machine', owners(living, living, { boot: 'before' }), Date.now(), true],
  ['pids of another namespace, touched just now', owners(gone, gone, { pids: 'pid:[2]' }), Date.now(), false],
  ['pids of another namespace, left alone for an hour', owners(gone, gone, { pids: 'pid:[2]' }), hourAgo(), true],
  ['another machine, touched just now', owners(gone, gone, { machine: 'n', boot: 'c' }), Date.now(), false],
  ['another machine, left alone for an hour', owners(gone, gone, { machine: 'n', boot: 'c' }), hourAgo(), true],
  ['noted before the harness was named: its guard lives', living, hourAgo(), false],
  ['noted before the harness was named: its guard is gone', gone, Date.now(), true],
])('%s', (_, file, touchedMs, dead) => expect(isDead(file, touchedMs, here)).toBe(dead));

test('this place has a name in all three', () => {
  expect(placeHere()).toMatchObject({ machine: expect.stringMatching(/./), boot: expect.stringMatching(/^[0-9a-f-]{36}$/), pids: expect.stringMatching(/^pid:\[\d+\]$/) });
});
