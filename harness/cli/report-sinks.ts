// Where the text of each reporter goes: the first that prints has standard output, those with a file have that, and one that has
// neither (the terminal, asked for behind another) standard error.
import { join } from 'node:path';
import { wantsColour } from '../reports/reporter.ts';
import type { Reporter } from '../reports/reporter.ts';
import { printerOf } from './choose-reporters.ts';
import type { ChosenReporter } from './choose-reporters.ts';
import type { Terminal } from './command.ts';
import { writeReportFile } from './report-file.ts';

export type Sink = {
  readonly kind: string;
  readonly reporter: Reporter;
  /** In this order they are told that it is over: who prints an exit code must know whether files could be written. */
  readonly turn: 'quiet' | 'printing' | 'last';
  /** Writes its file, if it has one. @param folder of the bundles; null where none are kept. @throws ProblemError `report-not-written` */
  readonly writeFile: (folder: string | null) => Promise<void>;
};

const openSink = (chosen: ChosenReporter, isFirst: boolean, terminal: Terminal): Sink => {
  const { definition, path } = chosen;
  const { kind, file, prints } = definition;
  const isPrinting = isFirst || prints === 'always';
  const kept: string[] = [];
  const reporter = definition.open(
    {
      write: (text) => {
        if (isPrinting) terminal.write(text);
        else if (file === undefined) terminal.writeError(text);
        if (file !== undefined) kept.push(text);
      },
      isTerminal: isFirst && terminal.isTerminal,
      columns: terminal.columns,
      hasColour: isFirst && wantsColour(terminal.isTerminal, terminal.environment),
    },
    { cwd: terminal.cwd, environment: terminal.environment },
  );
  const pathIn = (folder: string | null): string | null => path ?? (folder === null || file === undefined ? null : join(folder, file));
  return {
    kind,
    reporter,
    turn: prints === 'always' ? 'last' : isPrinting ? 'printing' : 'quiet',
    writeFile: async (folder) => {
      const to = pathIn(folder);
      if (file !== undefined && to !== null) await writeReportFile(kind, to, kept.join(''));
    },
  };
};

export const openSinks = (chosen: readonly ChosenReporter[], terminal: Terminal): readonly Sink[] => {
  const first = printerOf(chosen);
  return chosen.map((each) => openSink(each, each === first, terminal));
};
