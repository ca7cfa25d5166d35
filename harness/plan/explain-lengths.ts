// How long each phase of a cell is planned to take and may take at most, and which bounds, periods and
// settings it will have, each with who decided it. The same numbers that a run uses, none of them made up here.
import { formatMs, longestOf } from '../model/time.ts';
import { BOUND_NAMES, ORIGINS } from '../model/facts.ts';
import { afterAskingMs, SIBLING_LIMIT_MS } from '../run/ask.ts';
import { settleLimitMs } from '../run/settle.ts';
import { stopLimitMs } from '../run/stop.ts';
import type { Cell } from '../systems/cell.ts';
import { hasNoSystem, needsNoStage } from '../systems/no-system.ts';
import { periodsOf, plannedMs, toMs, UNTESTED_BOUND_FACTOR } from '../systems/periods.ts';
import type { DecidedBy, PhaseLength, SetValue } from './explanation.ts';

type Step = Cell['scripts'][string][number];

/** A wait is as long as it says; what waits for something has a limit, and is over when that has come. */
export const stepLength = ({ kind, options }: Step): { readonly plannedMs: number; readonly atMostMs: number | null } => {
  const lengths = ['for', 'or-after', 'within'].map((key) => longestOf(options[key])).filter((value) => value !== undefined);
  if (kind === 'wait') return { plannedMs: lengths[0] ?? 0, atMostMs: lengths[0] ?? 0 };
  return { plannedMs: 0, atMostMs: lengths.length === 0 ? null : Math.min(...lengths) };
};

const longest = (cell: Cell, of: (step: Step) => number): number =>
  Math.max(0, ...Object.values(cell.scripts).map((script) => script.reduce((sum, step) => sum + of(step), 0)));

type Length = Omit<PhaseLength, 'overByMs'>;

/** What a fault waits after its mark, and holds on for, at most, ms: a lock, an outage, a system that stays away. */
export const faultLengthMs = ({ wait, item: { options } }: Cell['faults'][number]): number =>
  [wait, options.for, options['down-for']].reduce((sum: number, length) => sum + (longestOf(length) ?? 0), 0);

const drivePhase = (cell: Cell): Length => {
  const faultsMs = cell.faults.filter(({ after }) => after !== null).reduce((sum, fault) => sum + faultLengthMs(fault), 0);
  const planned = longest(cell, (step) => stepLength(step).plannedMs);
  const isWritten = Object.values(cell.scenario.clients).some(({ script }) => script.length > 0);
  return {
    phase: 'drive',
    plannedMs: planned > 0 ? planned : null,
    atMostMs: longest(cell, (step) => stepLength(step).atMostMs ?? 0) + faultsMs,
    from: 'scenario',
    why: isWritten
      ? `the longest script${faultsMs > 0 ? ', and its faults' : ''}; a wait that runs out is not seen, and the script goes on`
      : 'no client has a script',
  };
};

/** A fault before the start needs a system that was set up, is stopped, and is started again. */
const preparePhase = ({ card, scenario, facts, faults }: Cell): Length => {
  const readyMs = toMs(card.ready.within, periodsOf(card, scenario), 'ready');
  const before = faults.filter(({ after }) => after === null);
  const againMs = before.reduce((sum, fault) => sum + faultLengthMs(fault), facts.stop.graceMs + readyMs);
  const again = before.length === 0 ? '' : ', twice, the grace and the faults: it is stopped for what is done before the start';
  return {
    phase: 'prepare',
    plannedMs: null,
    atMostMs: readyMs + (before.length === 0 ? 0 : againMs),
    from: 'card',
    why: `ready.within${again}; then one plain exchange for each account`,
  };
};

const watchPhase = ({ facts, scenario }: Cell): Length => {
  const { watch } = scenario;
  const words = 'ms' in watch ? formatMs(watch.ms) : `${watch.count} ${watch.period}s`;
  const why = `watch: ${words}; a quiet time in which nothing may move, never cut short`;
  return { phase: 'watch', plannedMs: facts.watchMs, atMostMs: facts.watchMs, from: 'scenario', why };
};

const askPhase = ({ facts, claims }: Cell): Length => {
  const isClaimed = (claim: string): boolean => claims.some(({ kind, notApplicable }) => kind === claim && notApplicable === null);
  const isTriedTwice = isClaimed('terminal-once');
  const waitMs = afterAskingMs(facts, isTriedTwice);
  const asks = isClaimed('refundable') || isTriedTwice;
  const siblings = asks ? SIBLING_LIMIT_MS * Math.max(0, Object.keys(facts.clients).length - 1) : 0;
  if (facts.stopsAt !== null) {
    return { phase: 'ask', plannedMs: 0, atMostMs: 0, from: 'harness', why: 'left out: the scenario stops the system itself' };
  }
  return {
    phase: 'ask',
    plannedMs: waitMs,
    atMostMs: waitMs + siblings,
    from: 'harness',
    why:
      `${asks ? `siblings are let finish, then ${isTriedTwice ? 'two refunds are' : 'one refund is'} asked for; ` : ''}` +
      `upstreams finish, and ${isTriedTwice ? 'two sweeps are' : 'one renewal is'} waited for`,
  };
};

