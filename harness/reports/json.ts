// The reporter for programs: one line of JSON for each thing that happens, so that a reader can follow while it happens.
// A stream without its `end` line was cut off.
import { jsonText } from './json-text.ts';
import type { ReporterDefinition, RunEnd } from './reporter.ts';
import { reportedCells } from './reported-cells.ts';
import { STATUSES } from './status.ts';

/** By status, each at least 0. */
const totalsOf = (end: RunEnd): Readonly<Record<string, number>> => {
  const cells = reportedCells(end);
  return Object.fromEntries(STATUSES.map((status) => [status, cells.filter(({ worst }) => worst.status === status).length]));
};

export const definition: ReporterDefinition = {
  kind: 'json',
  about: 'for programs, as JSON lines: begin, each phase, each result with its claims, an end with totals and the exit code',
  fields: { options: {} },
  example: 'json',
  file: 'results.jsonl',
  open: (output) => {
    const line = (event: string, value: object): void => output.write(`${jsonText({ event, ...value })}\n`);
    return {
      begin: (start) => line('begin', start),
      phase: (scenario, phase) => line('phase', { scenario, phase }),
      finish: (summary) => line('result', summary),
      end: (end) => {
        const { summaries, start: _start, ...rest } = end;
        line('end', { results: summaries.length, totals: totalsOf(end), ...rest });
      },
    };
  },
};
