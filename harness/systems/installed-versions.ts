// Which versions of a card's packages were installed, for the evidence: a card may name a range, or nothing but a name.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Card } from './card.ts';

/** `http-proxy@1.18.1`, `@scope/name`, `uvicorn[standard]==0.17.6`: the name alone. */
const npmName = (wanted: string): string => /^(@?[^@]+)/.exec(wanted)![1]!;
const pypiName = (wanted: string): string => /^[\w.-]+/.exec(wanted)?.[0] ?? wanted;

const npmVersion = async (folder: string, name: string): Promise<string | null> => {
  try {
    const { version } = JSON.parse(await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8')) as { version?: unknown };
    return typeof version === 'string' ? version : null;
  } catch {
    return null;
  }
};

/** Python's packages are said by folders `name-version.dist-info`, names written alike. */
const pypiVersion = (entries: readonly string[], name: string): string | null => {
  const alike = (text: string): string => text.toLowerCase().replace(/[-_.]+/g, '-');
  const found = entries.map((entry) => /^(.+)-([^-]+)\.dist-info$/.exec(entry)).find((match) => match && alike(match[1]!) === alike(name));
  return found?.[2] ?? null;
};

/** @returns `npm http-proxy` to its version, of what the card names and is there */
export const installedVersions = async (card: { readonly install: Omit<Card['install'], 'maven'> & Partial<Pick<Card['install'], 'maven'>> }, folder: string): Promise<Readonly<Record<string, string>>> => {
  const entries = card.install.pypi.length > 0 ? await readdir(folder).catch(() => []) : [];
  const found: (readonly [string, string | null])[] = [
    ...(await Promise.all(card.install.npm.map(npmName).map(async (name) => [`npm ${name}`, await npmVersion(folder, name)] as const))),
    ...card.install.pypi.map(pypiName).map((name) => [`pypi ${name}`, pypiVersion(entries, name)] as const),
  ];
  return Object.fromEntries(found.flatMap(([name, version]) => (version === null ? [] : [[name, version]])));
};
