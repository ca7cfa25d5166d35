// A system that is asked for a dump of its own: what comes of that is our doing, and nothing else is.
import { describe } from 'vitest';
import type { Knobs } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at, without } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';

const asked = (atMs: number, process = 'router'): Entry => at(atMs, 'harness', { type: 'dump', process, edge: 'begin', by: 'SIGUSR2', detail: '' });
const exit = (atMs: number): Partial<Knobs> => ({ exit: { atMs, code: null, signal: 'SIGUSR2' } });
const stopped = ({ fact }: Entry): boolean => fact.type === 'signal-sent' && fact.purpose === 'stop';
/** It ended then, so nobody was left to be told to stop. */
const ended = (atMs: number, ...extra: readonly Entry[]): readonly Entry[] =>
  without(story({ ...exit(atMs), extra }), (entry) => stopped(entry) || (entry.fact.type === 'sample' && entry.fact.probe === 'process' && entry.atMs >= atMs));

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
    ['asked, and ended otherwise than declared when it was told to stop', { entries: story({ ...exit(8_940), extra: [asked(8_420)] }) }, 'violated', 'signal SIGUSR2'],
  ]);
});
