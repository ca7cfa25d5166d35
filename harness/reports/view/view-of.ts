// From a bundle to its view. In turns, since a run of an hour has a hundred thousand observations and other runs go on
// while it is drawn.
import type { Observation } from '../../model/observation.ts';
import { refOf } from '../../model/observation.ts';
import { compareObservations } from '../../model/timeline.ts';
import { atOnce } from '../../model/turns.ts';
import type { ReportInput } from './input.ts';
import { summarise, titleOf } from '../summary.ts';
import type { ClaimRow } from '../summary.ts';
import { clientLanes } from './client-lanes.ts';
import type { Run } from './draft.ts';
import { ledgerLane } from './ledger-lane.ts';
import { viewLog } from './logs.ts';
import type { Log } from './logs.ts';
import { socketsLane } from './sockets-lane.ts';
import { harnessLane, processLane, systemLane } from './system-lanes.ts';
import { upstreamLanes } from './upstream-lanes.ts';
import type { Interval, Lane, Reference, View, ViewClaim, ViewMark, ViewObservations, ViewPhase } from './view.ts';
import { createWords } from './words.ts';

export type { Log } from './logs.ts';

const TURN = 500;
/** Room around what is looked at first, as a share of it. */
const MARGIN = 0.08;

type Table = { readonly of: (text: string) => number; readonly all: readonly string[] };

const createTable = (): Table => {
  const known = new Map<string, number>();
  const all: string[] = [];
  return {
    all,
    of: (text) => {
      const found = known.get(text);
      if (found !== undefined) return found;
      known.set(text, all.length);
      return all.push(text) - 1;
    },
  };
};

/** Which lane a fact is shown in, by its actor. */
const laneIdOf = ({ actor, type }: Observation): string => {
  if (/^(client|upstream)\./.test(actor)) return actor;
  if (actor.startsWith('probe.')) return actor.slice('probe.'.length);
  if (actor.startsWith('system')) return 'system';
  if (type === 'refund') return 'ledger';
  return type === 'signal-sent' || type === 'system-started' || type === 'system-ready' ? 'system' : 'harness';
};

const claimOf = (row: ClaimRow, byRef: ReadonlyMap<string, number>, all: readonly Observation[]): ViewClaim => {
  const evidence = row.evidence.flatMap((ref) => byRef.get(ref) ?? []).sort((a, b) => a - b);
  return {
    id: row.id,
    title: titleOf(row),
    outcome: row.outcome,
    standing: row.standing,
    issue: row.issue,
    class: row.class ?? null,
    reason: row.reason,
    interval: row.interval ? { fromMs: row.interval.fromMs, toMs: row.interval.toMs } : null,
    evidence,
    missing: row.evidence.filter((ref) => !byRef.has(ref)),
    lanes: [...new Set(evidence.map((index) => laneIdOf(all[index]!)))],
  };
};

const claimsOf = ({ resolved, verdicts, timeline }: ReportInput): readonly ViewClaim[] => {
  const { rows } = summarise({ verdicts, run: resolved.run, tookMs: 0, folder: null });
  const wanted = Map.groupBy(new Set(rows.flatMap(({ evidence }) => evidence)), (ref) => ref.slice(0, ref.lastIndexOf('#')));
  const byRef = new Map<string, number>();
  for (const [index, each] of timeline.all.entries()) {
    const ref = wanted.get(each.actor)?.find((name) => name === refOf(each));
    if (ref !== undefined) byRef.set(ref, index);
  }
  return rows.map((row) => claimOf(row, byRef, timeline.all));
};

const phasesOf = ({ timeline, endMs }: Run): readonly ViewPhase[] =>
  [...new Set(timeline.of('phase').map(({ phase }) => phase))].map((name) => {
    const { beginMs = 0, endMs: overMs = endMs } = timeline.phase(name);
    return { name, fromMs: beginMs, toMs: overMs };
  });

const marksOf = ({ timeline, refOf: indexOf }: Run): readonly ViewMark[] =>
  timeline.of('mark').map((mark) => ({ name: mark.mark, atMs: mark.atMs, client: mark.client, ref: indexOf(mark) }));

