// The system's own sockets: a bar for each connection, in the colour of its state. Listeners, and ends that other actors
// own, are left out: what the system still holds is the question.
import type { Facts } from '../../model/facts.ts';
import { instancesOf } from '../../model/facts.ts';
import { readingsOf } from '../../model/readings.ts';
import type { SocketRow, SocketState } from '../../model/samples.ts';
import { createDraft } from './draft.ts';
import type { Run } from './draft.ts';
import { addUnseen } from './ledger-lane.ts';
import { leftOutOf, packRows } from './rows.ts';
import type { Lane, Reference, Tone } from './view.ts';

type Stretch = { readonly state: string; readonly tone: Tone; readonly fromMs: number; readonly ref: Reference; toMs: number };
type Life = { readonly name: string; readonly fromMs: number; toMs: number; readonly stretches: Stretch[]; isOpen: boolean };

const TURN = 500;
const QUIET: ReadonlySet<SocketState> = new Set(['time-wait', 'close']);
const CLOSING: ReadonlySet<SocketState> = new Set(['close-wait', 'fin-wait-1', 'fin-wait-2', 'last-ack', 'closing']);

const toneOf = ({ state, inode }: SocketRow): Tone => {
  if (QUIET.has(state) || inode === 0) return 'quiet';
  return CLOSING.has(state) ? 'warn' : 'accent';
};

const hostOf = (endpoint: string): string => endpoint.slice(0, endpoint.lastIndexOf(':'));

/** Who is at an address, as people know them. */
const namesOf = (facts: Facts): ReadonlyMap<string, string> =>
  new Map([
    ...Object.entries(facts.clients).map(([name, { address }]) => [address, name] as const),
    ...Object.entries(facts.upstreams).map(([name, { address }]) => [address, name] as const),
  ]);

function* livesOf({ timeline, facts, refOf, endMs }: Run): Generator<void, readonly Life[]> {
  const own = new Set(instancesOf(facts).flatMap(({ address, listen }) => [address, hostOf(listen)]));
  const names = namesOf(facts);
  const samples = timeline.of('sample').filter((each) => each.probe === 'sockets' && each.value !== undefined);
  const open = new Map<string, Life>();
  const lives: Life[] = [];
  for (const [index, { atMs, value }] of readingsOf(timeline, 'sockets').entries()) {
    if (index % TURN === 0) yield;
    const seen = new Set<string>();
    for (const row of value.rows) {
      const who = names.get(hostOf(row.remote));
      if (row.state === 'listen' || !own.has(hostOf(row.local)) || who === undefined) continue;
      const key = `${row.local} ${row.remote}`;
      seen.add(key);
      const state = row.inode === 0 && !QUIET.has(row.state) ? `${row.state}, orphaned` : row.state;
      let life = open.get(key);
      if (!life) {
        // Of one that is first seen when it is over, nobody wants a bar.
        if (QUIET.has(row.state)) continue;
        life = { name: `${who} (${row.local} to ${row.remote})`, fromMs: atMs, toMs: atMs, stretches: [], isOpen: true };
        open.set(key, life);
        lives.push(life);
      }
      life.toMs = atMs;
      const last = life.stretches.at(-1);
      if (last) last.toMs = atMs;
      if (last?.state === state) continue;
      life.stretches.push({ state, tone: toneOf(row), fromMs: atMs, toMs: atMs, ref: refOf(samples[index]) });
    }
    for (const [key, life] of open) {
      if (seen.has(key)) continue;
      life.isOpen = false;
      life.toMs = atMs;
      life.stretches.at(-1)!.toMs = atMs;
      open.delete(key);
    }
  }
  for (const life of open.values()) life.toMs = Math.min(endMs, life.toMs);
  return lives;
}

/** Null where no sockets were looked at. */
export function* socketsLane(run: Run): Generator<void, Lane | null> {
  if (!run.timeline.of('sample').some(({ probe }) => probe === 'sockets')) return null;
  const draft = createDraft('sockets', 'sockets', 'sockets');
  const lives = yield* livesOf(run);
  const { rowOf, rows, over } = packRows(lives);
  for (const life of lives) {
    for (const [index, { state, tone, fromMs, toMs, ref }] of life.stretches.entries()) {
      const isLast = index === life.stretches.length - 1;
      const isOpen = isLast && life.isOpen;
      draft.bar({ row: rowOf.get(life) ?? 0, fromMs, toMs, tone, label: `${state}: to ${life.name}`, ref, ...(isOpen ? { isOpen } : {}) });
    }
  }
  addUnseen(draft, 'sockets', 0, run);
  return draft.lane(
    Array.from({ length: rows }, () => ''),
    leftOutOf(over, 'sockets'),
  );
}
