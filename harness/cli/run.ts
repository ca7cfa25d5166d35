// `hangup run`: from paths and options to cells, runs, verdicts shown, one exit code.
import { resolve } from 'node:path';
import { EXIT, exitCode } from '../model/exit-code.ts';
import { nowMs } from '../model/time.ts';
import { selectCells, whyNothing } from '../plan/select.ts';
import { unfitRuntimes } from '../plan/unfit-runtimes.ts';
import { selectRuntime } from '../runtimes/select.ts';
import type { Selected } from '../runtimes/select.ts';
import { stableTextOf } from '../systems/card-secrets.ts';
import { problem } from '../model/problem.ts';
import { titleOf } from '../systems/cell.ts';
import type { Cell } from '../systems/cell.ts';
import { chooseReporters } from './choose-reporters.ts';
import type { Terminal } from './command.ts';
import { createControlProblems } from './control-problems.ts';
import { loadCells } from './load-cells.ts';
import { overAxes } from './run-axes.ts';
import { asGitBisect } from './run-git-bisect.ts';
import type { Ran } from './run-git-bisect.ts';
import type { RunOptions } from './run-options.ts';
import { openReporters } from './run-reporters.ts';
import type { RunReporters } from './run-reporters.ts';
import { takeShard } from './run-shard.ts';
import type { Sharded } from './run-shard.ts';
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
  { cells, record }: Sharded,
  chosen: Selected,
  reporters: RunReporters,
): Promise<Ran> => {
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
  if (session.output !== null) await record(session.output);
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
  return { code: await reporters.end(code, Math.round(nowMs() - beganMs), session.output), results: ran };
};

/** Named and not hooked in yet: never ignored. */
const refuseUnbuilt = (options: RunOptions): void => {
  const asked = (['untilFailure', 'lastFailed', 'maxFailures', 'seed', 'shuffle', 'keep', 'grep', 'grepInvert'] as const).filter((name) => options[name]);
  if (asked.length > 0) throw problem('scenario', 'bad-option', `--${asked[0]!.replace(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`)} is not in this version of hangup`);
};

/** What could not be kept out of the evidence is told before anything is started. @throws ProblemError `secret-too-short`, `secret-too-common` */
const giveSecrets = ({ secrets }: Terminal, given: RunOptions['secrets']): void => {
  for (const [name, secret] of Object.entries(given)) secrets.give(secret, `the secret "${name}"`);
};

const NOTHING: Ran = { code: EXIT.nothing, results: [] };

const selectAndRun = async (terminal: Terminal, options: RunOptions): Promise<Ran> => {
  refuseUnbuilt(options);
  giveSecrets(terminal, options.secrets);
  const reporters = openReporters({
    ...options,
    terminal,
    chosen: chooseReporters(options.reporters, terminal.cwd, options.evidence !== 'none'),
    redactor: terminal.secrets.shown,
  });
  const progress = (line: string): void => terminal.writeError(`${line}\n`);
  const { environment, signal, cwd } = terminal;
  const found = await loadCells(options.paths, options.variables, options.system, cwd);
  const loaded = await overAxes(found, options.axes, { environment, signal, progress });
  const chosen = await selectRuntime(options.runtime, { progress, unfit: unfitRuntimes(loaded, options) });
  const selected = selectCells(loaded, { ...options, runtime: chosen.runtime.kind, isolation: chosen.isolation });
  if (selected.length === 0) {
    terminal.writeError(`hangup: no scenario matched\n  hint: ${whyNothing(loaded, options)}\n`);
    return NOTHING;
  }
  const part = await takeShard(selected, options, { environment, cwd, root: resolve(cwd, options.output ?? 'evidence'), seed: 0 });
  // Names of what is run are readable, whatever the environment holds.
  for (const cell of part.cells) terminal.secrets.keepReadable(stableTextOf(cell));
  signal.throwIfAborted();
  if (!options.dryRun) {
    await reporters.prepare();
    return runCells(terminal, options, part, chosen, reporters);
  }
  for (const cell of part.cells) terminal.write(describe(cell));
  return { code: EXIT.passed, results: [] };
};

/** @returns the exit code. @throws ProblemError what is wrong with options, scenarios, cards or the machine */
export const run = (terminal: Terminal, options: RunOptions): Promise<number> =>
  asGitBisect(terminal, options, () => selectAndRun(terminal, options));
