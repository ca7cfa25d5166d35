// Packages that a card's process needs, installed once into a cache whose name is their content.
// Debian's packages are only looked for: installing those is the machine owner's business.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf, problem } from '../model/problem.ts';
import { formatMs } from '../model/time.ts';
import type { Card } from './card.ts';
import { fillText } from './template.ts';

const run = promisify(execFile);
const INSTALL_LIMIT_MS = 180_000;
const OUTPUT_BYTES = 8 * 1024 * 1024;

export type InstallOptions = {
  readonly environment: NodeJS.ProcessEnv;
  /** Ends an install that is under way. */ readonly signal?: AbortSignal;
};

const cacheFolder = (environment: NodeJS.ProcessEnv): string => join(environment.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'hangup');

/** What npm itself says went wrong; the first line of a failed child is only its command. */
const reasonOf = (cause: unknown): string => {
  const said = cause instanceof Error && 'stderr' in cause ? String(cause.stderr) : '';
  const lines = said.split('\n').map((line) => line.replace(/^npm (?:error|ERR!)\s*/, '').trim());
  const telling = lines.filter((line) => line !== '' && !/^code |^A complete log|^npm warn/i.test(line));
  if (telling.length > 0) return telling.slice(0, 2).join('; ');
  return cause instanceof Error && 'killed' in cause && cause.killed === true
    ? `npm did not end within ${formatMs(INSTALL_LIMIT_MS)}`
    : messageOf(cause).split('\n')[0]!;
};

const makeTemporary = async (folder: string): Promise<string> => {
  try {
    await mkdir(dirname(folder), { recursive: true });
    return await mkdtemp(`${folder}.`);
  } catch (cause) {
    throw problem('environment', 'install-failed', `the cache for packages cannot be written: ${messageOf(cause)}`, {
      hint: 'XDG_CACHE_HOME names another folder for it',
      cause,
    });
  }
};

const installNpm = async (
  packages: readonly string[],
  folder: string,
  card: Card,
  { environment, signal }: InstallOptions,
): Promise<void> => {
  const temporary = await makeTemporary(folder);
  try {
    await writeFile(join(temporary, 'package.json'), JSON.stringify({ name: 'installed', version: '0.0.0', private: true }));
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--save-exact', ...packages], {
      cwd: temporary,
      timeout: INSTALL_LIMIT_MS,
      env: environment,
      maxBuffer: OUTPUT_BYTES,
      ...(signal ? { signal } : {}),
    });
    await rename(temporary, folder);
  } catch (cause) {
    await rm(temporary, { recursive: true, force: true });
    signal?.throwIfAborted();
    // Somebody else was faster.
    if (existsSync(folder)) return;
    throw problem('environment', 'install-failed', `${card.system}: cannot install ${packages.join(', ')}: ${reasonOf(cause)}`, {
      hint: "is the npm registry reachable? behind a company proxy set npm's proxy and cafile options",
      cause,
    });
  }
};

/**
 * @returns the folder that holds `node_modules`, or null where the card installs nothing by npm
 * @throws ProblemError `install-failed`; the signal's reason when it was aborted
 */
export const installPackages = async (
  card: Card,
  onProgress: (line: string) => void,
  options: InstallOptions = { environment: process.env },
): Promise<string | null> => {
  if (card.install.npm.length === 0) return null;
  const packages = card.install.npm.map((name) => fillText(name, { version: card.version ?? '' }, `${card.file}: install`));
  const key = createHash('sha256').update(JSON.stringify(packages)).digest('hex').slice(0, 16);
  const folder = join(cacheFolder(options.environment), `npm-${key}`);
  if (existsSync(folder)) return folder;
  onProgress(`installing ${packages.join(', ')} (once; kept in the cache)`);
  await installNpm(packages, folder, card, options);
  return folder;
};

/** @throws ProblemError `missing-program` for a command of the card that is nowhere on the path */
export const checkPrograms = (card: Card, environment = process.env): void => {
  for (const entry of card.run) {
    const program = entry.process?.command[0];
    if (program === undefined || program === 'node' || program.includes('/') || program.includes('$')) continue;
    const folders = [...(environment.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];
    if (folders.some((folder) => existsSync(join(folder, program)))) continue;
    throw problem('environment', 'missing-program', `${card.system}: "${program}" is not installed`, {
      hint:
        card.install.apt.length > 0
          ? `on Debian: apt-get install ${card.install.apt.join(' ')}`
          : `install it, or give its path in ${card.file}`,
    });
  }
};
