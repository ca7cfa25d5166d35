// `hangup rerun`: the run of a bundle once more, by what the bundle holds, and its verdicts beside those of then.
import { resolve } from 'node:path';
import { bundleFolderOf } from '../bundle/archive-read.ts';
import { readBundle } from '../bundle/read.ts';
import type { Bundle } from '../bundle/read.ts';
import { EXIT } from '../model/exit-code.ts';
import { renderProblem } from '../model/render-problem.ts';
import { createScope } from '../model/scope.ts';
import type { CellResult } from '../plan/run-cell.ts';
import { checkOutput, manifestOf } from '../plan/session.ts';
import { selectRuntime } from '../runtimes/select.ts';
import type { Selected } from '../runtimes/select.ts';
import { oneLine } from '../reports/text.ts';
import { titleOf } from '../systems/cell.ts';
import type { Terminal } from './command.ts';
import { createControlProblems } from './control-problems.ts';
import { cellOfThen } from './rerun-cell.ts';
import type { RerunCell } from './rerun-cell.ts';
import { codeOf, comparisonText } from './rerun-compare.ts';
import { cellDifferences, versionDifferences } from './rerun-differences.ts';
import { openSession, runSelection, scheduleOf, whileWatched } from './session.ts';

export type RerunOptions = {
  readonly bundle: string;
  readonly secrets: Readonly<Record<string, string>>;
  /** Values that were hidden in the evidence. */
  readonly variables: Readonly<Record<string, string>>;
  readonly system: string | null;
  readonly runtime: 'docker' | 'process' | null;
  readonly output: string | null;
};

export type RerunFlags = {
  readonly secret?: RerunOptions['secrets'];
  readonly var?: RerunOptions['variables'];
  readonly system?: string;
  readonly runtime?: 'docker' | 'process';
  readonly output?: string;
};

export const toRerunOptions = (bundle: string, flags: RerunFlags): RerunOptions => ({
  bundle,
  secrets: flags.secret ?? {},
  variables: flags.var ?? {},
  system: flags.system ?? null,
  runtime: flags.runtime ?? null,
  output: flags.output ?? null,
});

/** Before anything is started. */
const tellDifferences = (terminal: Terminal, bundle: Bundle, differences: readonly string[]): void => {
  for (const note of bundle.notes) terminal.write(`Note: ${oneLine(note)}\n`);
  if (differences.length === 0) return terminal.write('Everything that is recorded is as it was.\n');
  terminal.write(`Not as it was:\n${differences.map((line) => `  ${oneLine(line)}\n`).join('')}`);
};

/** What was drawn then is drawn again: an attempt among several has a seed that gives its times to a first one. */
const seedOfThen = ({ manifest, resolved }: Bundle): { readonly seed?: number } => {
  const seed = resolved.run.drawn?.seed ?? manifest.seed;
  return seed === undefined ? {} : { seed };
};

/** The one result; what became of a control that broke is told on the way. */
const runAgain = async (
  terminal: Terminal,
  options: RerunOptions,
  bundle: Bundle,
  { cell, asked, notes }: RerunCell,
  chosen: Selected,
): Promise<CellResult> => {
  const progress = (line: string): void => terminal.writeError(`${line}\n`);
  const session = await openSession({
    argv: terminal.argv,
    root: resolve(terminal.cwd, options.output ?? 'evidence'),
    asked,
    chosen,
    cells: [cell],
    progress,
    signal: terminal.signal,
    secrets: options.secrets,
    hidden: terminal.secrets,
    ...seedOfThen(bundle),
    onPhase: (_, phase) => (terminal.isTerminal ? progress(`  ${phase}`) : undefined),
  });
  tellDifferences(terminal, bundle, [...notes, ...versionDifferences(bundle.manifest, manifestOf(session, cell)), ...cellDifferences(bundle, cell)]);
  progress(`running ${cell.id} on ${cell.card.system}, runtime ${chosen.runtime.kind}`);
  const controls = createControlProblems(progress);
  const [result] = await whileWatched(session, () =>
    runSelection({
      cells: [cell],
      repeat: 1,
      session,
      schedule: scheduleOf(chosen.runtime.kind, null, { runtime: chosen.runtime, signal: terminal.signal, tell: progress }),
      scenarioText: () => bundle.scenarioText,
      onResult: () => {},
      onControl: (control, problems) => controls.tell(titleOf(control), problems),
    }),
  );
  controls.end(result!.problems);
  return result!;
};

/**
 * @returns 0 the same outcome and claims, 1 they differ, 2 the run of then was not judged or the system cannot be had any more, 3 error, 5 nothing applies, 130 interrupted
 * @throws ProblemError what `readBundle`, `cellOfThen` and `selectRuntime` throw, `bad-option`
 */
export const rerun = async (terminal: Terminal, options: RerunOptions): Promise<number> => {
  for (const [name, secret] of Object.entries(options.secrets)) terminal.secrets.give(secret, `the secret "${name}"`);
  await using scope = createScope();
  const bundle = await readBundle(await bundleFolderOf(resolve(terminal.cwd, options.bundle), scope));
  await checkOutput(resolve(terminal.cwd, options.output ?? 'evidence'));
  const asked = options.runtime ?? (bundle.manifest.runtime as 'docker' | 'process');
  const chosen = await selectRuntime(asked, { progress: (line) => terminal.writeError(`${line}\n`) });
  const { secrets, variables, system } = options;
  const again = await cellOfThen({ bundle, chosen, secrets, variables, system, cwd: terminal.cwd });
  terminal.signal.throwIfAborted();
  const result = await runAgain(terminal, options, bundle, again, chosen);
  for (const one of result.problems) terminal.writeError(`${renderProblem(one)}\n`);
  terminal.write(comparisonText(bundle.manifest.scenario, bundle.verdicts, result));
  if (result.folder) terminal.write(`Evidence: ${result.folder}\n`);
  return terminal.signal.aborted ? EXIT.interrupted : codeOf(bundle.verdicts, result);
};
