// Whoever else is served goes on being served: its money stays held, its lease is kept up, its client goes
// on receiving. Leases are judged by whether they move, since the clocks of instances may be wrong.
import { exchangesOf } from '../model/exchanges.ts';
import type { Exchange } from '../model/exchanges.ts';
import type { Facts } from '../model/facts.ts';
import type { Options } from '../model/fields.ts';
import { refOf } from '../model/observation.ts';
import { formatMs } from '../model/time.ts';
import { createTimeline } from '../model/timeline.ts';
import type { Finding } from '../model/verdict.ts';
import type { ExpectationDefinition } from './expectation.ts';
import { inconclusive, noting, weigh, worstOf } from './parts/finding.ts';
import { disturbanceOf, instanceOf } from './parts/instances.ts';
import { ledgerKeptUp, ledgerLasted, noReservations } from './parts/ledger.ts';
import { judgeRows } from './parts/sibling-rows.ts';
import { judgeStream } from './parts/sibling-stream.ts';
import { unlessKeptFromLedger, unlessStarved } from './parts/starved.ts';
import { clientProcesses, everyFaultFired, feedingWasSeen, pathWorks, systemLived, systemWasFed, watchersAreSound } from './parts/trust.ts';
import { isWhole, viewOf } from './parts/view.ts';
import type { View } from './parts/view.ts';

const namesOf = ({ copies }: Facts, names: readonly string[]): readonly string[] => names.flatMap((name) => copies?.[name] ?? [name]);

/** Those that are named; else everybody but the affected client, its copies, and whoever leaves. */
const siblingsOf = (facts: Facts, { client, clients }: Options): readonly string[] => {
  if (Array.isArray(clients)) return namesOf(facts, clients.map(String));
  const group = Object.values(facts.copies ?? {}).find((members) => members.includes(client as string)) ?? [];
  const leavers = new Set(facts.leaves.map((leave) => leave.client));
  return Object.keys(facts.clients).filter((name) => name !== client && !group.includes(name) && !leavers.has(name));
};

const judgeServed = (view: View, exchange: Exchange, process: string): Finding =>
  weigh({
    guards: [() => watchersAreSound(view.timeline, ['upstreams', ...clientProcesses(exchange.client)], view.endMs)],
    decide: () => {
      const stream = judgeStream(view, exchange);
      return unlessStarved(view, exchange.account === null ? stream : worstOf([unlessKeptFromLedger(view, judgeRows(view, exchange)), stream]), process);
    },
    confirm: [() => (exchange.account === null ? null : ledgerKeptUp(view, { fromMs: exchange.planned.atMs, toMs: view.endMs }))],
  });

/** What was known until then. */
const until = (view: View, endMs: number): View => ({ ...view, endMs, timeline: createTimeline(view.timeline.all.filter(({ atMs }) => atMs < endMs)) });

const judgeExchange = (view: View, exchange: Exchange): Finding | null => {
  const { client, planned } = exchange;
  const instance = instanceOf(view, exchange);
  const { process } = instance;
  const disturbed = disturbanceOf(view, instance, planned.atMs);
  if (!disturbed) return judgeServed(view, exchange, process);
  // What was done to it before is not excused by what a fault did later.
  const before = until(view, disturbed.atMs);
  const found = exchangesOf(before.timeline).find((each) => each.planned.seq === planned.seq);
  const wrong = found && judgeServed(before, found, process);
  if (wrong?.outcome === 'violated') return wrong;
  // A system that a fault stopped serves nobody; that is no word about siblings.
  if (view.options.clients === undefined) return null;
  return inconclusive(`${client} is served by ${disturbed.process}, to which a fault sent ${disturbed.signal}`, [refOf(disturbed)]);
};

/** Its latest exchange; of those before only what was plainly done to them. */
const judgeSibling = (view: View, client: string): Finding | null => {
  const findings = exchangesOf(view.timeline).flatMap((each) => (each.client === client ? [judgeExchange(view, each)] : []));
  if (findings.length === 0) return inconclusive(`${client} planned no exchange`);
  return findings.find((found) => found?.outcome === 'violated') ?? findings.at(-1)!;
};

const judge = (view: View): Finding => {
  const clients = siblingsOf(view.facts, view.options);
  const findings = clients.flatMap((client) => judgeSibling(view, client) ?? []);
  const left = clients.length - findings.length;
  const leaseMs = view.facts.periods.leaseMs!;
  const watch = { fromMs: view.timeline.phase('watch').beginMs ?? 0, toMs: view.endMs };
  return weigh({
    premises: [() => everyFaultFired(view)],
    guards: [() => pathWorks(view), () => systemLived(view, view.endMs), () => isWhole(view)],
    decide: () =>
      findings.length > 0
        ? noting(worstOf(findings), left > 0 ? `${left} more were served by an instance that a fault stopped` : null)
        : inconclusive('every sibling was served by an instance that a fault stopped'),
    confirm: [() => ledgerLasted(view), () => systemWasFed(view, watch, leaseMs), () => feedingWasSeen(view, watch, leaseMs)],
  });
};

export const definition: ExpectationDefinition = {
  kind: 'siblings-untouched',
  about:
    'To the end of the watch each sibling keeps its reservation, the lease of it never moves back or lapses, and its client goes on receiving.',
  fields: {
    options: {
      clients: { type: 'client', about: 'The siblings; otherwise everybody but `client` and those that leave.', list: true, optional: true },
      client: { type: 'client', about: 'Who is affected, where it does not leave.', optional: true },
    },
  },
  example: { clients: ['bob'] },
  notApplicable: (facts, options) => {
    const siblings = siblingsOf(facts, options);
    const { leaseMs } = facts.periods;
    return (
      noReservations(facts, {}) ??
      (leaseMs === undefined ? 'the card declares no period of lease' : null) ??
      (siblings.length === 0 ? 'the scenario has no sibling: every client leaves, or is the affected one' : null)
    );
  },
  explain: (facts, options) => ({
    needs: [
      `an active reservation and data events of ${siblingsOf(facts, options).join(', ')} when the watch begins`,
      `a watch of each lease for longer than ${formatMs(facts.periods.leaseMs!)}`,
    ],
    violatedIf: [
      'its reservation is terminal or gone while its stream is live',
      `its lease moves backwards, or does not move for longer than ${formatMs(facts.periods.leaseMs!)}`,
      'the system ends its stream, or nothing more comes to its client',
    ],
    inconclusiveIf: ['its own upstream ended it', 'a fault stopped the instance that served it', 'the system was starved for more than a third of a lease'],
  }),
  judge: (input) => judge(viewOf(input, 'watch')),
};
