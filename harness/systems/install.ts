// Packages that a card's process needs, installed once into a cache whose name is their content.
// Debian's packages are only looked for: installing those is the machine owner's business.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { messageOf, problem } from '../model/problem.ts';
import { beginPreparing, notePrepared } from '../runtimes/prepare-life.ts';
import { axisValues } from './axes/card-at.ts';
import { cacheFolder, contentKey } from './cache-folder.ts';
import type { Card } from './card.ts';
import { installFaultOf, KILLED_HINT } from './install-faults.ts';
import type { InstallFault } from './install-faults.ts';
import { installTools } from './install-tools.ts';
import type { InstallOptions, InstallTool } from './install-tools.ts';
import { fillText } from './template.ts';

export type { InstallOptions } from './install-tools.ts';

/** A tool of a card's, with what it is to install. */
type Order = { readonly tool: InstallTool; readonly packages: readonly string[] };

const makeTemporary = async (folder: string): Promise<string> => {
  try {
    await mkdir(dirname(folder), { recursive: true });
    return await mkdtemp(`${folder}.`);
  } catch (cause) {
    throw problem('environment', 'cache-not-writable', `the cache for packages cannot be written: ${messageOf(cause)}`, {
      hint: 'XDG_CACHE_HOME names another folder for it',
      cause,
    });
  }
};

const hintOf = (fault: InstallFault, { kind, hint }: InstallTool): string => {
  if (fault === 'tool-killed') return KILLED_HINT;
  if (fault === 'cache-not-writable') return 'is there room, and may both caches be written, the one of hangup (XDG_CACHE_HOME) and that of the tool?';
  return fault === 'tool-missing' && kind === 'npm' ? 'npm comes with Node: is it on the PATH, with what it calls?' : hint;
};

/** Who was ended had no last word: what it printed before is of something else. */
const reasonOf = (tool: InstallTool, cause: unknown): string =>
  cause instanceof Error && 'signal' in cause && typeof cause.signal === 'string' ? messageOf(cause) : tool.reason(cause);

const failed = (card: Card, { tool, packages }: Order, cause: unknown): Error => {
  const fault = installFaultOf(cause);
  return problem('environment', fault, `${card.system}: cannot install ${packages.join(', ')}: ${reasonOf(tool, cause)}`, { hint: hintOf(fault, tool), cause });
};

const installAll = async (card: Card, orders: readonly Order[], folder: string, options: InstallOptions): Promise<void> => {
  const temporary = await makeTemporary(folder);
  const noted = notePrepared(temporary);
  const preparing = beginPreparing();
  const environment = { ...options.environment, ...preparing.marks };
  try {
    try {
      for (const order of orders) {
        await order.tool.install(order.packages, temporary, { ...options, environment }).catch((cause: unknown) => {
          options.signal?.throwIfAborted();
          throw failed(card, order, cause);
        });
      }
    } finally {
      // Before its folder is taken away, or counts as whole.
      preparing.end();
    }
    await rename(temporary, folder);
  } catch (cause) {
    await rm(temporary, { recursive: true, force: true });
    options.signal?.throwIfAborted();
    // Somebody else was faster.
    if (!existsSync(folder)) throw cause;
  } finally {
    noted.forget();
  }
};

/** By tools, packages, and what else the result depends on. */
const nameOf = async (card: Card, orders: readonly Order[], options: InstallOptions): Promise<string> => {
  const contents: unknown[] = [];
  for (const order of orders) {
    const version = await order.tool.version(options).catch((cause: unknown) => {
      options.signal?.throwIfAborted();
      throw failed(card, order, cause);
    });
    contents.push(...(version === '' ? order.packages : [version, ...order.packages]));
  }
  return `${orders.map(({ tool }) => tool.kind).join('-')}-${contentKey(contents)}`;
};

/**
 * @returns the folder that holds `node_modules` and Python's packages, or null where the card installs nothing
 * @throws ProblemError `install-failed`, or what is the machine's fault: `registry-unreachable`, `cache-not-writable`, `tool-missing`, `tool-killed`; the signal's reason when it was aborted
 */
export const installPackages = async (
  card: Card,
  onProgress: (line: string) => void,
  options: InstallOptions = { environment: process.env },
): Promise<string | null> => {
  const where = `${card.file}: install`;
  const orders = installTools
    .map((tool) => ({ tool, packages: card.install[tool.kind].map((name) => fillText(name, { version: '', ...axisValues(card) }, where)) }))
    .filter(({ packages }) => packages.length > 0);
  if (orders.length === 0) return null;
  const folder = join(cacheFolder(options.environment), await nameOf(card, orders, options));
  if (existsSync(folder)) return folder;
  onProgress(`installing ${orders.flatMap(({ packages }) => packages).join(', ')} (once; kept in the cache)`);
  await installAll(card, orders, folder, options);
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
