// A scenario without a system: its clients talk to the upstream themselves, or only wait. The card that stands for it
// (images/none) runs nothing; no other card may do that.
import type { Scenario } from '../scenario/scenario.ts';
import type { Card } from './card.ts';

/** The name of that card, which a scenario gives as `system: none`. */
export const NO_SYSTEM = 'none';

export const hasNoSystem = ({ run }: Pick<Card, 'run'>): boolean => run.length === 0;

/** Nothing is started for it at all: nobody opens a connection. */
export const needsNoStage = ({ card, scenario }: { readonly card: Pick<Card, 'run'>; readonly scenario: Pick<Scenario, 'upstreams'> }): boolean =>
  hasNoSystem(card) && Object.keys(scenario.upstreams).length === 0;
