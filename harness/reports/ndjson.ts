// The reporter for programs that watch: one line of JSON for each thing that happens.
import type { ReporterDefinition } from './reporter.ts';

export const definition: ReporterDefinition = {
  kind: 'ndjson',
  about: 'one line of JSON for each start, phase, finished scenario and the end',
  fields: { options: {} },
  example: 'ndjson',
  open: (output) => {
    const line = (event: string, value: object): void => output.write(`${JSON.stringify({ event, ...value })}\n`);
    return {
      begin: (start) => line('begin', start),
      phase: (scenario, phase) => line('phase', { scenario, phase }),
      finish: (summary) => line('finish', summary),
      end: ({ summaries, ...rest }) => line('end', { scenarios: summaries.length, ...rest }),
    };
  },
};
