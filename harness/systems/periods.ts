// Lengths that a card and a scenario give in words, as milliseconds of one run.
import { BOUND_NAMES } from '../model/facts.ts';
import type { BoundName, Facts } from '../model/facts.ts';
import { problem } from '../model/problem.ts';
import { formatMs, LONGEST_MS } from '../model/time.ts';
import type { Duration } from '../model/time.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Card } from './card.ts';

export type Periods = Facts['periods'];

/** Bounds that are not tested are set to this many times the planned length, so that none masks another. */
export const UNTESTED_BOUND_FACTOR = 10;
/** What the script itself takes on a busy machine, beside the waits that it names. */
const SCRIPT_ALLOWANCE_MS = 3_000;

export const isDuration = (value: unknown): value is Duration =>
  typeof value === 'object' && value !== null && ('ms' in value || 'period' in value);

/** @throws ProblemError `unknown-period` where the card does not declare the period that is counted in, `bad-duration` for what is too long */
export const toMs = (duration: Duration, periods: Periods, where: string): number => {
  if ('ms' in duration) return duration.ms;
  const length = periods[`${duration.period}Ms`];
  if (length === undefined) {
    throw problem('scenario', 'unknown-period', `${where}: the card declares no period "${duration.period}"`, {
      hint: 'give a fixed duration such as 2s, or add the period to the card',
    });
  }
  const ms = duration.count * length;
  if (ms <= LONGEST_MS) return ms;
  throw problem('scenario', 'bad-duration', `${where}: ${duration.count} ${duration.period}s are ${formatMs(ms)}`, {
    hint: `at most ${formatMs(LONGEST_MS)}, since timers know no longer time`,
  });
};

/** Replaces every Duration in parsed options by milliseconds. */
export const resolveDurations = <T>(value: T, periods: Periods, where: string): T => {
  if (isDuration(value)) return toMs(value, periods, where) as T;
  if (Array.isArray(value)) return value.map((entry) => resolveDurations(entry, periods, where)) as T;
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, resolveDurations(entry, periods, `${where}.${key}`)])) as T;
  }
  return value;
};

/** Milliseconds in one unit of a setting. */
export const unitMs = (card: Card, name: string): number => (card.settings[name]?.unit === 's' ? 1_000 : 1);

/** What the system is really told: a setting in seconds is rounded up, and the length in effect is that. */
const inEffect = (card: Card, name: string, ms: number): number => Math.ceil(ms / unitMs(card, name)) * unitMs(card, name);

/** What may override a card's own lengths. */
type WithSettings = { readonly system: Pick<Scenario['system'], 'settings'> };

/** Text such as `3s` given as a setting of the scenario overrides the card's period or bound of that name, where the card offers to set it. */
const declared = (card: Card, scenario: WithSettings, name: string, fallback: Duration | undefined): Duration | undefined => {
  const setting = scenario.system.settings[name];
  if (setting === undefined || !Object.hasOwn(card.settings, name)) return fallback;
  return isDuration(setting) ? setting : typeof setting === 'number' ? { ms: setting * unitMs(card, name) } : fallback;
};

export const periodsOf = (card: Card, scenario: WithSettings): Periods => {
  const periods: { -readonly [K in keyof Periods]: Periods[K] } = {};
  for (const name of ['renewal', 'lease', 'sweep'] as const) {
    const duration = declared(card, scenario, name, card.periods[name]);
    if (duration) periods[`${name}Ms`] = inEffect(card, name, toMs(duration, {}, `period ${name}`));
  }
  return periods;
};

const longest = (value: unknown, periods: Periods): number => {
  if (isDuration(value)) return 'ms' in value || periods[`${value.period}Ms`] !== undefined ? toMs(value, periods, '') : 0;
  if (value === null || typeof value !== 'object') return 0;
  return Math.max(0, ...Object.values(value).map((entry) => longest(entry, periods)));
};

/** How long the run is meant to take: the script, the tested bound, the largest limit of a claim and the watch. */
export const plannedMs = (card: Card, scenario: Scenario): number => {
  const periods = periodsOf(card, scenario);
  const tested = scenario.tests ? declared(card, scenario, scenario.tests, card.bounds[scenario.tests]) : undefined;
  const waits = Object.values(scenario.clients).map((client) =>
    client.script.filter((step) => step.kind === 'wait').reduce((sum, step) => sum + longest(step.options, periods), 0));
  const limits = scenario.expect.map((item) => longest(item.options, periods));
  const later = scenario.faults.map(({ wait }) => longest(wait, periods));
  return SCRIPT_ALLOWANCE_MS + Math.max(0, ...waits) + Math.max(0, ...later) + (tested ? toMs(tested, periods, 'bound') : 0)
    + Math.max(0, ...limits) + longest(scenario.watch, periods);
};

/**
 * The bounds in effect: the tested one as declared, those the harness can set at ten times the planned
 * length, `shutdown` and what it cannot set as declared.
 * @returns the bounds, and which of them have to be told to the system
 */
export const boundsOf = (card: Card, scenario: Scenario): { readonly bounds: Facts['bounds']; readonly told: readonly BoundName[] } => {
  const bounds: Partial<Record<BoundName, number>> = {};
  const told: BoundName[] = [];
  const periods = periodsOf(card, scenario);
  const widened = Math.ceil(plannedMs(card, scenario) * UNTESTED_BOUND_FACTOR);
  for (const name of BOUND_NAMES) {
    const duration = declared(card, scenario, name, card.bounds[name]);
    if (!duration) continue;
    const settable = card.settings[name] !== undefined;
    const asDeclared = name === scenario.tests || name === 'shutdown' || name in scenario.system.settings || !settable;
    bounds[name] = inEffect(card, name, asDeclared ? toMs(duration, periods, `bound ${name}`) : widened);
    if (settable) told.push(name);
  }
  return { bounds, told };
};
