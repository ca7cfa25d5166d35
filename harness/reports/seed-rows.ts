// From which seed a run was made, and which times it gave: rows of a table, none where nothing of it is known.
import type { Manifest, Resolved } from '../bundle/format.ts';
import { formatMs } from '../model/time.ts';

export const seedRows = (
  { seed }: Pick<Manifest, 'seed'>,
  { run: { drawn } }: Pick<Resolved, 'run'>,
): readonly (readonly [name: string, value: string])[] => [
  ...(seed === undefined ? [] : [['seed', String(seed)] as const]),
  ...Object.entries(drawn?.times ?? {}).map(([place, ms]) => [`drawn: ${place}`, formatMs(ms)] as const),
];
