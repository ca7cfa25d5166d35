// What a scenario sets its system to, where the card says nothing of how that is set. A length that the card declares by itself
// counts as the card has it; of what was never promised (a bound, a queue, a retry) nothing can be judged.
import { basename } from 'node:path';
import { BOUND_NAMES } from '../model/facts.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Card } from './card.ts';

const PERIODS: readonly string[] = ['renewal', 'lease', 'sweep'];
/** Nobody sees these where there is no ledger. */
const AMOUNTS: readonly string[] = ['reserve', 'per-event', 'per-request'];
const BOUNDS: readonly string[] = BOUND_NAMES;

type Setting = Scenario['system']['settings'][string];

/** What is missing for one setting that the card does not offer, or null. */
const whyNotSet = (card: Card, name: string, value: Setting): string | null => {
  // Without a ledger no claim is about them; with one the card must declare them, and a wait counted in them says so.
  if (PERIODS.includes(name)) return null;
  if (BOUNDS.includes(name)) return name in card.bounds ? null : `the card of ${card.system} declares no bound ${name}, nor how one is set`;
  if (card.ledger === null && AMOUNTS.includes(name)) return null;
  if (name === 'on-disconnect' && value === card.policy.onDisconnect) return null;
  return `the card of ${card.system} has no setting ${name}`;
};

/** Why a scenario that sets its system to something cannot be shown on this card, or null. */
export const whyNoSetting = (card: Card, { system: { settings } }: Pick<Scenario, 'system'>): string | null =>
  Object.entries(settings)
    .filter(([name]) => card.settings[name] === undefined)
    .map(([name, value]) => whyNotSet(card, name, value))
    .find((reason) => reason !== null) ?? null;

/**
 * What a run must conclude is said of the scenario's own card, whose names and faults it knows: of another nothing is. A card that
 * is named by its path is taken for its own.
 * @returns why it cannot be shown on this card, or null
 */
export const whyNoConclusion = (card: Card, { concludes, system }: Pick<Scenario, 'concludes' | 'system'>): string | null => {
  const isOwn = system.card.includes('/') || [card.system, basename(card.folder)].includes(system.card);
  return concludes === undefined || isOwn ? null : `it says what a run on ${system.card} must conclude, which is not said of ${card.system}`;
};
