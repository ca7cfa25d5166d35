// Of the same requests again and again, the last are served like the first. What is lost with every leave and never comes back, a slot or
// a connection of a pool, shows when there is none left, and a system that serves nobody any more looks well in every other respect.
import { exchangesOf, wasReadToEnd } from '../model/exchanges.ts';
import type { Exchange } from '../model/exchanges.ts';
import { refOf } from '../model/observation.ts';
import { readingsOf, worstStarvation } from '../model/readings.ts';
import type { Gap } from '../model/readings.ts';
import { sameRate } from '../model/same-rate.ts';
import type { Finding } from '../model/verdict.ts';
import type { ExpectationDefinition } from './expectation.ts';
import { lagDoubts, RECORD_DOUBTS } from './parts/explaining.ts';
import { held, inconclusive, violated, weigh, worstOf } from './parts/finding.ts';
import { clockIsExact, everyFaultFired, pathWorks, systemLived, watchersAreSound, worstLag } from './parts/trust.ts';
import { isWhole, viewOf } from './parts/view.ts';
import type { View } from './parts/view.ts';

/** Fewer have no quarters. */
const FEWEST_TURNS = 4;
/** A change that chance makes less often than in one of a thousand records is one; what it makes in one of a hundred may be one. */
const SURE = 0.001;
const DOUBTFUL = 0.01;

/** The n-th request of a client; of one with copies that of all of them, which may depend on one another and count once. */
type Turn = { readonly all: readonly Exchange[]; readonly unserved: readonly Exchange[]; readonly isServed: boolean };
type Quarter = { readonly turns: readonly Turn[]; readonly count: number; readonly of: number };
type Client = { readonly name: string; readonly turns: readonly Turn[] };

/** It got as far as an upstream, or was answered well without one: a head alone is no answer. */
const isServed = (exchange: Exchange): boolean => {
  const { upstreams, head, ended, received } = exchange;
  if (upstreams.length > 0) return true;
  const wasAnswered = received.some(({ events }) => events > 0) || wasReadToEnd(exchange);
  return head !== undefined && head.status < 400 && (ended?.errorEvent ?? null) === null && wasAnswered;
};

const turnsOf = (members: readonly (readonly Exchange[])[]): readonly Turn[] =>
  Array.from({ length: Math.min(...members.map((all) => all.length)) }, (_, turn) => {
    const all = members.map((ofMember) => ofMember[turn]!);
    const unserved = all.filter((exchange) => !isServed(exchange));
    return { all, unserved, isServed: unserved.length * 2 <= all.length };
  });

/** Each by itself: of those that ask with different frequency, or from different accounts, one may starve beside the others. */
const clientsOf = ({ facts: { copies = {} } }: View, exchanges: readonly Exchange[]): readonly Client[] => {
  const nameOf = ({ client }: Exchange): string => Object.keys(copies).find((name) => copies[name]!.includes(client)) ?? client;
  return [...Map.groupBy(exchanges, nameOf)].map(([name, all]) => ({ name, turns: turnsOf([...Map.groupBy(all, ({ client }) => client).values()]) }));
};

const quarterOf = (turns: readonly Turn[]): Quarter => ({ turns, count: turns.filter((turn) => turn.isServed).length, of: turns.length });

const endOf = (view: View, { left, ended }: Exchange): number => left?.atMs ?? ended?.atMs ?? view.endMs;

/** Those during which somebody had no processor: a client that then leaves may have left before its time. */
const maybeOurDoing = (view: View, exchanges: readonly Exchange[]): readonly Exchange[] => {
  const { timeline, facts: { marginMs } } = view;
  const readings = readingsOf(timeline, 'process');
  const wasLate = (window: Gap): boolean => (worstLag(timeline, window)?.lagMs ?? 0) > marginMs || worstStarvation(readings, window, Infinity).waitedMs > marginMs;
  // Of many thousands mostly nobody was.
  if (!wasLate({ fromMs: exchanges[0]!.planned.atMs, toMs: view.endMs })) return [];
  return exchanges.filter((exchange) => wasLate({ fromMs: exchange.planned.atMs, toMs: endOf(view, exchange) }));
};

