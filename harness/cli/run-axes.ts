// `hangup run --axis`: every scenario on every wanted version (or other value) of its system.
import { problem } from '../model/problem.ts';
import type { Loaded } from '../plan/select.ts';
import type { Terminal } from './command.ts';
import type { RunOptions } from './run-options.ts';

export type AxesPlace = Pick<Terminal, 'environment' | 'signal'> & { readonly progress: (line: string) => void };

/**
 * Each of the loaded once for every combination of the wanted values, in their order.
 * @throws ProblemError `bad-option`
 */
export const overAxes = async (loaded: readonly Loaded[], axes: RunOptions['axes'], _place: AxesPlace): Promise<readonly Loaded[]> => {
  if (Object.keys(axes).length === 0) return loaded;
  throw problem('scenario', 'bad-option', '--axis is not in this version of hangup', { hint: 'leave it out' });
};
