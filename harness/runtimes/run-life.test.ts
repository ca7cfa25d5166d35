// Who counts as alive, by what can be looked at from here.
import { expect, test } from 'vitest';
import { lifeOf, namedBy, placeHere } from './run-life.ts';
import type { Life, Named, Owners, Place } from './run-life.ts';

const here: Place = { machine: 'm', boot: 'b', pids: 'pid:[1]' };
const living = namedBy(process.pid);
const gone: Named = { pid: process.pid, startTime: '1' };
const owners = (guard: Named, harness: Named, place: Partial<Place> = {}): Owners => ({ ...guard, harness, place: { ...here, ...place } });
const hourAgo = (): number => Date.now() - 3_600_000;

test.each<[string, Owners, number, Life]>([
  ['both live', owners(living, living), hourAgo(), 'lives'],
  ['the guard alone lives', owners(living, gone), hourAgo(), 'lives'],
  ['the harness alone lives', owners(gone, living), hourAgo(), 'lives'],
  ['the guard was never born', owners({ pid: 0, startTime: null }, living), hourAgo(), 'lives'],
  ['both are gone', owners(gone, gone), Date.now(), 'dead'],
  ['another boot of this machine', owners(living, living, { boot: 'before' }), Date.now(), 'dead'],
  ['pids of another namespace, touched just now', owners(gone, gone, { pids: 'pid:[2]' }), Date.now(), 'lives'],
  ['pids of another namespace, left alone for an hour', owners(gone, gone, { pids: 'pid:[2]' }), hourAgo(), 'silent'],
  ['another machine, touched just now', owners(gone, gone, { machine: 'n', boot: 'c' }), Date.now(), 'lives'],
  ['another machine, left alone for an hour', owners(gone, gone, { machine: 'n', boot: 'c' }), hourAgo(), 'silent'],
  ['noted before the harness was named: its guard lives', living, hourAgo(), 'lives'],
  ['noted before the harness was named: its guard is gone', gone, Date.now(), 'dead'],
])('%s', (_, file, touchedMs, life) => expect(lifeOf(file, touchedMs, here)).toBe(life));

test('this place has a name in all three', () => {
  expect(placeHere()).toMatchObject({ machine: expect.stringMatching(/./), boot: expect.stringMatching(/^[0-9a-f-]{36}$/), pids: expect.stringMatching(/^pid:\[\d+\]$/) });
});