/** As clients are told to go away: for what they have done, which an operator may want. */
const isRefusal = ({ head }: Exchange): boolean => head !== undefined && head.status >= 400 && head.status < 500;

const answerOf = ({ head, written }: Exchange): string => (head ? `status ${head.status}` : written ? 'no answer' : 'no connection');

/** @param asked so many clients, each of which chance may make look as if it had changed */
const decideOne = (view: View, { name, turns }: Client, asked: number): Finding => {
  const quarter = Math.floor(turns.length / 4);
  const [first, last] = [quarterOf(turns.slice(0, quarter)), quarterOf(turns.slice(-quarter))];
  const said = `of ${name}'s last ${last.of} turns ${last.count} were served, of the first ${first.of} ${first.count}`;
  const evidence = [first.turns[0]!, last.turns[0]!, last.turns.at(-1)!].map(({ all }) => refOf(all[0]!.planned));
  const chance = asked * sameRate(first, last);
  const isLost = last.count === 0 && first.count === first.of;
  if (last.count >= first.count / 2 || (chance > DOUBTFUL && !isLost)) return held(said, evidence);
  const unserved = last.turns.filter((turn) => !turn.isServed).flatMap((turn) => turn.unserved);
  const doubtful = maybeOurDoing(view, unserved);
  if (doubtful.length > 0) return inconclusive(`${said}, and somebody lagged, or the system was starved, during ${doubtful.length} of the other requests`, evidence);
  if (chance > SURE) return inconclusive(`${said}: too few to tell a change from chance`, evidence);
  const refused = unserved.find(isRefusal);
  if (refused) return inconclusive(`${said}, where it was refused with ${answerOf(refused)}: whether it may refuse is not known`, [...evidence, refOf(refused.head!)]);
  const fired = view.timeline.of('fault').find(({ edge }) => edge === 'fired');
  if (fired) return inconclusive(`${said}, and fault ${fired.fault} was fired`, [...evidence, refOf(fired)]);
  return violated(`${said}; the last of them had ${answerOf(unserved.at(-1)!)}`, evidence, { interval: { fromMs: unserved[0]!.planned.atMs, toMs: view.endMs } });
};

const judge = (view: View): Finding => {
  const all = clientsOf(view, exchangesOf(view.timeline).filter(({ planned }) => planned.repeat !== true && planned.atMs <= view.endMs));
  const clients = all.filter(({ turns }) => turns.length >= FEWEST_TURNS);
  const most = Math.max(0, ...all.map(({ turns }) => turns.length));
  return weigh({
    premises: [
      () => everyFaultFired(view),
      () => (clients.length === 0 ? inconclusive(`nobody asked more than ${most} times, and ${FEWEST_TURNS} are the fewest that have a first and a last quarter`) : null),
    ],
    guards: [
      () => pathWorks(view),
      () => clockIsExact(view),
      () => watchersAreSound(view.timeline, ['clients', 'upstreams'], view.endMs),
      () => systemLived(view, view.endMs),
      () => isWhole(view),
    ],
    decide: () => worstOf(clients.map((client) => decideOne(view, client, clients.length))),
  });
};

export const definition: ExpectationDefinition = {
  kind: 'keeps-serving',
  about: 'Of the same requests of a client again and again, the last quarter is served like the first: it reaches an upstream, or is answered well. `hangup soak` asks it of a system that lives long.',
  fields: { options: {} },
  example: {},
  notApplicable: () => null,
  explain: (facts) => ({
    needs: [`${FEWEST_TURNS} requests or more of a client; 8 in each quarter to be sure of a change`],
    violatedIf: ['of a client\'s last quarter less than half as many turns are served as of the first, by more than chance makes in one of a thousand records'],
    inconclusiveIf: ['fewer are served, and it may be chance, a fault, or a refusal by a 4xx status', ...lagDoubts(facts), ...RECORD_DOUBTS],
  }),
  judge: (input) => judge(viewOf(input, 'watch')),
};
