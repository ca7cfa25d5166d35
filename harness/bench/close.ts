// How long a client's reset takes to be recorded at the upstream, beside a bare server of node:net.
import { setTimeout } from 'node:timers/promises';
import { median } from '../model/median.ts';
import type { Emitted } from '../model/protocol.ts';
import { nowMs } from '../model/time.ts';
import { interleave, quantile, spread, within } from './measure.ts';
import type { Measure } from './measure.ts';
import { startOurs, startPeer } from './servers.ts';
import { openStreams } from './stream.ts';

const AT_ONCE = 100;
const ROUNDS = 20;
/** Nobody leaves in the instant in which they came: both servers are idle when the resets come. */
const REST_MS = 100;
const SEEN_LIMIT_MS = 5_000;
const AIM = 1.1;

/** By the port of the client, absolute ms. */
type Stamps = ReadonlyMap<number, number>;
type Round = { readonly latenciesMs: readonly number[]; readonly missed: number };

/** @param closes resolves with what the server recorded, when all were seen or none come any more */
const oneRound = async (port: number, closes: () => Promise<Stamps>): Promise<Round> => {
  const sockets = await openStreams(port, AT_ONCE);
  await setTimeout(REST_MS);
  const seen = closes();
  const left = sockets.map((socket) => {
    const one = { port: socket.localPort!, atMs: nowMs() };
    socket.resetAndDestroy();
    return one;
  });
  const stamps = await seen;
  const latenciesMs = left.flatMap(({ port: own, atMs }) => (stamps.has(own) ? [stamps.get(own)! - atMs] : []));
  return { latenciesMs, missed: AT_ONCE - latenciesMs.length };
};

/** Puts the facts of the upstream together: whose reset was recorded when. */
const createRecord = (): { readonly take: (fact: Emitted) => void; readonly closes: () => Promise<Stamps> } => {
  const ports = new Map<number, number>();
  let stamps = new Map<number, number>();
  let complete = (): void => {};
  return {
    take: (fact) => {
      if (fact.type === 'connection-opened') ports.set(fact.connection, Number(fact.peer.split(':').at(-1)));
      if (fact.type !== 'peer-closed' || fact.how !== 'rst') return;
      stamps.set(ports.get(fact.connection)!, fact.at);
      if (stamps.size === AT_ONCE) complete();
    },
    closes: () => {
      stamps = new Map();
      const { promise, resolve } = Promise.withResolvers<Stamps>();
      complete = () => resolve(stamps);
      return within(promise, SEEN_LIMIT_MS, 'the last close').catch(() => stamps);
    },
  };
};

const run: Measure['run'] = async () => {
  const record = createRecord();
  await using ours = await startOurs({ kind: 'silent' }, record.take);
  await using peer = await startPeer('close');
  const peerCloses = async (): Promise<Stamps> => {
    const answer = await peer.ask({ count: AT_ONCE }, SEEN_LIMIT_MS).catch(() => peer.ask({}, SEEN_LIMIT_MS));
    return new Map((answer as { readonly closes: readonly (readonly [number, number])[] }).closes);
  };
  const both = (rounds: number) => interleave(rounds, () => oneRound(ours.port, record.closes), () => oneRound(peer.port, peerCloses));
  // Both programs are compiled by then, as they are in any run that lasts.
  await both(4);
  const rounds = await both(ROUNDS);
  const p50 = (round: Round): number => quantile(round.latenciesMs, 0.5);
  const ratios = rounds.map((round) => p50(round.ours) / p50(round.theirs));
  const missed = rounds.reduce((sum, round) => sum + round.ours.missed, 0);
  const times = (side: 'ours' | 'theirs'): string => median(rounds.map((round) => p50(round[side]))).toFixed(2);
  return {
    measured: `${spread(ratios)}; p50 ${times('ours')} ms beside ${times('theirs')} ms; ${missed} of ${ROUNDS * AT_ONCE} missed`,
    isMet: median(ratios) <= AIM && missed === 0,
  };
};

export const close: Measure = {
  name: 'close',
  work: 'client RST to close recorded at the upstream, 100 at once',
  beside: 'a bare node:net server',
  aim: `median of p50 ratios <= ${AIM}, none missed`,
  run,
};
