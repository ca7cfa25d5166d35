// `hangup run --shard`: the part of the cells that is this machine's, and what is written down of it for a merge.
import { problem } from '../model/problem.ts';
import type { Cell } from '../systems/cell.ts';
import type { Terminal } from './command.ts';
import type { RunOptions } from './run-options.ts';

export type Sharded = {
  /** In the order in which they were given. */
  readonly cells: readonly Cell[];
  /** One line for people: which part this is, and by what it was balanced; null where all is run. */
  readonly said: string | null;
  /** Called with the folder of the bundles once it is there, before anything is run. */
  readonly record: (folder: string) => Promise<void>;
};

export type ShardPlace = Pick<Terminal, 'environment' | 'cwd'> & {
  /** Where folders of bundles are made, and where `durations.json` lies. */
  readonly root: string;
  readonly seed: number;
};

/** @throws ProblemError `bad-option` */
export const takeShard = async (
  cells: readonly Cell[],
  { shard }: Pick<RunOptions, 'shard' | 'durations'>,
  _place: ShardPlace,
): Promise<Sharded> => {
  if (shard === null) return { cells, said: null, record: async () => {} };
  throw problem('scenario', 'bad-option', '--shard is not in this version of hangup', { hint: 'leave it out' });
};
