// What a picture shows of a run, from the smallest one that has something of everything.
import { describe, expect, test } from 'vitest';
import { MANIFEST, OBSERVATIONS, RESOLVED, VERDICTS } from '../../bundle/fixture.ts';
import type { Fact, Observation } from '../../model/observation.ts';
import { createTimeline } from '../../model/timeline.ts';
import type { ReportInput } from './input.ts';
import { viewLog, wallTimeOf } from './logs.ts';
import { packRows } from './rows.ts';
import { viewOf } from './view-of.ts';
import type { Lane, View } from './view.ts';

const input = (observations: readonly Observation[] = OBSERVATIONS): ReportInput => ({
  manifest: { ...MANIFEST, format: 1, phases: {} },
  resolved: RESOLVED,
  timeline: createTimeline(observations),
  verdicts: VERDICTS,
  control: null,
});
const VIEW = viewOf(input());
const lane = (id: string, view: View = VIEW): Lane => view.lanes.find((each) => each.id === id)!;
const nameOf = (ref: number, view: View = VIEW): string => `${view.actors[view.observations.actor[ref]!]}#${view.observations.seq[ref]}`;
let seq = 1_000;
const at = (atMs: number, actor: string, fact: Fact): Observation => ({ atMs, actor, seq: (seq += 1), ...fact });

test('a lane for each actor, in the order in which a request meets them', () => {
  expect(VIEW.lanes.map(({ id }) => id)).toEqual(['client.alice', 'system', 'upstream.model', 'ledger', 'sockets', 'harness']);
});

test('it is JSON, and comes back the same', () => {
  expect(JSON.parse(JSON.stringify(VIEW))).toEqual(VIEW);
});

test('every observation is there, in order, under its own name', () => {
  const { timeline } = input();
  expect(timeline.all.map((_, index) => nameOf(index))).toEqual(timeline.all.map(({ actor, seq: number }) => `${actor}#${number}`));
  expect(VIEW.observations.at).toEqual(timeline.all.map(({ atMs }) => atMs));
  for (const column of Object.values(VIEW.observations)) expect(column).toHaveLength(timeline.all.length);
});

test('a claim names the observations that decided it, and the lanes they lie in', () => {
  const [closed, renewals] = VIEW.claims;
  expect(closed).toMatchObject({ id: 'upstream-closed', outcome: 'violated', interval: { fromMs: 2500, toMs: 3500 } });
  expect(renewals!.evidence.map((ref) => nameOf(ref))).toEqual(['probe.ledger#2', 'probe.ledger#3']);
  expect(renewals!.lanes).toEqual(['ledger']);
  expect(
    viewOf({ ...input(), verdicts: { ...VERDICTS, verdicts: [{ ...VERDICTS.verdicts[0]!, evidence: ['nobody#9'] }] } }).claims[0],
  ).toMatchObject({ evidence: [], missing: ['nobody#9'] });
});

test('what is looked at first holds every violated interval', () => {
  expect(VIEW.focus.fromMs).toBeLessThan(900);
  expect(VIEW.focus.toMs).toBeGreaterThanOrEqual(3500);
});

describe('the ledger', () => {
  test('a renewal is a tick, a live reservation a bar to the last sample', () => {
    const { bars, ticks } = lane('ledger');
    expect(ticks).toMatchObject([{ kind: 'renewal', at: [2100, 2600] }]);
    expect(bars).toMatchObject([{ fromMs: 1100, toMs: 2600, isOpen: true }]);
    expect(bars[0]!.label).toContain('1000 of 1');
  });

  test('a lease that nobody renewed is over after its length', () => {
    const [first] = OBSERVATIONS.filter(({ actor }) => actor === 'probe.ledger');
    if (first?.type !== 'sample' || first.probe !== 'ledger') throw new Error('the fixture begins its ledger with a sample');
    const late = { ...first, atMs: 4000, seq: 90, value: { ...first.value!, wallMs: first.value!.wallMs + 3_001 } };
    const { bars } = lane('ledger', viewOf(input([first, late])));
    expect(bars).toMatchObject([
      { tone: 'accent', fromMs: 1100, toMs: 4000 },
      { tone: 'warn', fromMs: 4000 },
    ]);
  });
});

