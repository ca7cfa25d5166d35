// Of the same requests again and again, the last are served like the first. What is lost with every leave and never comes back, a slot or
// a connection of a pool, shows when there is none left, and a system that serves nobody any more looks well in every other respect.
import { exchangesOf } from '../model/exchanges.ts';
import type { Exchange } from '../model/exchanges.ts';
import { refOf } from '../model/observation.ts';
import { readingsOf } from '../model/readings.ts';
import type { Gap } from '../model/readings.ts';
import { formatMs } from '../model/time.ts';
import type { Finding } from '../model/verdict.ts';
import type { ExpectationDefinition } from './expectation.ts';
import { lagDoubts, RECORD_DOUBTS } from './parts/explaining.ts';
import { held, inconclusive, violated, weigh, worstOf } from './parts/finding.ts';
import { refusedTo } from './parts/refused.ts';
import { FEWEST_TURNS, lostOf, SURE_TURNS } from './parts/serving-lost.ts';
import type { Lost } from './parts/serving-lost.ts';
import { clientsOf, endOf, questionsOf } from './parts/serving-turns.ts';
import type { Asked } from './parts/serving-turns.ts';
import { clockIsExact, everyFaultFired, pathWorks, systemLived, waitedMs, watchersAreSound, worstLag } from './parts/trust.ts';
import { isWhole, viewOf } from './parts/view.ts';
import type { View } from './parts/view.ts';

/** Those during which somebody had no processor: a client that then leaves may have left before its time. */
const maybeOurDoing = (view: View, exchanges: readonly Exchange[]): readonly Exchange[] => {
  const { timeline, facts: { marginMs } } = view;
  const wasLate = (window: Gap): boolean => (worstLag(timeline, window)?.lagMs ?? 0) > marginMs || waitedMs(view, window) > marginMs;
  // Of many thousands mostly nobody was.
  if (!wasLate({ fromMs: exchanges[0]!.planned.atMs, toMs: view.endMs })) return [];
  return exchanges.filter((exchange) => wasLate({ fromMs: exchange.planned.atMs, toMs: endOf(view, exchange) }));
};

/** A wait for a processor is a difference of two samples: without one before and one after nobody knows whether there was one. */
const feedingIsSeen = (view: View, exchanges: readonly Exchange[]): boolean => {
  const seen = readingsOf(view.timeline, 'process').filter(({ value }) => Object.keys(value.runDelays).length > 0);
  const overMs = exchanges.reduce((latest, exchange) => Math.max(latest, exchange.left?.atMs ?? exchange.ended?.atMs ?? refusedTo(view, exchange)?.atMs ?? exchange.planned.atMs), -Infinity);
  return seen.some(({ atMs }) => atMs <= exchanges[0]!.planned.atMs) && seen.some(({ beganMs }) => beganMs >= overMs);
};

/** As clients are told to go away: for what they have done, which an operator may want. */
const isRefusal = ({ head }: Exchange): boolean => head !== undefined && head.status >= 400 && head.status < 500;

const answerOf = (view: View, exchange: Exchange): string => {
  const { head, written, upstreams } = exchange;
  if (head) return `status ${head.status}`;
  if (!written) return 'no connection';
  const lateMs = (upstreams[0]?.received.atMs ?? -Infinity) - endOf(view, exchange);
  return lateMs > 0 ? `no answer, and came to an upstream ${formatMs(lateMs)} after its client had left` : 'no answer';
};

/** The same words whichever test it was: a night must know it again in the next one. */
const wordsOf = ({ name, word }: Asked, { last, first }: Lost): string =>
  `of ${name}'s last ${last.of} turns ${last.count} were ${word}, of the first ${first.of} ${first.count}`;

/** @param clients of whom it is asked */
const decideOne = (view: View, asked: Asked, clients: number): Finding => {
  const { turns } = asked;
  const lost = lostOf(turns.map(({ isServed }) => isServed), clients);
  const [said, late] = [wordsOf(asked, lost), turns.slice(-lost.last.of)];
  const evidence = [turns[0]!, late[0]!, late.at(-1)!].map(({ all }) => refOf(all[0]!.planned));
  if (lost.outcome === 'no') return held(said, evidence);
  const unserved = late.filter((turn) => !turn.isServed).flatMap((turn) => turn.unserved);
  const doubtful = maybeOurDoing(view, unserved);
  if (doubtful.length > 0) return inconclusive(`${said}, and somebody lagged, or the system was starved, during ${doubtful.length} of the other requests`, evidence);
  const hasty = unserved.filter(asked.isHasty);
  if (hasty.length > 0) return inconclusive(`${said}, but who asked left ${hasty.length} of the other requests too soon to know whether they would have been`, evidence);
  if (lost.outcome === 'doubtful') return inconclusive(`${said}: ${lost.why}`, evidence);
  const refused = unserved.find(isRefusal);
  if (refused) return inconclusive(`${said}, where it was refused with ${answerOf(view, refused)}: whether it may refuse is not known`, [...evidence, refOf(refused.head!)]);
  const fired = view.timeline.of('fault').find(({ edge }) => edge === 'fired');
  if (fired) return inconclusive(`${said}, and fault ${fired.fault} was fired`, [...evidence, refOf(fired)]);
  if (!feedingIsSeen(view, unserved)) return inconclusive(`${said}, but whether the system had a processor meanwhile was not seen`, evidence);
  return violated(`${said}; the last of them had ${answerOf(view, unserved.at(-1)!)}`, evidence, { interval: { fromMs: unserved[0]!.planned.atMs, toMs: view.endMs } });
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
    decide: () => worstOf(clients.flatMap((client) => questionsOf(view, client).map((asked) => decideOne(view, asked, clients.length)))),
  });
};

export const definition: ExpectationDefinition = {
  kind: 'keeps-serving',
  about: 'Of the same requests of a client again and again, the last are served like the first: they reach an upstream before the client leaves, or are answered well; and where the first were answered with something, so are the last. `hangup soak` asks it of a system that lives long.',
  fields: { options: {} },
  example: {},
  notApplicable: () => null,
  explain: (facts) => ({
    needs: [`${FEWEST_TURNS} requests or more of a client, ${SURE_TURNS} to be sure of a change`, 'samples of how long the system waits for a processor, before and after those that are not served'],
    violatedIf: [
      'by more than chance makes in one of a thousand records, none of a client\'s last turns is served, a quarter of all or more, or of its last quarter less than half as many as of the first',
      'the same of turns that are answered with something',
    ],
    inconclusiveIf: [
      'fewer are served, and it may be chance, soon over, a fault, or a refusal by a 4xx status',
      `a client leaves before what it usually takes, and ${formatMs(facts.marginMs)} for measuring, are over`,
      ...lagDoubts(facts), ...RECORD_DOUBTS,
    ],
  }),
  judge: (input) => judge(viewOf(input, 'watch')),
};
