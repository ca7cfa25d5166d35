// Several instances of one system on one ledger: their names, and why a card cannot have them or a machine
// cannot give them the clocks that a scenario wants.
import type { RuntimeKind } from '../runtimes/runtime.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Card } from './card.ts';

/** `router`, `router.2`: the first has the card's name, further ones their number. */
export const processNameOf = (name: string, instance: number): string => (instance === 1 ? name : `${name}.${instance}`);

/** `system`, `system.2`: by which the stage knows the instance's address. */
export const addressNameOf = (instance: number): string => processNameOf('system', instance);

/** The numbers of a scenario's instances, from 1. */
export const numbersOf = ({ system: { instances } }: Scenario): readonly number[] => Array.from({ length: instances }, (_, index) => index + 1);

/** Names of the main processes. */
export const processNamesOf = (card: Card, scenario: Scenario): readonly string[] =>
  numbersOf(scenario).map((instance) => processNameOf(card.listen.on, instance));

const ADDRESS = '${system.address}';

/** What a card's parts share the port space of one namespace: each instance must be told its own address, in what is its own alone. */
export const whyNoInstances = (card: Card, { system: { instances } }: Scenario, runtime: RuntimeKind): string | null => {
  if (instances === 1) return null;
  const main = card.run.find(({ name }) => name === card.listen.on);
  const told = JSON.stringify([main?.[runtime]?.command ?? [], main?.[runtime]?.env ?? {}]);
  if (!told.includes(ADDRESS))
    return `several instances of ${card.system} cannot be told their addresses: neither the command nor the environment of ${card.listen.on} has ${ADDRESS}`;
  const file = Object.entries(card.files).find(([, text]) => text.includes(ADDRESS));
  return file ? `several instances of ${card.system} would share the file ${file[0]}, which has ${ADDRESS}` : null;
};

/** What all instances of a cell take together, for running several side by side. */
export const weightOf = ({ card, scenario }: { readonly card: Card; readonly scenario: Scenario }): Card['weight'] => ({
  cpu: card.weight.cpu * scenario.system.instances,
  memoryBytes: card.weight.memoryBytes * scenario.system.instances,
});
