// The pages that lie in every bundle: report.md and report.html, made in one reading of it. In turns, since other runs go on.
import { readBundle } from '../bundle/read.ts';
import { readLogs } from '../bundle/read-logs.ts';
import { inTurns } from '../model/turns.ts';
import { renderReport } from './report-md.ts';

export type Pages = { readonly markdown: string; readonly html: string };

/** @param folder of a bundle with its verdicts, sealed or not yet */
export const pagesOf = async (folder: string): Promise<Pages> => {
  // Loaded when the first run is over: the command's start does not wait for it.
  const { renderingHtml } = await import('./html/render-html.ts');
  const [bundle, logs] = [await readBundle(folder, { isOver: false }), await readLogs(folder)];
  return { markdown: renderReport(bundle), html: await inTurns(renderingHtml(bundle, logs)) };
};
