// `hangup report`: pages of old bundles, made anew by the code of today. A bundle is never written into, since that would break
// its seal: what is rendered lies beside it, or wherever it is asked for.
import { join, resolve } from 'node:path';
import { readBundle } from '../bundle/read.ts';
import type { Bundle } from '../bundle/read.ts';
import { problem } from '../model/problem.ts';
import { createScope } from '../model/scope.ts';
import type { Terminal } from './command.ts';
import { findBundles } from './found-bundles.ts';
import type { FoundBundle } from './found-bundles.ts';
import { createPageTarget } from './page-target.ts';
import type { PageTarget } from './page-target.ts';
import { checkFormats, pageFor, renderSet, setFile } from './report-pages.ts';
import { isFree, noteMade } from './report-place.ts';
import { endOf, renderedRun } from './report-runs.ts';
import type { RenderedRun } from './report-runs.ts';

export type ReportOptions = {
  readonly paths: readonly string[];
  readonly formats: readonly string[];
  /** A file, for several pages a folder, `-` for standard output; null: beside what is rendered. */
  readonly output: string | null;
};

const note = (terminal: Terminal, name: string, { notes }: Bundle): void => {
  for (const each of notes) terminal.writeError(`Note: ${name}: ${each}\n`);
};

const renderOne = async (terminal: Terminal, { name, folder, home }: FoundBundle, { formats, output }: ReportOptions, write: PageTarget): Promise<void> => {
  const bundle = await readBundle(folder);
  note(terminal, name, bundle);
  const root = output === null ? home : resolve(terminal.cwd, output);
  const isOneFile = output !== null && formats.length === 1;
  const pages = isOneFile ? [] : formats.flatMap((kind) => pageFor(kind) ?? []).map(({ file }) => `${name}.${file}`);
  const end = endOf([renderedRun(bundle, null, { pages, pagesIn: root })]);
  for (const kind of formats) {
    const page = pageFor(kind);
    const { file, text } = page ? { file: page.file, text: await page.render(bundle) } : await renderSet(kind, end, { cwd: terminal.cwd, root: null });
    if (output === '-') terminal.write(text);
    else await write(isOneFile ? root : join(root, `${name}.${file}`), text);
  }
};

/** Names that may be told apart in one folder, in the order of the bundles. A number makes none that a bundle has by itself. */
const uniqueNames = (found: readonly FoundBundle[]): readonly string[] => {
  const own = new Set(found.map(({ name }) => name));
  const taken = new Set<string>();
  return found.map(({ name }) => {
    let unique = name;
    for (let count = 2; taken.has(unique) || (unique !== name && own.has(unique)); count += 1) unique = `${name}-${count}`;
    taken.add(unique);
    return unique;
  });
};

/** Beside the bundles where they lie in one folder, and a run has left nothing of these names there. */
const whereTo = async (found: readonly FoundBundle[], { output, formats }: ReportOptions, cwd: string): Promise<{ readonly root: string; readonly isBeside: boolean }> => {
  if (output !== null) return { root: resolve(cwd, output), isBeside: false };
  const [home, ...others] = new Set(found.map((one) => (one.isListed ? one.home : null)));
  const isBeside = typeof home === 'string' && others.length === 0 && (await isFree(home, formats.map(setFile)));
  return { root: isBeside ? home : resolve(cwd, 'hangup-report'), isBeside };
};

const renderAll = async (terminal: Terminal, found: readonly FoundBundle[], options: ReportOptions, write: PageTarget): Promise<void> => {
  const isPrinted = options.output === '-';
  const { root, isBeside } = await whereTo(found, options, terminal.cwd);
  const names = uniqueNames(found);
  const runs: RenderedRun[] = [];
  for (const [index, { name, folder, isListed, isArchive }] of found.entries()) {
    const bundle = await readBundle(folder);
    // A control is part of the runs that needed it.
    if (isListed && bundle.manifest.isControl) continue;
    note(terminal, name, bundle);
    const pages: string[] = [];
    for (const page of isPrinted ? [] : options.formats.flatMap((kind) => pageFor(kind) ?? [])) {
      pages.push(`${names[index]!}.${page.file}`);
      await write(join(root, pages.at(-1)!), await page.render(bundle));
    }
    runs.push(renderedRun(bundle, isArchive ? null : folder, { pages, pagesIn: root }));
  }
  const end = endOf(runs);
  for (const kind of options.formats) {
    const { file, text } = await renderSet(kind, end, { cwd: terminal.cwd, root: isPrinted ? null : root });
    if (isPrinted) terminal.write(text);
    else await write(join(root, file), text);
  }
  if (isBeside) await noteMade(root, options.formats.map(setFile));
};

/**
 * @returns 0 when everything was rendered; what became of the runs is not its concern
 * @throws ProblemError `unknown-format`, `bad-option`, `output-not-writable`, and what `readBundle` throws
 */
export const report = async (terminal: Terminal, options: ReportOptions): Promise<number> => {
  checkFormats(options.formats);
  if (options.output === '-' && options.formats.length > 1)
    throw problem('scenario', 'bad-option', 'standard output has room for one format', { hint: 'name one with --format, or a folder with --output' });
  await using scope = createScope();
  const found = await findBundles(options.paths, terminal.cwd, scope);
  const write = createPageTarget(found, terminal, terminal.write);
  const [only] = found;
  if (found.length === 1 && only && !only.isListed) await renderOne(terminal, only, options, write);
  else await renderAll(terminal, found, options, write);
  return 0;
};
