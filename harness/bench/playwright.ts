// Playwright Test as a peer: installed once by npm into the user's cache, without browsers. It is no dependency of ours, since nothing
// but a measure needs it.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const VERSION = '1.65.1';

/** What measures keep between two runs of the bench. */
export const cacheFolder = (name: string): string => join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'hangup-bench', name);

export type Playwright = { readonly folder: string; readonly cli: string };

/** @throws Error where it is not there and cannot be installed */
export const installPlaywright = async (): Promise<Playwright> => {
  const folder = cacheFolder(`playwright-${VERSION}`);
  const cli = join(folder, 'node_modules', '@playwright', 'test', 'cli.js');
  if (existsSync(cli)) return { folder, cli };
  const partial = `${folder}.${process.pid}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  writeFileSync(join(partial, 'package.json'), '{"private":true}\n');
  await run('npm', ['install', '--no-audit', '--no-fund', `@playwright/test@${VERSION}`], { cwd: partial, env: { ...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' } });
  rmSync(folder, { recursive: true, force: true });
  renameSync(partial, folder);
  return { folder, cli };
};
