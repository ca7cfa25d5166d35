// The pages that lie in every bundle: report.md and report.html, made in one reading of it. In turns, since other runs go on.
import { readBundle } from '../bundle/read.ts';
import { readLogs } from '../bundle/read-logs.ts';
import type { Facts } from '../model/facts.ts';
import { inTurns } from '../model/turns.ts';
import type { RightOf } from './believe.ts';
import { renderReport } from './report-md.ts';

export type Pages = { readonly markdown: string; readonly html: string };

/**
 * @param folder of a bundle with its verdicts, sealed or not yet
 * @param rightIn what claims ask for, in a run of these facts
 */
export const pagesOf = async (folder: string, rightIn: (facts: Facts) => RightOf): Promise<Pages> => {
  // Loaded when the first run is over: the command's start does not wait for it.
  const { renderingHtml } = await import('./html/render-html.ts');
  const [bundle, logs] = [await readBundle(folder, { isOver: false }), await readLogs(folder)];
  const input = { ...bundle, right: rightIn(bundle.resolved.judged.facts) };
  return { markdown: renderReport(input), html: await inTurns(renderingHtml(input, logs)) };
};
