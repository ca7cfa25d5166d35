// The result of a cell whose system cannot be had at its coordinates: nothing is started; what the tools printed is its evidence.
import { join } from 'node:path';
import { FILES } from '../bundle/format.ts';
import { problemsOf } from '../model/problem.ts';
import type { Problem } from '../model/problem.ts';
import type { Untestable } from '../systems/untestable.ts';
import { closeBundle, openBundle, salvage, verdictsOf } from './cell-bundle.ts';
import type { CellResult, RunCellInput } from './run-cell.ts';

/** In the bundle: what could not be built, installed or pulled, in the words of the tools. */
export const INSTALL_LOG = join(FILES.logs, 'install.log');

const problemOf = ({ reason, hint }: Untestable): Problem => ({
  family: 'environment', code: 'untestable', message: reason, ...(hint === null ? {} : { hint }),
});

type Input = Pick<RunCellInput, 'cell' | 'attempt' | 'session' | 'scenarioText' | 'report'>;

/** Never throws: evidence that cannot be written makes it an error. A control leaves nothing: those that would share it tell why. */
export const untestableResult = async (input: Input, why: Untestable): Promise<CellResult> => {
  const { cell, attempt, session, report } = input;
  const problems = [problemOf(why)];
  const result: CellResult = { cell, attempt, folder: '', outcome: 'untestable', verdicts: [], problems, tookMs: 0 };
  if (cell.staysMs !== null) return { ...result, problems: [] };
  let writer: Awaited<ReturnType<typeof openBundle>>['bundle'] | undefined;
  try {
    const { bundle } = await openBundle(cell, attempt, session, await input.scenarioText(cell), () => {});
    writer = bundle;
    await bundle.keepText(INSTALL_LOG, why.log);
    await bundle.closeTimeline();
    const closed = await closeBundle(bundle, verdictsOf(cell, 'untestable', [], problems), report);
    return { ...result, folder: bundle.folder ?? '', outcome: closed.outcome, problems: [...problems, ...closed.problems] };
  } catch (error) {
    const all = [...problems, ...problemsOf(error)];
    if (writer) await salvage(writer, verdictsOf(cell, 'error', [], all), report);
    return { ...result, folder: writer?.folder ?? '', outcome: 'error', problems: all };
  }
};
