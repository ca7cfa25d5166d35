// `hangup explain`: what a run would do, wait for and conclude, before anything is started.
import { EXIT } from '../model/exit-code.ts';
import { controlsOf } from '../plan/controls.ts';
import { explainCell } from '../plan/explain.ts';
import { selectCells, whyNothing } from '../plan/select.ts';
import type { Loaded } from '../plan/select.ts';
import { unfitRuntimes } from '../plan/unfit-runtimes.ts';
import { selectRuntime } from '../runtimes/select.ts';
import { textsOf } from '../systems/axes/card-at.ts';
import { stableTextOf } from '../systems/card-secrets.ts';
import { controlKey } from '../systems/control-cell.ts';
import type { Terminal } from './command.ts';
import { explanationText } from './explain-text.ts';
import { loadCells } from './load-cells.ts';
import { overAxes } from './run-axes.ts';
import type { RunOptions } from './run-options.ts';

export type ExplainOptions = Pick<RunOptions, 'paths' | 'runtime' | 'system' | 'defects' | 'variables' | 'tags' | 'where' | 'axes'> & {
  readonly json: boolean;
};

/** Nothing is started, so no secret is needed. */
const anySecrets = (loaded: readonly Loaded[]): Readonly<Record<string, string>> => {
  const names = loaded.flatMap(({ card }) => [...textsOf(card).matchAll(/\$\{secret\.([\w-]+)\}/g)].map((match) => match[1]!));
  return Object.fromEntries(names.map((name) => [name, '']));
};

/**
 * @returns 0, also where a claim does not apply: that is part of what is explained; 5 where nothing matched
 * @throws ProblemError what is wrong with the scenarios, the cards or the options, or the runtime that was asked for
 */
export const explain = async (terminal: Terminal, options: ExplainOptions): Promise<number> => {
  const progress = (line: string): void => terminal.writeError(`${line}\n`);
  const found = await loadCells(options.paths, options.variables, options.system, terminal.cwd);
  const loaded = await overAxes(found, options.axes, { environment: terminal.environment, signal: terminal.signal, progress });
  const chosen = await selectRuntime(options.runtime, {
    progress,
    unfit: unfitRuntimes(loaded, options),
  });
  const selection = { ...options, secrets: anySecrets(loaded), runtime: chosen.runtime.kind, isolation: chosen.isolation };
  const cells = selectCells(loaded, selection);
  if (cells.length === 0) {
    terminal.writeError(`hangup: no scenario matched\n  hint: ${whyNothing(loaded, options)}\n`);
    return EXIT.nothing;
  }
  for (const cell of cells) terminal.secrets.keepReadable(stableTextOf(cell));
  const controls = controlsOf(cells);
  const explained = cells.map((cell) => explainCell(cell, controls.get(controlKey(cell))));
  terminal.write(options.json ? `${JSON.stringify(explained, null, 2)}\n` : explained.map(explanationText).join('\n'));
  return EXIT.passed;
};
