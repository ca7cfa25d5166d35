// `hangup judge`: the verdicts of a bundle once more, from nothing but its files, or by other claims. The same judge version
// must give the same bytes; where it does not, that is said aloud and is an error of ours or a forgery.
import { toJsonText } from '../bundle/atomic.ts';
import { FILES, FORMAT_VERSION, JUDGE_VERSION } from '../bundle/format.ts';
import type { Verdicts } from '../bundle/format.ts';
import { readBundle } from '../bundle/read.ts';
import type { Bundle } from '../bundle/read.ts';
import { createRedactor } from '../bundle/redact.ts';
import { judge } from '../expectations/judge.ts';
import { EXIT, exitCode } from '../model/exit-code.ts';
import { messageOf, problem } from '../model/problem.ts';
import { scenarioOutcome } from '../model/verdict.ts';
import { definition as terminal } from '../reports/terminal.ts';
import { summarise } from '../reports/summary.ts';
import { readOtherClaims } from '../systems/other-claims.ts';
import { keepInputs } from './keep-inputs.ts';
import { compareClaims } from './judge-compare.ts';
import type { CommandOutput } from './output.ts';
import { writeOutput } from './write-output.ts';

type Judged = Bundle['resolved']['judged'];

/** An archive left some out to be small enough. */
const lacksObservations = ({ reduced }: Bundle): boolean => reduced?.canBeJudged === false;

const NOT_JUDGED = ['error', 'interrupted', 'untestable'] as const;

/** A run that did not get to its end was not judged, and is not judged now, by whatever claims; that it is an error stays. */
const judgeAgain = (bundle: Bundle, judged: Judged): Verdicts => {
  const { manifest, timeline, control, verdicts: stored } = bundle;
  const cutOff = NOT_JUDGED.find((outcome) => outcome === stored.outcome) ?? null;
  if (lacksObservations(bundle)) return stored;
  const verdicts = cutOff && stored.verdicts.length === 0 ? [] : judge({ timeline, control, ...judged });
  return {
    judge: JUDGE_VERSION, scenario: manifest.scenario, outcome: cutOff ?? scenarioOutcome(verdicts), verdicts, problems: stored.problems,
  };
};

type Comparison = { readonly lines: readonly string[]; readonly isSame: boolean };

const compare = (bundle: Bundle, text: string): Comparison => {
  const { verdicts: stored, verdictsText, writtenFormat, isSealed } = bundle;
  if (verdictsText === null)
    return { lines: [`error: interrupted. There is no ${FILES.verdicts} to compare with: the run was cut off before it was judged.`], isSame: true };
  if (!isSealed) return { lines: [`error: interrupted. ${FILES.verdicts} is not compared with: the run was cut off before it was sealed.`], isSame: true };
  if (lacksObservations(bundle))
    return { lines: [`Not judged again: what ${FILES.verdicts} was made from is not all here. These are the verdicts that it holds.`], isSame: true };
  // Bytes are compared within one format; of an older one what its verdicts say today.
  const before = writtenFormat === FORMAT_VERSION ? verdictsText : toJsonText(stored);
  if (before === text) return { lines: [`The same as ${FILES.verdicts}, byte for byte.`], isSame: true };
  return stored.judge === JUDGE_VERSION
    ? { isSame: false, lines: [`This differs from ${FILES.verdicts}, said to be of the same judge version ${JUDGE_VERSION}.`] }
    : { isSame: true, lines: [`${FILES.verdicts} was written by judge version ${stored.judge}; this is ${JUDGE_VERSION}.`] };
};

export type JudgeOptions = {
  /** What is said to be judged: of an archive its own path, since what was unpacked is soon gone. */
  readonly shownAs?: string;
  readonly strict?: boolean;
  readonly hasColour?: boolean;
  /** A file of claims, in place of the bundle's own. */
  readonly expect?: string | null;
  /** Where to write the verdicts as JSON. */
  readonly output?: string | null;
};

/** What the card and the scenario say of their own claims says nothing about others. */
const withoutLists = (run: Bundle['resolved']['run']): Parameters<typeof summarise>[0]['run'] => ({
  ...run, catches: {}, saw: {}, known: [], concludes: undefined,
});

const write = async (path: string, text: string): Promise<void> => {
  await writeOutput(path, text).catch((error: unknown) => {
    throw problem('environment', 'output-not-writable', `${path} cannot be written: ${messageOf(error)}`, {
      hint: 'name another file by --output',
      cause: error,
    });
  });
};

/**
 * @returns the exit code of the outcome; 3 where the same judge version now says something else of the bundle's own claims
 * @throws ProblemError what `readBundle` and `readOtherClaims` throw, `bundle-reduced`, `bad-option`, `output-not-writable`
 */
export const judgeBundle = async (folder: string, options: JudgeOptions = {}): Promise<CommandOutput> => {
  const { strict = false, hasColour = false, expect = null, output: path = null, shownAs = folder } = options;
  const bundle = await readBundle(folder);
  if (path !== null) await keepInputs(path, [folder, shownAs, ...(expect === null ? [] : [expect])]);
  const { timeline, resolved } = bundle;
  if (expect !== null && lacksObservations(bundle))
    throw problem('scenario', 'bundle-reduced', 'observations were left out of this archive: it cannot be judged by other claims', {
      hint: 'take the whole bundle',
    });
  const other = expect === null ? null : await readOtherClaims(expect, { facts: resolved.judged.facts, timeline });
  const verdicts = createRedactor().value(judgeAgain(bundle, other ?? resolved.judged));
  const text = toJsonText(verdicts);
  const { lines, isSame } = other && bundle.isSealed ? compareClaims(bundle.verdicts, verdicts) : compare(bundle, text);
  const tookMs = Object.values(bundle.manifest.phases).reduce((sum, ms) => sum + ms, 0);
  const summary = summarise({ verdicts, run: other ? withoutLists(resolved.run) : resolved.run, tookMs, folder: null });
  const code = isSame ? exitCode([summary], strict) : EXIT.error;
  if (path !== null) await write(path, text);
  let output = bundle.notes.map((note) => `Note: ${note}\n`).join('');
  terminal
    .open({ write: (written) => { output += written; }, isTerminal: false, columns: 100, hasColour })
    .end({ summaries: [summary], exitCode: code, tookMs, folder: shownAs });
  return { exitCode: code, output: `${output}${lines.map((line) => `${line}\n`).join('')}` };
};
