// `hangup judge`: the verdicts of a bundle once more, from nothing but its files. The same judge version
// must give the same bytes; where it does not, that is said aloud and is an error of ours or a forgery.
import { toJsonText } from '../bundle/atomic.ts';
import { FILES, JUDGE_VERSION } from '../bundle/format.ts';
import type { Verdicts } from '../bundle/format.ts';
import { readBundle } from '../bundle/read.ts';
import type { Bundle } from '../bundle/read.ts';
import { createRedactor } from '../bundle/redact.ts';
import { judge } from '../expectations/judge.ts';
import { EXIT, exitCode } from '../model/exit-code.ts';
import { scenarioOutcome } from '../model/verdict.ts';
import { definition as terminal } from '../reports/terminal.ts';
import { summarise } from '../reports/summary.ts';
import type { CommandOutput } from './output.ts';

/** A run that did not get to its end was not judged, and is not judged now; that it is an error stays. */
const judgeAgain = ({ manifest, resolved, timeline, control, verdicts: stored }: Bundle): Verdicts => {
  const cutOff = stored?.outcome === 'error' || stored?.outcome === 'interrupted' ? stored.outcome : null;
  const verdicts = cutOff && stored?.verdicts.length === 0 ? [] : judge({ timeline, control, ...resolved.judged });
  return {
    judge: JUDGE_VERSION, scenario: manifest.scenario, outcome: cutOff ?? scenarioOutcome(verdicts), verdicts,
    problems: stored?.problems ?? [],
  };
};

type Comparison = { readonly line: string; readonly isSame: boolean };

const compare = ({ verdicts: stored, verdictsText }: Bundle, text: string): Comparison => {
  if (!stored) return { line: `There is no ${FILES.verdicts} to compare with.`, isSame: true };
  if (verdictsText === text) return { line: `The same as ${FILES.verdicts}, byte for byte.`, isSame: true };
  const { judge: before } = stored;
  return before === JUDGE_VERSION
    ? { isSame: false, line: `This differs from ${FILES.verdicts}, said to be of the same judge version ${JUDGE_VERSION}.` }
    : { isSame: true, line: `${FILES.verdicts} was written by judge version ${before}; this is ${JUDGE_VERSION}.` };
};

export type JudgeOptions = { readonly strict?: boolean; readonly hasColour?: boolean };

/**
 * @returns the exit code of the outcome; 3 where the same judge version now says something else
 * @throws ProblemError what `readBundle` throws
 */
export const judgeBundle = async (folder: string, { strict = false, hasColour = false }: JudgeOptions = {}): Promise<CommandOutput> => {
  const bundle = await readBundle(folder);
  const verdicts = judgeAgain(bundle);
  const { line, isSame } = compare(bundle, toJsonText(createRedactor().value(verdicts)));
  const tookMs = Object.values(bundle.manifest.phases).reduce((sum, ms) => sum + ms, 0);
  const summary = summarise({ verdicts, run: bundle.resolved.run, tookMs, folder: null });
  const code = isSame ? exitCode([summary], strict) : EXIT.error;
  let output = bundle.notes.map((note) => `Note: ${note}\n`).join('');
  terminal
    .open({ write: (text) => { output += text; }, isTerminal: false, columns: 100, hasColour })
    .end({ summaries: [summary], exitCode: code, tookMs, folder });
  return { exitCode: code, output: `${output}${line}\n` };
};