const stopPhase = (cell: Cell): Length => {
  const { stop, marginMs, stopsAt } = cell.facts;
  const limitMs = stopLimitMs({ cell, facts: cell.facts });
  const from: DecidedBy = limitMs > stop.graceMs ? 'scenario' : 'card';
  const signal = stopsAt === null ? `${stop.signal} is sent` : `${stop.signal} was sent at mark ${stopsAt}`;
  return { phase: 'stop', plannedMs: null, atMostMs: limitMs + marginMs, from, why: `${signal}; after ${formatMs(limitMs)} it is SIGKILL` };
};

/** A matter of milliseconds, which nobody waits for. */
const quick = (phase: string, why: string): Length => ({ phase, plannedMs: 0, atMostMs: 0, from: 'harness', why });

/** Without a system there is nobody to wait for but the actors. */
const aloneWhy = (cell: Cell): string => (needsNoStage(cell) ? 'nothing is started' : 'no system is started; one plain exchange with the upstream');

const lengthsOf = (cell: Cell): readonly Length[] => {
  const settleMs = settleLimitMs({ cell, facts: cell.facts });
  const largest = `the largest limit of a claim${cell.facts.stopsAt === null ? '' : ', or the grace'}, the margin and a second`;
  return [
    hasNoSystem(cell.card) ? { ...quick('prepare', aloneWhy(cell)), plannedMs: null } : preparePhase(cell),
    quick('path-control', 'a direct connection on each leg is closed, and the close must be seen'),
    quick('baseline', 'all probes once; what is left over is compared with it'),
    drivePhase(cell),
    { phase: 'settle', plannedMs: null, atMostMs: settleMs, from: 'scenario', why: `until no claim waits any more; at most ${largest}` },
    watchPhase(cell),
    askPhase(cell),
    ...(hasNoSystem(cell.card) ? [] : [stopPhase(cell)]),
  ];
};

/** Phases in their order; a phase without a planned length ends as soon as it can. */
export const phasesOf = (cell: Cell): readonly PhaseLength[] => {
  let overByMs = 0;
  return lengthsOf(cell).map(({ phase, plannedMs: planned, atMostMs, ...rest }) => {
    overByMs += atMostMs;
    return { phase, plannedMs: planned, atMostMs, overByMs, ...rest };
  });
};

const boundWhy = (cell: Cell, name: (typeof BOUND_NAMES)[number]): { readonly from: DecidedBy; readonly why: string } => {
  const { card, scenario, facts } = cell;
  const counts = `counts from: ${ORIGINS[name]}`;
  if (name in scenario.system.settings) return { from: 'scenario', why: `set by the scenario; ${counts}` };
  if (name === facts.tests) return { from: 'card', why: `as the card declares it: this scenario tests it; ${counts}` };
  if (card.settings[name] === undefined) return { from: 'card', why: `as the card declares it, and it cannot be set; ${counts}` };
  if (name === 'shutdown') return { from: 'card', why: `as the card declares it, since it stays below the grace; ${counts}` };
  const planned = formatMs(plannedMs(card, scenario));
  return { from: 'harness', why: `${UNTESTED_BOUND_FACTOR} times the planned length of ${planned}, so that it masks nothing` };
};

export const boundsIn = (cell: Cell): readonly SetValue[] =>
  BOUND_NAMES.flatMap((name) => {
    const ms = cell.facts.bounds[name];
    return ms === undefined ? [] : [{ name, value: formatMs(ms), ...boundWhy(cell, name) }];
  });

const PERIODS = {
  renewal: 'the heartbeat of a reservation',
  lease: 'how long a reservation is valid without it',
  sweep: 'how often what is stale is swept',
} as const;

export const periodsIn = ({ facts, scenario }: Cell): readonly SetValue[] =>
  (['renewal', 'lease', 'sweep'] as const).flatMap((name) => {
    const ms = facts.periods[`${name}Ms`];
    const from: DecidedBy = name in scenario.system.settings ? 'scenario' : 'card';
    return ms === undefined ? [] : [{ name, value: formatMs(ms), from, why: PERIODS[name] }];
  });

/** What the system will find in its environment, beside what its card says anyway. */
export const settingsIn = (cell: Cell): readonly SetValue[] => {
  const { card, scenario, settings } = cell;
  const decisions = [...boundsIn(cell), ...periodsIn(cell)];
  return Object.entries(settings).map(([variable, value]) => {
    const name = Object.keys(card.settings).find((each) => card.settings[each]!.env === variable) ?? variable;
    const decided = decisions.find((each) => each.name === name);
    const why = name in scenario.system.settings ? `system.settings.${name}` : `the ${name} above`;
    return { name: variable, value, from: decided?.from ?? 'scenario', why };
  });
};
