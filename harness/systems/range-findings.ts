// Ranges of a scenario whose ends are the wrong way round on its card: `1 lease..2 renewals` is known to be one only with both at hand.
import { formatMs } from '../model/time.ts';
import type { Duration, DurationRange } from '../model/time.ts';
import type { Finding } from '../scenario/issues.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Card } from './card.ts';
import { withDefaults } from './claims.ts';
import { isDuration, periodsOf, toMs } from './periods.ts';

type Placed = { readonly value: unknown; readonly path: Finding['path'] };

const isRange = (value: unknown): value is DurationRange =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value && isDuration(value.from) && isDuration(value.to);

/** Copies stand in the file once, under the name that they share. */
const writtenName = ({ copies = {} }: Scenario, client: string): string =>
  Object.entries(copies).find(([, names]) => names.includes(client))?.[0] ?? client;

const placesOf = (scenario: Scenario): readonly Placed[] => [
  ...Object.entries(scenario.clients).flatMap(([client, { script }]) =>
    script.flatMap(({ kind, options }, index) =>
      Object.entries(options).map(([key, value]) => ({ value, path: ['clients', writtenName(scenario, client), 'script', index, kind, key] })),
    ),
  ),
  ...scenario.faults.flatMap(({ wait, item: { kind, options } }, index) => [
    { value: wait, path: ['faults', index, 'wait'] },
    ...Object.entries(options).map(([key, value]) => ({ value, path: ['faults', index, kind, key] })),
  ]),
];

export const rangeFindings = (scenario: Scenario, card: Card): readonly Finding[] => {
  const periods = withDefaults(periodsOf(card, scenario));
  const lengthOf = (duration: Duration): number => toMs(duration, periods, scenario.id);
  return placesOf(scenario).flatMap(({ value, path }): readonly Finding[] => {
    if (!isRange(value) || lengthOf(value.from) <= lengthOf(value.to)) return [];
    const ends = `begins at ${formatMs(lengthOf(value.from))} and ends at ${formatMs(lengthOf(value.to))}`;
    return [{
      code: 'bad-duration', message: `on the card \`${card.system}\` the range ${ends}`,
      hint: 'give the shorter length first, or both in the same period', path, at: 'value',
    }];
  });
};
