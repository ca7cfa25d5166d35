// `hangup run`: from paths and options to cells, runs, verdicts shown, one exit code.
import { resolve } from 'node:path';
import { EXIT, exitCode } from '../model/exit-code.ts';
import { nowMs } from '../model/time.ts';
import { selectCells, whyNothing } from '../plan/select.ts';
import { unfitRuntimes } from '../plan/unfit-runtimes.ts';
import { selectRuntime } from '../runtimes/select.ts';
import type { Selected } from '../runtimes/select.ts';
import { stableTextOf } from '../systems/card-secrets.ts';
import { titleOf } from '../systems/cell.ts';
import type { Cell } from '../systems/cell.ts';
import { chooseReporters } from './choose-reporters.ts';
import type { Terminal } from './command.ts';
import { createControlProblems } from './control-problems.ts';
import { loadCells } from './load-cells.ts';
import type { RunOptions } from './run-options.ts';
import { openReporters } from './run-reporters.ts';
import type { RunReporters } from './run-reporters.ts';
import { openSession, runSelection, scheduleOf, whileWatched } from './session.ts';

/** Claims that apply on one line; those that do not by their reason, one line each. */
const claimLines = ({ claims }: Cell): readonly string[] =>
  [...Map.groupBy(claims, ({ notApplicable }) => notApplicable)]
    .sort(([a], [b]) => Number(a !== null) - Number(b !== null))
    .map(([reason, all]) => `${all.map(({ id }) => id).join(', ')}${reason === null ? '' : `: does not apply, ${reason}`}`);

const describe = (cell: Cell): string => {
  const planted = cell.defects.length > 0 ? `, with ${cell.defects.join(', ')}` : '';
  return [cell.id, `  on ${cell.card.system}, runtime ${cell.runtime}${planted}`, ...claimLines(cell).map((line) => `  ${line}`), ''].join('\n');
};

const runCells = async (
  terminal: Terminal,
  options: RunOptions,
  cells: readonly Cell[],
  chosen: Selected,
  reporters: RunReporters,
): Promise<number> => {
  const beganMs = nowMs();
  const progress = (line: string): void => terminal.writeError(`${line}\n`);
  reporters.begin({ scenarios: cells.map(({ id }) => id), runtime: chosen.runtime.kind, why: chosen.why });
  const session = await openSession({
    argv: terminal.argv,
    root: resolve(terminal.cwd, options.output ?? 'evidence'),
    evidence: options.evidence,
    captureBytes: options.captureBytes,
    asked: { variables: options.variables, system: options.system },
    chosen,
    cells,
    progress,
    signal: terminal.signal,
    secrets: options.secrets,
    hidden: terminal.secrets,
    onPhase: reporters.phase,
  });
  const controls = createControlProblems(progress);
  const ran = await whileWatched(session, () =>
    runSelection({
      cells,
      repeat: options.repeat,
      session,
      schedule: scheduleOf(chosen.runtime.kind, options.jobs),
      onResult: reporters.result,
      onControl: (control, problems) => {
        reporters.control(control);
        controls.tell(titleOf(control), problems);
      },
    }),
  );
  controls.end(ran.flatMap(({ problems }) => problems));
  const code = terminal.signal.aborted ? EXIT.interrupted : exitCode(reporters.results(), options.strict);
  return reporters.end(code, Math.round(nowMs() - beganMs), session.output);
};

/** What could not be kept out of the evidence is told before anything is started. @throws ProblemError `secret-too-short`, `secret-too-common` */
const giveSecrets = ({ secrets }: Terminal, given: RunOptions['secrets']): void => {
  for (const [name, secret] of Object.entries(given)) secrets.give(secret, `the secret "${name}"`);
};

export const run = async (terminal: Terminal, options: RunOptions): Promise<number> => {
  giveSecrets(terminal, options.secrets);
  const reporters = openReporters({
    ...options,
    terminal,
    chosen: chooseReporters(options.reporters, terminal.cwd, options.evidence !== 'none'),
    redactor: terminal.secrets.shown,
  });
  const loaded = await loadCells(options.paths, options.variables, options.system, terminal.cwd);
  const chosen = await selectRuntime(options.runtime, {
    progress: (line) => terminal.writeError(`${line}\n`),
    unfit: unfitRuntimes(loaded, options),
  });
  const cells = selectCells(loaded, { ...options, runtime: chosen.runtime.kind, isolation: chosen.isolation });
  if (cells.length === 0) {
    terminal.writeError(`hangup: no scenario matched\n  hint: ${whyNothing(loaded, options)}\n`);
    return EXIT.nothing;
  }
  // Names of what is run are readable, whatever the environment holds.
  for (const cell of cells) terminal.secrets.keepReadable(stableTextOf(cell));
  terminal.signal.throwIfAborted();
  if (!options.dryRun) {
    await reporters.prepare();
    return runCells(terminal, options, cells, chosen, reporters);
  }
  for (const cell of cells) terminal.write(describe(cell));
  return EXIT.passed;
};
