// Why a whole scenario cannot be shown on this card and runtime: the first of what is missing, as a reason in one line.
import { findFakeTime } from '../runtimes/fake-time.ts';
import { registries } from '../scenario/registries.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { whyNoPayer } from './accounts.ts';
import { ownAxesOf } from './axes/card-at.ts';
import type { Card } from './card.ts';
import type { CellInput } from './cell.ts';
import { whyNoFault } from './fault-needs.ts';
import { whyNoInstances } from './instances.ts';
import { whyNoRequest } from './requests.ts';
import { otherRuntime, whyNotOn } from './runs-on.ts';
import { whyNoConclusion, whyNoSetting } from './setting-needs.ts';

/** A scenario may want its own card somewhere; on another card that has no such axis it would be something else. */
const whyNoAxis = (card: Card, { system: { coordinates = {} } }: Pick<Scenario, 'system'>): string | null => {
  const missing = Object.keys(coordinates).find((axis) => !Object.hasOwn(ownAxesOf(card), axis));
  return missing === undefined ? null : `the card of ${card.system} has no axis ${missing}`;
};

/** Why instances with the clocks that the scenario wants cannot be had here, or null. */
const whyNoSystem = ({ scenario, card, runtime, isolation, fakeTime = findFakeTime }: CellInput): string | null => {
  const without = whyNotOn(card, runtime);
  if (without !== null) return `${without}${otherRuntime(card)}`;
  const alone = whyNoInstances(card, scenario, runtime);
  if (alone !== null) return alone;
  if (Object.values(scenario.system.clocks).every((aheadMs) => aheadMs === 0)) return null;
  // What libfaketime shares between processes lies in the machine's own memory otherwise, and stays there.
  if (isolation !== 'namespace') return 'no namespace can be made here, which a wrong clock needs';
  const { why, hint } = fakeTime();
  return why === null ? null : `no clock can be set wrong here: ${why} (${hint})`;
};

/** Why the whole scenario cannot be shown here, or null. */
export const missingHere = (input: CellInput): string | null => {
  const { scenario, isolation, card } = input;
  const without = whyNoSystem(input);
  if (without !== null) return without;
  if (scenario.system.planted && card.defects === null) return `${card.system} has no defects to plant`;
  const needs = new Set(
    Object.values(scenario.clients).flatMap(({ script }) =>
      script.flatMap((step) => registries.steps.get(step.kind)?.needs?.(step.options) ?? []),
    ),
  );
  if (needs.has('namespace') && isolation !== 'namespace') return 'no network namespace can be made here, so nothing can vanish';
  const whyNot = whyNoAxis(card, scenario) ?? whyNoConclusion(card, scenario) ?? whyNoRequest(card, scenario) ?? whyNoSetting(card, scenario);
  return whyNot ?? whyNoPayer(card, scenario) ?? whyNoFault(scenario, card, isolation);
};
