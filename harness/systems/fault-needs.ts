// Whether a card and this machine have what a scenario's faults need.
import type { FaultNeed } from '../faults/fault.ts';
import { registries } from '../scenario/registries.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Card } from './card.ts';
import { hasNoSystem } from './no-system.ts';

const whyNot: Readonly<Record<FaultNeed, (card: Card, isolation: 'namespace' | 'loopback') => string | null>> = {
  namespace: (_, isolation) => (isolation === 'namespace' ? null : 'no network namespace can be made here, which a fault needs'),
  ledger: ({ ledger }) => (ledger ? null : 'the card has no ledger, which a fault needs'),
  'ledger-row': ({ ledger }) => (ledger?.insert.row.length ? null : 'the card does not say how rows are written into its ledger'),
  'ledger-aggregate': ({ ledger }) =>
    ledger?.insert.aggregate.length ? null : "the card does not say how an account's total is written in its ledger",
};

/** @returns the first thing that is missing, or null */
export const whyNoFault = ({ faults }: Scenario, card: Card, isolation: 'namespace' | 'loopback'): string | null => {
  const alien = hasNoSystem(card) ? faults.find(({ item }) => !item.kind.startsWith('upstream-')) : undefined;
  if (alien) return `there is no system, which the fault ${alien.item.kind} is done to`;
  const needs = faults.flatMap(({ item }) => registries.faults.get(item.kind)?.needs?.(item.options) ?? []);
  const all = needs.flatMap((need): readonly FaultNeed[] => (need.startsWith('ledger-') ? ['ledger', need] : [need]));
  return all.map((need) => whyNot[need](card, isolation)).find((reason) => reason !== null) ?? null;
};
