// What the control must have shown, and which of its exchanges stands for the one that was left: it is alone in neither
// record, and it is watched until somebody ends it.
import { describe } from 'vitest';
import type { Fact } from '../model/observation.ts';
import { MARKER } from './fixtures/knobs.ts';
import { control, story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';

const options = { upstream: 'model', after: 'gone', within: 2_000 };

/** Another request of the record, before alice's own. */
const asked = (client: string, marker: string, upstream = 'model'): readonly Entry[] => [
  ...(marker === MARKER
    ? []
    : [at(1_060, 'harness', { type: 'exchange-planned', marker, client, account: 'acc', upstream, request: 'chat', purpose: 'drive' } as const)]),
  at(marker === MARKER ? 1_105 : 1_070, `upstream.${upstream}`, {
    type: 'request-received', connection: 7, exchange: 8, marker, method: 'POST', path: '/', bodyBytes: 1, behaviour: 'finite',
  }),
];
const ended = (marker: string, atMs: number): Entry =>
  at(atMs, 'client.alice', { type: 'response-ended', marker, how: 'complete', endMark: true, errorEvent: null, bytes: 1, events: 1, foreignMarkers: [] });
const closed = (atMs: number): Entry =>
  at(atMs, 'upstream.model', { type: 'peer-closed', connection: 7, exchange: 8, marker: 'hx.alice.0.00000001', how: 'fin', bytes: 1, events: 1 });

const until = (fact: Fact, atMs = 3_100) => ({ entries: story(), control: control({ extra: [at(atMs, 'harness', fact)] }) });
const signal = (purpose: 'stop' | 'fault' | 'cleanup'): Fact => ({ type: 'signal-sent', process: 'router', signal: 'SIGCONT', purpose });
const EARLY = 'the control was watched to the age of 2.0 s only';

describe('the control was left alone', () => {
  table('upstream-closed', options, [
    ['until its system was told to stop', until(signal('stop')), 'inconclusive', EARLY],
    ['until it was cleared away', until(signal('cleanup')), 'inconclusive', EARLY],
    ['whatever a fault of the scenario sent', until(signal('fault')), 'held', 'closed by FIN'],
    ['until its scope was closed', until({ type: 'scope-closed' } as Fact), 'inconclusive', EARLY],
    ['until the stop began', until({ type: 'phase', phase: 'stop', edge: 'begin' }), 'inconclusive', EARLY],
    ['also by a phase that stops nothing', until({ type: 'phase', phase: 'ask', edge: 'begin' }), 'held', 'closed by FIN'],
    ['for as long as is needed, to the millisecond', until({ type: 'phase', phase: 'seal', edge: 'begin' }, 3_260), 'held', 'closed by FIN'],
    ['for a millisecond less', until({ type: 'phase', phase: 'seal', edge: 'begin' }, 3_259), 'inconclusive', 'the control was watched'],
  ]);
});

describe('what befell the control later than is needed', () => {
  const later = { type: 'process-exited', process: 'router', code: 1, signal: null } as const;
  const end = (atMs: number) => control({ upstreamEnd: { atMs, how: 'complete', by: 'script', usage: 1 } });
  table('upstream-closed', options, [
    ['its system died', { entries: story(), control: control({ extra: [at(3_400, 'system', later)] }) }, 'held', 'closed by FIN'],
    ['its system died just in time to matter', { entries: story(), control: control({ extra: [at(3_260, 'system', later)] }) }, 'inconclusive', 'died by itself'],
    ['its upstream ended the answer', { entries: story(), control: end(3_400) }, 'held', 'closed by FIN'],
    ['its upstream ended the answer just in time to matter', { entries: story(), control: end(3_260) }, 'inconclusive', 'was ended by its upstream'],
    ['it was closed just in time to matter', { entries: story(), control: control({ closedMs: 3_260 }) }, 'inconclusive', "the system's own time-out"],
  ]);
});

describe('the exchange that stands for this one', () => {
  const before = 'hx.alice.0.00000001';
  const first = [...asked('alice', before), ended(before, 1_080)];
  const bob = asked('bob', 'hx.bob.1.00000001');
  const never = control().filter(({ fact }) => !(fact.type === 'request-received' && fact.marker === MARKER));
  table('upstream-closed', options, [
    ['is of the same client, whoever asked before', { entries: story({ extra: bob }) }, 'held', 'closed by FIN'],
    ['is of the same client, whoever asked before there', { entries: story(), control: control({ extra: bob }) }, 'held', 'closed by FIN'],
    [
      'is of the same turn, whatever became of the turn before',
      { entries: story({ extra: first }), control: control({ extra: [...first, closed(2_000)] }) },
      'held',
      'closed by FIN',
    ],
    ['is at the same upstream', { entries: story({ extra: asked('alice', MARKER, 'other') }) }, 'held', 'closed by FIN'],
    ['is missing, though another client got there', { entries: story(), control: [...never, ...bob] }, 'inconclusive', "the control's exchange never reached upstream model"],
    [
      'is missing, though it got to another upstream',
      { entries: story(), control: [...never, ...asked('alice', MARKER, 'other')] },
      'inconclusive',
      "the control's exchange never reached upstream model",
    ],
  ]);
});
