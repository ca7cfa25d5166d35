// A timeline's lines back to observations. The last line of a bundle that was never sealed may be cut
// off in the middle; anything else that cannot be read is damage, and is named.
import { problem } from '../model/problem.ts';
import type { Observation } from '../model/observation.ts';

const isObservation = (value: unknown): value is Observation => {
  if (typeof value !== 'object' || value === null) return false;
  const { atMs, actor, seq, type } = value as Record<string, unknown>;
  return Number.isFinite(atMs) && typeof actor === 'string' && Number.isFinite(seq) && typeof type === 'string';
};

const parseLine = (line: string): Observation | undefined => {
  try {
    const value: unknown = JSON.parse(line);
    return isObservation(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

export type ParsedLines = { readonly observations: readonly Observation[]; readonly isCut: boolean };

/**
 * @param mayBeCut whether the last line may be incomplete: then it is left out and `isCut` says so
 * @throws ProblemError `bundle-damaged` naming the line
 */
export const parseLines = (text: string, file: string, mayBeCut: boolean): ParsedLines => {
  const lines = text.split('\n');
  const rest = lines.pop()!;
  const observations = lines.map((line, index) => {
    const observation = parseLine(line);
    if (observation) return observation;
    throw problem('scenario', 'bundle-damaged', `${file}, line ${index + 1} is not an observation`, {
      hint: 'the bundle was changed after it was written; take it again from where it was made',
    });
  });
  if (rest === '') return { observations, isCut: false };
  const last = parseLine(rest);
  if (last) return { observations: [...observations, last], isCut: false };
  if (mayBeCut) return { observations, isCut: true };
  throw problem('scenario', 'bundle-damaged', `${file} ends in the middle of line ${lines.length + 1}`);
};
