// `hangup open`: finds the page that belongs to what was named and has it shown. A bundle from before there were pages, and one
// in an archive, get theirs in the temporary folder, where a browser can read it for as long as it likes.
import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeAtomically } from '../bundle/atomic.ts';
import { FILES } from '../bundle/format.ts';
import { readBundle } from '../bundle/read.ts';
import { makeScratchFolder } from '../bundle/scratch-folder.ts';
import { EXIT } from '../model/exit-code.ts';
import { problem } from '../model/problem.ts';
import { createScope } from '../model/scope.ts';
import type { Terminal } from './command.ts';
import { findOne, latestOf } from './found-bundles.ts';
import { openInBrowser, whyNotShown } from './open-browser.ts';
import { pageFor } from './report-pages.ts';

export type OpenOptions = {
  /** null: the newest run here. */
  readonly path: string | null;
  readonly print: boolean;
};

const isFile = async (path: string): Promise<boolean> => (await stat(path).catch(() => null))?.isFile() === true;

/** The page of a bundle is taken as it is if its seal holds, since anybody may have written into it. */
const pageOfBundle = async (path: string, cwd: string): Promise<string> => {
  await using scope = createScope();
  const { name, folder, isArchive } = await findOne(path, cwd, scope);
  const bundle = await readBundle(folder);
  const page = join(folder, 'report.html');
  if (!isArchive && bundle.isSealed && (await isFile(page))) return page;
  const made = join(await makeScratchFolder('hangup-open-'), `${name}.html`);
  await writeAtomically(made, await pageFor('html')!.render(bundle));
  return made;
};

const pageOf = async (path: string, cwd: string): Promise<string> => {
  const full = resolve(cwd, path);
  if (full.endsWith('.html') && (await isFile(full))) return full;
  const index = join(full, 'index.html');
  if (!(await isFile(join(full, FILES.manifest))) && (await isFile(index))) return index;
  if (!(await stat(full).catch(() => null))) throw problem('scenario', 'not-a-bundle', `there is no ${path}`, { hint: 'name a bundle, or run something first' });
  const isFolderOfRuns = !(await isFile(join(full, FILES.manifest))) && !(await isFile(full));
  if (isFolderOfRuns)
    throw problem('scenario', 'no-report', `${basename(full)} is no bundle and has no index.html`, { hint: `hangup report ${path}` });
  return pageOfBundle(path, cwd);
};

/**
 * @returns 0 opened, or its address printed; 3 no browser could be started
 * @throws ProblemError `no-evidence`, `no-report`, and what `readBundle` throws
 */
export const openReport = async (terminal: Terminal, { path, print }: OpenOptions): Promise<number> => {
  const page = await pageOf(path ?? (await latestOf(terminal.cwd)), terminal.cwd);
  const address = pathToFileURL(page).href;
  const why = print ? 'asked for' : whyNotShown(terminal.environment);
  if (why !== null) {
    terminal.write(`${address}\n`);
    return EXIT.passed;
  }
  if (await openInBrowser(address, terminal.environment)) {
    terminal.writeError(`opened ${address}\n`);
    return EXIT.passed;
  }
  terminal.write(`${address}\n`);
  terminal.writeError('hangup: no browser could be started; open the address above\n');
  return EXIT.error;
};
