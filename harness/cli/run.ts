// `hangup run`: from paths and options to cells, runs, verdicts shown, one exit code.
import { resolve } from 'node:path';
import { EXIT } from '../model/exit-code.ts';
import { anySeed, createRandom } from '../model/random.ts';
import { namedInVain, selectCells, whyNothing } from '../plan/select.ts';
import { checkOutput } from '../plan/session.ts';
import { unfitRuntimes } from '../plan/unfit-runtimes.ts';
import { selectRuntime } from '../runtimes/select.ts';
import { stableTextOf } from '../systems/card-secrets.ts';
import { needsNoStage } from '../systems/no-system.ts';
import { chooseReporters } from './choose-reporters.ts';
import type { Terminal } from './command.ts';
import { dryRunHead, dryRunText } from './dry-run.ts';
import { loadCells } from './load-cells.ts';
import { loadedByName, narrowCells } from './narrow-cells.ts';
import { isolations, otherRuntimes, overAxes } from './run-axes.ts';
import { runCells } from './run-cells.ts';
import { asGitBisect } from './run-git-bisect.ts';
import type { Ran } from './run-git-bisect.ts';
import type { RunOptions } from './run-options.ts';
import { openReporters } from './run-reporters.ts';
import { takeShard } from './run-shard.ts';

/** What could not be kept out of the evidence is told before anything is started. @throws ProblemError `secret-too-short`, `secret-too-common`, `secret-is-number` */
const giveSecrets = ({ secrets }: Terminal, given: RunOptions['secrets']): void => {
  for (const [name, secret] of Object.entries(given)) secrets.give(secret, `the secret "${name}"`);
};

const nothing = (terminal: Terminal, why: string): Ran => {
  terminal.writeError(`hangup: no scenario matched\n  hint: ${why}\n`);
  return { code: EXIT.nothing, results: [] };
};

const selectAndRun = async (terminal: Terminal, options: RunOptions): Promise<Ran> => {
  giveSecrets(terminal, options.secrets);
  const reporters = openReporters({
    ...options,
    terminal,
    chosen: chooseReporters(options.reporters, terminal.cwd, options.evidence !== 'none'),
    redactor: terminal.secrets.shown,
  });
  const progress = (line: string): void => terminal.writeError(`${line}\n`);
  const { environment, signal, cwd } = terminal;
  const root = resolve(cwd, options.output ?? 'evidence');
  if (options.evidence !== 'none' && !options.dryRun) await checkOutput(root);
  const found = await loadCells(options.paths, options.variables, options.system, cwd);
  const loaded = await overAxes(found, options.axes, { environment, signal, progress });
  const named = loadedByName(loaded, options);
  const needsStage = named.length === 0 || !named.every(needsNoStage);
  const chosen = await selectRuntime(options.runtime, { progress, needsStage, unfit: unfitRuntimes(named, options) });
  const others = await otherRuntimes(loaded, chosen, progress);
  const selected = selectCells(loaded, { ...options, runtime: chosen.runtime.kind, isolation: chosen.isolation, others: isolations(others) });
  if (selected.length === 0) return nothing(terminal, whyNothing(loaded, options));
  const inVain = namedInVain(loaded, options);
  if (inVain !== null) progress(inVain);
  const narrowed = await narrowCells(selected, options, root);
  if (narrowed.cells.length === 0) return nothing(terminal, narrowed.why);
  const part = await takeShard(narrowed.cells, options, { ...terminal, root });
  if (part.said !== null) progress(part.said);
  const seed = part.seed ?? anySeed();
  const cells = options.shuffle ? createRandom(seed, 'order').shuffled(part.cells) : part.cells;
  // Names of what is run are readable, whatever the environment holds.
  for (const cell of cells) terminal.secrets.keepReadable(stableTextOf(cell));
  signal.throwIfAborted();
  if (options.dryRun) {
    const dryRun = { cells, seed, runtime: chosen.runtime.kind, why: chosen.why };
    progress(dryRunHead(dryRun, options));
    terminal.write(dryRunText(dryRun, options));
    return { code: EXIT.passed, results: [] };
  }
  await reporters.prepare();
  return runCells({ terminal, options, cells, failed: narrowed.failed, part, seed, chosen, others, reporters, root });
};

/** @returns the exit code. @throws ProblemError what is wrong with options, scenarios, cards or the machine */
export const run = (terminal: Terminal, options: RunOptions): Promise<number> =>
  asGitBisect(terminal, options, () => selectAndRun(terminal, options));
