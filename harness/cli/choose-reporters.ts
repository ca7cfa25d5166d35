// Which reporters were asked for, from `name` and `name=path`. All that is wrong is told at once, before anything is started.
import { resolve } from 'node:path';
import { didYouMean } from '../model/nearest.ts';
import { ProblemError } from '../model/problem.ts';
import type { Problem } from '../model/problem.ts';
import { reporters as registry } from '../reports/registry.ts';
import type { ReporterDefinition } from '../reports/reporter.ts';

/** @param hasFolder bundles are kept, and an index of them has a place */
export const defaultReporters = (hasFolder = true): readonly string[] => (hasFolder ? ['terminal', 'html'] : ['terminal']);

export type ChosenReporter = {
  readonly definition: ReporterDefinition;
  /** Absolute, where one was given: its text goes there, and nowhere else. */
  readonly path: string | null;
};

const bad = (message: string): Problem => ({
  family: 'scenario',
  code: 'bad-option',
  message,
  hint: 'for example --reporter terminal,junit=out/junit.xml',
});

const unknown = (kind: string): Problem => ({
  family: 'scenario',
  code: 'unknown-reporter',
  message: `there is no reporter "${kind}"`,
  hint: didYouMean(kind, registry.kinds, 'there are'),
});

const choose = (word: string, cwd: string): ChosenReporter | Problem => {
  const at = word.indexOf('=');
  const kind = at < 0 ? word : word.slice(0, at);
  const definition = registry.get(kind);
  if (!definition) return unknown(kind);
  if (at < 0) return { definition, path: null };
  if (definition.file === undefined) return bad(`reporter ${kind} writes no file`);
  if (at === word.length - 1) return bad(`--reporter ${kind}= names no file`);
  return { definition, path: resolve(cwd, word.slice(at + 1)) };
};

/** Who has standard output: the first that prints, and writes into no file of the user's. */
export const printerOf = (chosen: readonly ChosenReporter[]): ChosenReporter | undefined =>
  chosen.find(({ definition, path }) => path === null && (definition.prints ?? 'when-first') === 'when-first');

/** Those whose text would be nowhere without a folder of bundles. */
const lostOf = (chosen: readonly ChosenReporter[]): readonly ChosenReporter[] =>
  chosen.filter((each) => each.path === null && each.definition.file !== undefined && each !== printerOf(chosen));

/**
 * @param hasFolder bundles are kept, and files of reporters have a place
 * @throws ProblemError `unknown-reporter`, `bad-option`: each of them, together
 */
export const chooseReporters = (words: readonly string[], cwd: string, hasFolder = true): readonly ChosenReporter[] => {
  const all = [...new Set(words)].map((word) => choose(word, cwd));
  const problems = all.filter((each): each is Problem => 'code' in each);
  const chosen = all.filter((each): each is ChosenReporter => !('code' in each));
  const byPath = Map.groupBy(
    chosen.filter(({ path }) => path !== null),
    ({ path }) => path,
  );
  for (const [path, same] of byPath)
    if (same.length > 1) problems.push(bad(`${same.map(({ definition }) => definition.kind).join(' and ')} would all write ${path}`));
  if (!hasFolder)
    for (const {
      definition: { kind },
    } of lostOf(chosen))
      problems.push(bad(`reporter ${kind} has no folder to write into; --reporter ${kind}=path names a file`));
  if (problems.length > 0) throw new ProblemError(problems);
  return chosen;
};

/** For the help of an option: what there is, and what is taken where nothing is given. */
export const reporterHelp = (): string =>
  `how the outcome is shown (a,b), each one of ${registry.kinds.join(', ')}; the first that prints goes to standard output; ` +
  `name=path writes into that file instead (default: ${defaultReporters().join(',')})`;
