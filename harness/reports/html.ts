// The reporter for people with a browser: one page that leads to the page of every run.
import type { ReporterDefinition } from './reporter.ts';

export const definition: ReporterDefinition = {
  kind: 'html',
  about: 'an index page in the folder of the bundles, which leads to the page of every run',
  fields: { options: {} },
  example: 'html',
  file: 'index.html',
  prints: 'never',
  open: (output) => ({
    end: async (end) => {
      // Loaded when it is needed: pages are large beside everything else that a help text needs.
      const { renderIndex } = await import('./index-page.ts');
      output.write(renderIndex(end));
    },
  }),
};
