// The reporter for people who read Markdown: one page for everything that was run.
import { basename } from 'node:path';
import type { ReporterDefinition } from './reporter.ts';
import { renderSetPage } from './set-page.ts';
import type { ScenarioSummary } from './summary.ts';

/** From the folder of all bundles. */
const pageOf = ({ folder, pages }: ScenarioSummary): string | null => {
  const page = pages.find((name) => name.endsWith('.md'));
  return folder === null || page === undefined ? null : `${basename(folder)}/${page}`;
};

export const definition: ReporterDefinition = {
  kind: 'markdown',
  about: 'one Markdown page: a table of all runs, then one line of why for all that was not held',
  fields: { options: {} },
  example: 'markdown',
  file: 'summary.md',
  open: (output, place) => ({
    end: (end) => output.write(renderSetPage(end, { link: pageOf, ...(place ? { place } : {}) })),
  }),
};
