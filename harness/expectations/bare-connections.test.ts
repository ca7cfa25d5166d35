// Requests are counted, not connections; those that never carried one are counted apart, and may be limited.
import { describe, expect, test } from 'vitest';
import { FACTS } from './fixtures/facts.ts';
import { MARKER } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at, without } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';
import { definition } from './request-count.ts';

const opened = (atMs: number, connection: number, upstream = 'model'): Entry =>
  at(atMs, `upstream.${upstream}`, { type: 'connection-opened', connection, local: '127.0.0.20:9000', peer: `127.0.0.2:${50_100 + connection}` });
const asked = (atMs: number, connection: number, marker: string | null): Entry =>
  at(atMs, 'upstream.model', { type: 'request-received', connection, exchange: 90 + connection, marker, method: 'GET', path: '/', bodyBytes: 0, behaviour: 'endless' });
const entries = (...extra: readonly Entry[]): readonly Entry[] => story({ runDelayMs: () => 0, extra });

describe('connections that never carried a request', () => {
  table('request-count', { upstream: 'model', client: 'alice', equals: 1, 'bare-connections': 1 }, [
    ['none', { entries: entries() }, 'held', "alice's request came 1 time to upstream model; 0 bare connections"],
    ['as many as are right', { entries: entries(opened(2_000, 7)) }, 'held', '1 bare connection'],
    ['one more', { entries: entries(opened(2_000, 7), opened(2_100, 8)) }, 'violated', '2 connections to upstream model never carried a request, at most 1 is right'],
    ['one that carried a side request is none', { entries: entries(opened(2_000, 7), opened(2_100, 8), asked(2_200, 8, null)) }, 'held', '1 bare connection'],
    ['one that carried its request later is none', { entries: entries(opened(2_000, 7), opened(2_100, 8), asked(7_900, 8, null)) }, 'held', '1 bare connection'],
    ['those before the scenario are no matter', { entries: entries(opened(1_050, 7), opened(1_049, 8), opened(2_000, 9)) }, 'held', '1 bare connection'],
    ['those of another upstream neither', { entries: entries(opened(2_000, 7), opened(2_100, 8, 'backup')) }, 'held', '1 bare connection'],
    ['one that was opened just now may yet carry one', { entries: entries(opened(2_000, 7), opened(7_751, 8)) }, 'held', '1 bare connection'],
    ['one that has had the margin of time', { entries: entries(opened(2_000, 7), opened(7_750, 8)) }, 'violated', 'never carried a request'],
    ['requests are judged beside them', { entries: entries(asked(2_200, 2, MARKER)) }, 'violated', "alice's request came 2 times to upstream model, at most 1 is right"],
  ]);
  table('request-count', { upstream: 'model', client: 'alice', equals: 1 }, [
    ['without a limit they are told, no more', { entries: entries(opened(2_000, 7), opened(2_100, 8)) }, 'held', '2 bare connections'],
  ]);
  test('the limit alone may be claimed', () => {
    expect(definition.fields.options['bare-connections']!.type).toBe('at-most');
    expect(definition.notApplicable(FACTS, { upstream: 'model', 'bare-connections': 0 })).toBeNull();
  });
});

describe('requests after the leave', () => {
  const retries = (...times: readonly number[]): readonly Entry[] => entries(...times.map((ms, index) => asked(ms, 20 + index, MARKER)));
  table('request-count', { upstream: 'model', client: 'alice', after: 'gone', 'at-most': 0 }, [
    ['none', { entries: entries() }, 'held', "alice's request came 0 times"],
    ['those before it do not count', { entries: retries(2_000, 2_500) }, 'held', '0 times'],
    ['one that may have been on its way does not', { entries: retries(3_251) }, 'held', '0 times'],
    ['one that cannot have been does', { entries: retries(3_252) }, 'violated', "alice's request came 1 time to upstream model, at most 0 is right"],
    ['a retry for nobody, much later', { entries: retries(5_000) }, 'violated', 'at most 0 is right'],
  ]);
});

describe('a client that was never sent', () => {
  const queued = without(story({ charges: [], headMs: null, eventsUntilMs: 0 }), ({ actor }) => actor === 'upstream.model');
  table('request-count', { upstream: 'model', client: 'alice', equals: 0 }, [
    ['left while it was queued', { entries: queued }, 'held', "alice's request came 0 times"],
    ['was sent when it was its turn', { entries: [...queued, asked(5_000, 5, MARKER)].toSorted((a, b) => a.atMs - b.atMs) }, 'violated', 'came 1 time'],
    ["another's turn is another's", { entries: [...queued, asked(5_000, 5, 'hx.bob.1.00000002')].toSorted((a, b) => a.atMs - b.atMs) }, 'held', '0 times'],
    ['never asked at all', { entries: without(queued, ({ fact }) => fact.type === 'request-written') }, 'inconclusive', 'no request was written'],
  ]);
});
