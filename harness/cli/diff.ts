// `hangup diff`: what changed in a run between two of its marks. Read from the timeline of the bundle, in which every
// snapshot stands whole; nothing is judged and nothing written.
import { readBundle } from '../bundle/read.ts';
import { EXIT } from '../model/exit-code.ts';
import { didYouMean } from '../model/nearest.ts';
import { problem } from '../model/problem.ts';
import { diffPoints } from '../reports/diff/diff.ts';
import { pointsOf } from '../reports/diff/points.ts';
import type { Point } from '../reports/diff/points.ts';
import { diffText, pointsText } from '../reports/diff/text.ts';
import type { CommandOutput } from './output.ts';

export type DiffOptions = {
  readonly from: string | null;
  readonly to: string | null;
  readonly json: boolean;
  /** What is said to be read: of an archive its own path, since what was unpacked is soon gone. */
  readonly shownAs?: string;
};

const pointAt = (points: readonly Point[], mark: string, folder: string): Point => {
  const found = points.find((point) => point.mark === mark);
  if (found) return found;
  throw problem('scenario', 'unknown-mark', `${folder} has no mark "${mark}"`, { hint: didYouMean(mark, points.map((point) => point.mark)) });
};

/**
 * Without marks: those that there are. With one: from there to the end.
 * @throws ProblemError `unknown-mark`, and what `readBundle` throws
 */
export const diffBundle = async (folder: string, { from, to, json, shownAs = folder }: DiffOptions): Promise<CommandOutput> => {
  const { manifest, timeline, resolved, notes } = await readBundle(folder);
  const points = pointsOf(timeline);
  const noted = notes.map((note) => `Note: ${note}\n`).join('');
  const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
  if (from === null) {
    const listed = points.map(({ mark, kind, atMs, looks }) => ({ mark, kind, atMs, probes: Object.keys(looks) }));
    return { exitCode: EXIT.passed, output: json ? toJson({ scenario: manifest.scenario, marks: listed }) : noted + pointsText(manifest.scenario, points) };
  }
  const diff = diffPoints(pointAt(points, from, shownAs), pointAt(points, to ?? 'end', shownAs), timeline);
  const output = json ? toJson({ scenario: manifest.scenario, ...diff }) : noted + diffText(manifest.scenario, diff, resolved.judged.facts);
  return { exitCode: EXIT.passed, output };
};