/** From what was driven to the end of what was violated; nothing violated: to the end. */
const focusOf = (claims: readonly ViewClaim[], { timeline, endMs }: Run): Interval => {
  const violated = claims.flatMap(({ outcome, standing, interval }) =>
    outcome === 'violated' && standing !== 'right' && interval ? [interval] : [],
  );
  const driven = timeline.phase('drive').beginMs ?? 0;
  const fromMs = Math.min(driven, ...violated.map((each) => each.fromMs));
  const toMs = Math.max(fromMs + 1, timeline.phase('stop').endMs ?? endMs, ...violated.map((each) => each.toMs));
  const roomMs = (toMs - fromMs) * MARGIN;
  return { fromMs: Math.max(0, fromMs - roomMs), toMs: Math.min(Math.max(endMs, 1), toMs + roomMs) };
};

function* observationsOf(all: readonly Observation[]): Generator<void, Pick<View, 'actors' | 'types' | 'texts' | 'observations'>> {
  const [actors, types, texts] = [createTable(), createTable(), createTable()];
  const words = createWords();
  const columns = { at: [] as number[], actor: [] as number[], seq: [] as number[], type: [] as number[], text: [] as number[] };
  for (const [index, each] of all.entries()) {
    if (index % TURN === 0) yield;
    columns.at.push(each.atMs);
    columns.actor.push(actors.of(each.actor));
    columns.seq.push(each.seq);
    columns.type.push(types.of(each.type));
    columns.text.push(texts.of(words(each)));
  }
  return { actors: actors.all, types: types.all, texts: texts.all, observations: columns satisfies ViewObservations };
}

/** Found by its place in the total order. */
const placeOf = (all: readonly Observation[], observation: Observation): Reference => {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareObservations(all[middle]!, observation) < 0) low = middle + 1;
    else high = middle;
  }
  return all[low] === observation ? low : -1;
};

/** Those that go through every sample do it in turns. */
type MakeLanes = (run: Run) => Lane | null | readonly Lane[] | Generator<void, Lane | null>;
const LANES: readonly MakeLanes[] = [systemLane, upstreamLanes, ledgerLane, socketsLane, processLane, harnessLane];
/** A crowd would push everything else out of sight. */
const CROWD = 12;

const lanesInOrder = ({ facts }: Run): readonly MakeLanes[] =>
  Object.keys(facts.clients).length > CROWD ? [...LANES, clientLanes] : [clientLanes, ...LANES];

/** The same as `viewOf`, in turns (`inTurns` of model/turns.ts). */
export function* viewing(input: ReportInput, logs: readonly Log[] = []): Generator<void, View> {
  const { manifest, resolved, timeline, verdicts } = input;
  const endMs = timeline.all.at(-1)?.atMs ?? 0;
  const { facts } = resolved.judged;
  const run: Run = { timeline, facts, endMs, refOf: (observation) => (observation ? placeOf(timeline.all, observation) : -1) };
  const lanes: Lane[] = [];
  for (const make of lanesInOrder(run)) {
    yield;
    const made = make(run);
    const done = made !== null && 'next' in made ? yield* made : made;
    lanes.push(...[done].flat().filter((lane): lane is Lane => lane !== null));
  }
  yield;
  const claims = claimsOf(input);
  const told = yield* observationsOf(timeline.all);
  return {
    scenario: manifest.scenario,
    outcome: verdicts.outcome,
    runtime: manifest.runtime,
    startedAt: manifest.startedAt,
    harness: manifest.harness,
    spanMs: endMs,
    focus: focusOf(claims, run),
    marks: marksOf(run),
    phases: phasesOf(run),
    claims,
    lanes,
    ...told,
    logs: logs.filter(({ text }) => text.trim() !== '').map((log) => viewLog(log, timeline, manifest, facts, endMs)),
  };
}

/**
 * What a picture of the run shows, as plain data that is JSON.
 * @param logs what the system's processes printed, by name
 */
export const viewOf = (input: ReportInput, logs: readonly Log[] = []): View => atOnce(viewing(input, logs));
