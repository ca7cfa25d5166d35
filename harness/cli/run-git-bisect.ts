// `hangup run --git-bisect`: the exit codes that `git bisect run` understands. To it everything from 1 to 127 but 125 is bad, so what
// is no answer about the revision must leave that range: 125 passes a revision over, 128 and above stop the search.
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EXIT } from '../model/exit-code.ts';
import { didYouMean } from '../model/nearest.ts';
import { problem, problemsOf } from '../model/problem.ts';
import type { Problem } from '../model/problem.ts';
import { renderProblem } from '../model/render-problem.ts';
import { answerOf, claimOf, isOfTheSystem, seenOf } from '../plan/bisect-run/answer.ts';
import type { CellResult } from '../plan/run-cell.ts';
import type { Terminal } from './command.ts';
import type { RunOptions } from './run-options.ts';
import { namedSymptom } from './symptom-option.ts';
import type { NamedSymptom } from './symptom-option.ts';

/** What a run came to: the exit code that it would have by itself, and each result. */
export type Ran = { readonly code: number; readonly results: readonly CellResult[] };

export const GIT_BISECT = { good: 0, bad: 1, skip: 125, stop: 128 } as const;
export type GitBisectCode = (typeof GIT_BISECT)[keyof typeof GIT_BISECT];

/** The first of these that a cell came to counts. */
const ORDER: readonly GitBisectCode[] = [GIT_BISECT.bad, GIT_BISECT.stop, GIT_BISECT.skip, GIT_BISECT.good];

/**
 * Without a symptom every violation is bad, also one that the card lists as known: that is what is asked about.
 * @returns null where the question is not put: nothing of what is asked about applies there
 */
const codeOf = (result: CellResult, symptom: NamedSymptom | null): GitBisectCode | null => {
  const seen = seenOf(result);
  if (seen.blame !== null) return seen.blame === 'system' ? GIT_BISECT.skip : GIT_BISECT.stop;
  if (result.outcome === 'failed') {
    const isBad = symptom === null || answerOf(seen, symptom) === 'bad';
    return isBad ? GIT_BISECT.bad : GIT_BISECT.skip;
  }
  if (result.outcome === 'does-not-apply') return null;
  if (result.outcome !== 'passed') return GIT_BISECT.skip;
  return symptom === null || answerOf(seen, symptom) === 'good' ? GIT_BISECT.good : null;
};

/** @param results of everything that was run; none: there is nothing to answer with */
export const gitBisectCode = (results: readonly CellResult[], symptom: NamedSymptom | null): GitBisectCode => {
  if (results.length === 0) return GIT_BISECT.stop;
  const codes = new Set(results.map((result) => codeOf(result, symptom)));
  return ORDER.find((code) => codes.has(code)) ?? GIT_BISECT.skip;
};

/**
 * A claim that nothing makes is never violated: every revision would be passed over. What broke off may be what makes it.
 * @throws ProblemError `bad-option`
 */
const checkClaim = (results: readonly CellResult[], symptom: NamedSymptom | null): void => {
  if (symptom === null || results.length === 0 || results.some(({ verdicts }) => verdicts.length === 0)) return;
  const claims = [...new Set(results.flatMap(({ verdicts }) => verdicts.map(({ id }) => id)))];
  if (claims.includes(claimOf(symptom.wanted))) return;
  throw problem('scenario', 'bad-option', `--symptom ${symptom.wanted}: nothing that was run claims ${claimOf(symptom.wanted)}`, {
    hint: didYouMean(claimOf(symptom.wanted), claims, 'claimed are'),
  });
};

/**
 * The next step of git's search reads the path anew, and a run moves `evidence/latest`: then it would look for something else.
 * @throws ProblemError `bad-option`
 */
const checkSameBundle = async (text: string | null, named: NamedSymptom | null, cwd: string): Promise<void> => {
  if (text === null || named === null || named.from === null) return;
  if ((await realpath(resolve(cwd, text)).catch(() => null)) === named.from) return;
  throw problem('scenario', 'bad-option', `--symptom "${text}" is another bundle after this run, and the next step would look for what that one shows`, {
    hint: `name what is looked for: --symptom ${named.wanted}`,
  });
};

/** What kept it from running anything: this revision does not build, or nobody can be asked. */
export const gitBisectCodeOf = (problems: readonly Pick<Problem, 'code'>[]): GitBisectCode =>
  isOfTheSystem(problems) ? GIT_BISECT.skip : GIT_BISECT.stop;

const WORDS: Readonly<Record<GitBisectCode, string>> = {
  0: 'good',
  1: 'bad',
  125: 'not tested: this revision is passed over',
  128: 'no answer: the search stops',
};

const others = (results: readonly CellResult[], symptom: NamedSymptom | null): string => {
  if (symptom === null) return '';
  const found = results.flatMap((result) => seenOf(result).symptoms).map(({ fingerprint }) => fingerprint);
  return found.length === 0 ? '' : `; seen: ${[...new Set(found)].join(', ')}; looked for: ${symptom.words}`;
};

const answer = async ({ cwd, writeError, signal }: Terminal, symptom: string | null, work: () => Promise<Ran>): Promise<number> => {
  const named = symptom === null ? null : await namedSymptom(symptom, cwd);
  const { results, code: itself } = await work();
  if (signal.aborted) return EXIT.interrupted;
  await checkSameBundle(symptom, named, cwd);
  checkClaim(results, named);
  // An error that is no cell's (a reporter that failed) is one of hangup: no revision is blamed for it.
  const code = itself === EXIT.error && results.every(({ outcome }) => outcome !== 'error') ? GIT_BISECT.stop : gitBisectCode(results, named);
  writeError(`git bisect: ${code}, ${WORDS[code]}${others(results, named)}\n`);
  return code;
};

/**
 * @param work throws what keeps it from running anything
 * @returns with `--git-bisect` 0, 1, 125, 128 or 130; problems are shown and not thrown then
 */
export const asGitBisect = async (
  terminal: Terminal,
  { gitBisect, symptom }: Pick<RunOptions, 'gitBisect' | 'symptom'>,
  work: () => Promise<Ran>,
): Promise<number> => {
  if (!gitBisect) return (await work()).code;
  try {
    return await answer(terminal, symptom, work);
  } catch (error) {
    if (terminal.signal.aborted) return EXIT.interrupted;
    const problems = problemsOf(error);
    for (const one of problems) terminal.writeError(`${renderProblem(one)}\n`);
    return gitBisectCodeOf(problems);
  }
};
