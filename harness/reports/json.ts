// The reporter for programs: one JSON document when everything is over.
import type { ReporterDefinition } from './reporter.ts';

export const definition: ReporterDefinition = {
  kind: 'json',
  about: 'one JSON document with every scenario, claim and reason',
  fields: { options: {} },
  example: 'json',
  open: (output) => ({ end: (end) => output.write(`${JSON.stringify(end, null, 2)}\n`) }),
};
