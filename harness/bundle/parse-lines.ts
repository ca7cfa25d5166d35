// A timeline's lines back to observations. The last line of a bundle that was never sealed may be cut
// off in the middle; anything else that cannot be read is damage, and is named.
import { problem } from '../model/problem.ts';
import type { Observation } from '../model/observation.ts';
import { isDeeperThan, MAXIMUM_DEPTH } from './kinds.ts';
import { readLines } from './read-lines.ts';
import type { Line } from './read-lines.ts';

const isObservation = (value: unknown): value is Observation => {
  if (typeof value !== 'object' || value === null) return false;
  const { atMs, actor, seq, type } = value as Record<string, unknown>;
  return Number.isFinite(atMs) && typeof actor === 'string' && Number.isFinite(seq) && typeof type === 'string';
};

/** Too short to be nested so deep that it does harm. */
const LONG_LINE = 2_000;

const parseLine = (line: string): Observation | undefined => {
  try {
    const value: unknown = JSON.parse(line);
    if (line.length > LONG_LINE && isDeeperThan(value, MAXIMUM_DEPTH)) return undefined;
    return isObservation(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** @returns null: the last line, cut off where it may be. @throws ProblemError `bundle-damaged` naming the line */
const observationIn = (line: Line, number: number, file: string, mayBeCut: boolean): Observation | null => {
  const observation = parseLine(line.text);
  if (observation) return observation;
  if (!line.isWhole && mayBeCut) return null;
  if (!line.isWhole) throw problem('scenario', 'bundle-damaged', `${file} ends in the middle of line ${number}`);
  throw problem('scenario', 'bundle-damaged', `${file}, line ${number} is not an observation`, {
    hint: 'the bundle was changed after it was written; take it again from where it was made',
  });
};

export type ParsedLine = Line & { readonly observation: Observation };

/** Block by block. @returns whether the last line was cut off */
export async function* parseBlocks(path: string, file: string, mayBeCut: boolean): AsyncGenerator<readonly ParsedLine[], boolean> {
  let number = 0;
  for await (const lines of readLines(path)) {
    const parsed: ParsedLine[] = [];
    for (const line of lines) {
      number += 1;
      const observation = observationIn(line, number, file, mayBeCut);
      if (observation === null) return true;
      parsed.push({ ...line, observation });
    }
    yield parsed;
  }
  return false;
}

export type ParsedLines = { readonly observations: readonly Observation[]; readonly isCut: boolean };

/**
 * @param file as it is named in messages
 * @param mayBeCut whether the last line may be incomplete: then it is left out and `isCut` says so
 * @throws ProblemError `bundle-damaged` naming the line
 */
export const parseFile = async (path: string, file: string, mayBeCut: boolean): Promise<ParsedLines> => {
  const observations: Observation[] = [];
  const blocks = parseBlocks(path, file, mayBeCut);
  for (;;) {
    const block = await blocks.next();
    if (block.done) return { observations, isCut: block.value };
    for (const { observation } of block.value) observations.push(observation);
  }
};
