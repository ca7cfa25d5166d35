// Bundles outlive the version that wrote them. Each step takes the parsed files of one format to the
// next; a newer format than ours is refused, because what it means cannot be guessed.
import { problem } from '../model/problem.ts';
import { FORMAT_VERSION } from './format.ts';

/** The files as parsed, before anything is believed about them. */
export type RawBundle = {
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly resolved: Readonly<Record<string, unknown>>;
  readonly timeline: readonly object[];
  readonly control: readonly object[] | null;
  readonly verdicts: Readonly<Record<string, unknown>> | null;
};

export type Upgrade = (raw: RawBundle) => RawBundle;

/** By the format that they start from. Format 1 is the first: there is nothing to upgrade yet. */
const UPGRADES: Readonly<Record<number, Upgrade>> = {};

/**
 * To be asked before any other file is looked at: a newer format may have others.
 * @throws ProblemError `bundle-newer`, or `not-a-bundle` when it names no format
 */
export const checkFormat = (manifest: Readonly<Record<string, unknown>>, current = FORMAT_VERSION): number => {
  const { format } = manifest;
  if (!Number.isInteger(format) || (format as number) < 1) throw problem('scenario', 'not-a-bundle', 'manifest.json names no format');
  if ((format as number) <= current) return format as number;
  throw problem('scenario', 'bundle-newer', `this bundle has format ${String(format)}, and this hangup reads up to ${current}`, {
    hint: 'judge it with the version that manifest.json names under harness',
  });
};

/** @throws ProblemError as `checkFormat`; `bundle-too-old` when no step leads from its format to ours */
export const upgrade = (raw: RawBundle, upgrades = UPGRADES, current = FORMAT_VERSION): RawBundle => {
  let result = raw;
  for (let at = checkFormat(raw.manifest, current); at < current; at += 1) {
    const step = upgrades[at];
    if (!step) throw problem('scenario', 'bundle-too-old', `nothing leads from format ${at} of this bundle to ${current}`);
    const next = step(result);
    result = { ...next, manifest: { ...next.manifest, format: at + 1 } };
  }
  return result;
};
