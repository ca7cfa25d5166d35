// A system that is asked for a dump of its own: what comes of that is our doing, and nothing else is.
import { describe } from 'vitest';
import type { Knobs } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at, without } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';

const asked = (atMs: number, process = 'router'): Entry => at(atMs, 'harness', { type: 'dump', process, edge: 'begin', by: 'SIGUSR2', detail: '' });
/** It had an end, of which it was seen or not whether all was done by then. */
const done = (atMs: number, isOver: boolean): Entry =>
  at(atMs, 'harness', { type: 'dump', process: 'router', edge: 'end', by: 'SIGUSR2', detail: '', isOver });
const exit = (atMs: number): Partial<Knobs> => ({ exit: { atMs, code: null, signal: 'SIGUSR2' } });
const stopped = ({ fact }: Entry): boolean => fact.type === 'signal-sent' && fact.purpose === 'stop';
/** It ended then, so nobody was left to be told to stop. */
const ended = (atMs: number, ...extra: readonly Entry[]): readonly Entry[] =>
  without(story({ ...exit(atMs), extra }), (entry) => stopped(entry) || (entry.fact.type === 'sample' && entry.fact.probe === 'process' && entry.atMs >= atMs));

const LATE = 'ended only 2.3 s after SIGTERM, 2.0 s are allowed';
/** The record goes on for as long as it takes. */
const late = (...extra: readonly Entry[]): readonly Entry[] =>
  story({ exit: { atMs: 10_770, code: 0, signal: null }, extra }).map((entry) =>
    entry.atMs === 8_940 ? { ...entry, atMs: 19_000 } : entry.fact.type === 'phase' && entry.atMs === 8_950 ? { ...entry, atMs: 19_100 } : entry,
  );
const leaves = (...extra: readonly Entry[]): readonly Entry[] =>
  story({ extra }).map((entry) => (entry.fact.type === 'processes-left' ? { ...entry, fact: { ...entry.fact, pids: [77] } } : entry));

describe('process-alive', () => {
  table('process-alive', {}, [
    ['asked, and there until it is told to stop', { entries: story({ extra: [asked(8_420)] }) }, 'held', 'until it was told to stop'],
    ['ended of the dump', { entries: ended(8_430, asked(8_420)) }, 'held', 'until our asking for a dump ended it'],
    ['ended of it by nobody', { entries: ended(8_430) }, 'violated', 'died by itself'],
    ['ended before it was asked', { entries: ended(8_410, asked(8_420)) }, 'violated', 'died by itself'],
    ['another process was asked', { entries: ended(8_430, asked(8_420, 'worker')) }, 'violated', 'died by itself'],
  ]);
});

describe('clean-shutdown', () => {
  table('clean-shutdown', {}, [
    ['asked, and stopped as it should', { entries: story({ extra: [asked(8_420)] }) }, 'held', 'nothing left'],
    ['ended of the dump: how it would have stopped is not known', { entries: ended(8_430, asked(8_420)) }, 'inconclusive', 'was never told to stop'],
    ['asked, and late: it was done', { entries: late(asked(8_420), done(8_440, true)) }, 'violated', LATE],
    ['asked, and late: nobody saw whether it was done', { entries: late(asked(8_420), done(8_440, false)) }, 'inconclusive', `${LATE}, but it had been asked for a dump that was not seen to be over`],
    ['asked, and late: no end of it was seen', { entries: late(asked(8_420)) }, 'inconclusive', `${LATE}, but it had been asked for a dump`],
    ['another was asked, and it was late', { entries: late(asked(8_420, 'worker')) }, 'violated', LATE],
    ['late, and asked only then', { entries: late(asked(10_760)) }, 'violated', LATE],
    ['asked, and in time all the same', { entries: story({ extra: [asked(8_420), done(8_440, false)] }) }, 'held', 'nothing left'],
    ['asked, and left something', { entries: leaves(asked(8_420), done(8_440, false)) }, 'inconclusive', 'processes of the system were left: pids 77, but it had been asked'],
    ['asked, done, and left something', { entries: leaves(asked(8_420), done(8_440, true)) }, 'violated', 'processes of the system were left: pids 77'],
    ['asked, and ended otherwise than declared when it was told to stop', { entries: story({ ...exit(8_940), extra: [asked(8_420)] }) }, 'violated', 'signal SIGUSR2'],
  ]);
});
