// Which exchanges a claim speaks of, and what must be true of a leave before anything is made of it.
import type { Exchange } from '../../model/exchanges.ts';
import { exchangesOf } from '../../model/exchanges.ts';
import type { Facts } from '../../model/facts.ts';
import type { Options } from '../../model/fields.ts';
import { refOf } from '../../model/observation.ts';
import { formatMs } from '../../model/time.ts';
import type { Finding } from '../../model/verdict.ts';
import { inconclusive } from './finding.ts';
import { exchangeAt } from './moment.ts';
import type { Moment } from './moment.ts';
import { pathShows } from './path.ts';
import { clientProcesses, watchersAreSound } from './trust.ts';
import type { View } from './view.ts';

/** The client's exchange, or why there is none. */
export const subjectOf = (view: View, client: string, after?: unknown): Exchange | Finding =>
  exchangeAt(view, exchangesOf(view.timeline), client, after) ?? inconclusive(`${client} planned no exchange`);

/** The clients that a claim without a client speaks of: whose mark it is, else all that have asked. */
export const clientsAt = (view: View, after: unknown): readonly string[] => {
  const leavers = view.facts.leaves.filter(({ mark }) => mark === after).map(({ client }) => client);
  const setters = view.timeline.of('mark').flatMap(({ mark, client }) => (mark === after && client !== null ? [client] : []));
  const askers = exchangesOf(view.timeline).map(({ client }) => client);
  return [...new Set([leavers, setters, askers].find((names) => names.length > 0))];
};

/** Whether the system could know of the leave: what went out must be able to arrive. */
export const leaveArrives = (view: View, exchange: Exchange, { leave }: Moment): Finding | null => {
  if (!leave || leave.wire === 'nothing') return null;
  return pathShows(view.timeline, 'client', [leave.wire]) ?? watchersAreSound(view.timeline, clientProcesses(exchange.client), leave.atMs);
};

/** An error, or an end, instead of a stream to leave. */
export const wasStreaming = (exchange: Exchange, { openAtMs, words, leave }: Moment): Finding | null => {
  const { head, ended, client } = exchange;
  if (!leave) return null;
  if (head && head.status >= 400 && head.atMs <= openAtMs) {
    return inconclusive(`precondition stream was not met: the system answered ${client} with status ${head.status} before ${words}`, [
      refOf(head),
    ]);
  }
  return ended && ended.atMs <= openAtMs
    ? inconclusive(`precondition stream was not met: the answer to ${client} had ended (${ended.how}) before ${words}`, [refOf(ended)])
    : null;
};

const isPausedAt = (view: View, { marker }: Exchange, atMs: number): boolean =>
  view.timeline.all.findLast((seen) => (seen.type === 'paused' || seen.type === 'resumed') && seen.marker === marker && seen.atMs <= atMs)
    ?.type === 'paused';

/** At that time the client has stopped reading, or its address is gone. */
export const isDeaf = (view: View, exchange: Exchange, atMs: number): boolean =>
  isPausedAt(view, exchange, atMs) || (exchange.left?.wire === 'nothing' && exchange.left.atMs <= atMs);

/** Whether the system withheld the first chunk from a client that was reading for it. */
export const withheldNote = (view: View, exchange: Exchange): string | null => {
  const endMs = exchange.left?.atMs ?? exchange.ended?.atMs ?? view.endMs;
  const wrote = exchange.upstreams.at(-1)?.progress.find(({ bytes }) => bytes > 0);
  const got = exchange.received.some(({ bytes, atMs }) => bytes > 0 && atMs <= endMs);
  if (!wrote || got || endMs - wrote.atMs <= view.facts.marginMs || isPausedAt(view, exchange, endMs)) return null;
  return `the first chunk, written ${Math.round(endMs - wrote.atMs)} ms before, never reached ${exchange.client}: the system buffers`;
};

/** Why a claim counted from this leave has no meaning for the system, or null. */
export const leaveDoesNotApply = (facts: Facts, { after, client }: Options): string | null => {
  const leaves = facts.leaves.filter((leave) => leave.mark === after && (client === undefined || leave.client === client));
  const vanishing = leaves.find(({ how }) => how === 'vanish');
  if (vanishing) return `${vanishing.client} vanishes: nothing goes out, no system can know; its own bounds are judged`;
  return servedWords(facts, leaves);
};

/** A FIN that the system takes for no leave: the rest of its work is rightly going on. */
const servedWords = ({ policy }: Facts, leaves: Facts['leaves']): string | null => {
  if (policy.halfClose !== 'serve') return null;
  const served = leaves.find(({ how, quiet }) => how === 'half-close' || ((how === 'fin' || how === 'kill') && quiet === true));
  return served ? `${served.client} leaves by ${served.how}, which the card's policy serves on` : null;
};

const drainWords = ({ bounds: { drain } }: Facts, client: string): string =>
  `the card's policy drains: after ${client}'s leave it may read on ${drain === undefined ? 'without a bound' : `for ${formatMs(drain)}`}`;

/** Why nothing need have ended within the limit of a claim that counts from a leave, or null. */
export const drainDoesNotApply = (facts: Facts, { after, client, within }: Options): string | null => {
  const leave = facts.leaves.find(({ mark, client: who }) => mark === after && (client === undefined || who === client));
  if (!leave || facts.policy.onDisconnect !== 'drain') return null;
  return typeof within === 'number' && (facts.bounds.drain ?? Infinity) <= within ? null : drainWords(facts, leave.client);
};

const leavesOfAccount = (facts: Facts, client: unknown): Facts['leaves'] => {
  const accountOf = (name: string): string | null => facts.clients[name]?.account ?? null;
  return typeof client === 'string' ? facts.leaves.filter((leave) => accountOf(leave.client) === accountOf(client)) : [];
};

/** Why the exchanges of the client's account need not be over when all has been watched, since one is served on; or null. */
export const serveDoesNotApply = (facts: Facts, { client }: Options): string | null => servedWords(facts, leavesOfAccount(facts, client));

/** The same, also where one may still be drained. */
export const endDoesNotApply = (facts: Facts, options: Options): string | null => {
  const leaves = leavesOfAccount(facts, options.client);
  const leave = leaves.find(({ how }) => how !== 'vanish');
  const isOverInTime = facts.tests === 'drain' || (facts.bounds.drain ?? Infinity) <= facts.watchMs;
  const drains = facts.policy.onDisconnect === 'drain' && leave && !isOverInTime ? drainWords(facts, leave.client) : null;
  return servedWords(facts, leaves) ?? drains;
};
