// In what forms `hangup report` renders: the pages of one run, and whatever reporters have a file. Each is loaded when it is asked for.
import { readLogs } from '../bundle/read-logs.ts';
import type { Bundle } from '../bundle/read.ts';
import { didYouMean } from '../model/nearest.ts';
import { problem } from '../model/problem.ts';
import { reporters } from '../reports/registry.ts';
import type { RunEnd } from '../reports/reporter.ts';
import type { ScenarioSummary } from '../reports/summary.ts';
import { rightIn } from './right-of.ts';

export type RunPage = {
  /** Of the file, after the bundle's own. */
  readonly file: string;
  readonly render: (bundle: Bundle) => Promise<string>;
};

const withRight = (bundle: Bundle) => ({ ...bundle, right: rightIn(bundle.resolved.judged.facts) });

const PAGES: Readonly<Record<string, RunPage>> = {
  html: {
    file: 'report.html',
    render: async (bundle) => (await import('../reports/html/render-html.ts')).renderHtml(withRight(bundle), await readLogs(bundle.folder)),
  },
  markdown: {
    file: 'report.md',
    render: async (bundle) => (await import('../reports/report-md.ts')).renderReport(withRight(bundle)),
  },
};

/** Kinds that can be asked for. */
export const formats: readonly string[] = reporters.all.flatMap(({ kind, file }) => (file === undefined ? [] : [kind]));

/** @throws ProblemError `unknown-format`; `bad-option` where there is none */
export const checkFormats = (kinds: readonly string[]): void => {
  if (kinds.length === 0) throw problem('scenario', 'bad-option', '--format names no format', { hint: `there are ${formats.join(', ')}` });
  for (const kind of kinds) {
    if (formats.includes(kind)) continue;
    throw problem('scenario', 'unknown-format', `there is no format "${kind}"`, { hint: didYouMean(kind, formats, 'there are') });
  }
};

/** The page of one run in that format; null: it has none, only sets do. */
export const pageFor = (kind: string): RunPage | null => PAGES[kind] ?? null;

/** What the page of a set is called in that format. */
export const setFile = (kind: string): string => reporters.get(kind)!.file!;

/** `root`: where the page of the set and those of its runs lie together; null: it goes where no page is. */
export type SetContext = { readonly cwd: string; readonly root: string | null };

/** Runs in that format, and what its file is called. */
export const renderSet = async (kind: string, end: RunEnd, { cwd, root }: SetContext): Promise<{ readonly file: string; readonly text: string }> => {
  const definition = reporters.get(kind)!;
  let text = '';
  const output = { write: (more: string) => void (text += more), isTerminal: false, columns: 100, hasColour: false };
  if (kind === 'markdown') {
    const link = ({ pages }: ScenarioSummary): string | null => (root === null ? null : pages.find((page) => page.endsWith('.md')) ?? null);
    text = (await import('../reports/set-page.ts')).renderSetPage(end, { link });
  } else {
    await definition.open(output, { cwd, environment: {} }).end({ ...end, folder: root });
  }
  return { file: setFile(kind), text };
};