describe('the upstream', () => {
  test('what it still wrote after its client had left stands out', () => {
    const marker = 'hx.alice.1.00c0ffee';
    const planned = at(990, 'harness', {
      type: 'exchange-planned',
      marker,
      client: 'alice',
      account: '1',
      upstream: 'model',
      request: 'chat',
      purpose: 'drive',
    });
    const { bars, points } = lane('upstream.model', viewOf(input([planned, ...OBSERVATIONS])));
    expect(bars).toMatchObject([
      { tone: 'plain', fromMs: 1004, toMs: 1501 },
      { tone: 'warn', fromMs: 1501, isOpen: true },
    ]);
    expect(points.some(({ sign }) => sign === 'fin' || sign === 'rst')).toBe(false);
  });
});

describe('sockets', () => {
  test('only what the system itself holds, by state', () => {
    const { bars } = lane('sockets');
    expect(bars).toMatchObject([{ fromMs: 3000, tone: 'accent', isOpen: true }]);
    expect(bars[0]!.label).toMatch(/^established: to model /);
  });
});

describe('rows', () => {
  test('what overlaps is apart, what does not shares a row', () => {
    const [a, b, c] = [
      { fromMs: 0, toMs: 10 },
      { fromMs: 5, toMs: 15 },
      { fromMs: 10, toMs: 20 },
    ];
    const { rowOf, rows, over } = packRows([a!, b!, c!]);
    expect([rowOf.get(a!), rowOf.get(b!), rowOf.get(c!), rows, over]).toEqual([0, 1, 0, 2, 0]);
  });

  test('more than there is room for lies over others, and is counted', () => {
    const items = Array.from({ length: 5 }, () => ({ fromMs: 0, toMs: 10 }));
    expect(packRows(items, 0, 3)).toMatchObject({ rows: 3, over: 2 });
  });
});

describe('logs', () => {
  const NEAR = Date.UTC(2026, 0, 2, 3, 4, 5);
  test.each([
    ['{"at":"2026-01-02T03:04:06.500Z","event":"x"}', 1500],
    ['2026-01-02 03:04:06,500 INFO ready', 1500],
    ['2026/01/02 05:04:06 [error] two hours east', 1000],
    ['2026-01-02T05:04:06+02:00 x', 1000],
    ['{"ts":1767323046.25}', 1250],
    ['{"time":1767323046250}', 1250],
  ])('%s', (line, afterMs) => expect(wallTimeOf(line, NEAR)! - NEAR).toBeCloseTo(afterMs, 3));

  test('a line that says no time belongs to the one before; the first to none', () => {
    const { timeline, manifest } = input();
    const text = 'starting\n2023-11-14T22:13:20.500Z one\n    at two\n';
    const log = viewLog({ name: 'router', text }, timeline, manifest, RESOLVED.judged.facts, 60_000);
    expect(log).toMatchObject({ times: 'lines', text: ['starting', '2023-11-14T22:13:20.500Z one', '    at two'], leftOut: null });
    expect(log.at[0]).toBeNull();
    expect(log.at[1]).toBe(log.at[2]);
  });

  test('where no line says a time, the times at which they were seen count', () => {
    const { timeline, manifest } = input();
    const log = viewLog(
      {
        name: 'router',
        text: 'a\nb\nc\n',
        times: [
          { line: 0, atMs: 5 },
          { line: 2, atMs: 9 },
        ],
      },
      timeline,
      manifest,
      RESOLVED.judged.facts,
      60_000,
    );
    expect(log).toMatchObject({ times: 'recorded', at: [5, 5, 9] });
  });

  test('a long log keeps its end, and says what it left out', () => {
    const { timeline, manifest } = input();
    const text = Array.from({ length: 9_000 }, (_, index) => `line ${index}`).join('\n');
    const log = viewLog({ name: 'router', text }, timeline, manifest, RESOLVED.judged.facts, 60_000);
    expect(log.text.at(-1)).toBe('line 8999');
    expect(log.text).toHaveLength(4_000);
    expect(log.leftOut).toContain('the first 5000 of 9000 lines');
  });
});
