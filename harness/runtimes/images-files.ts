// Which files an image is made of, and the hash by which it is named.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The repository, or the installed package. */
export const PACKAGE_ROOT = join(import.meta.dirname, '..', '..');

const RECIPES = join(PACKAGE_ROOT, 'images/runtime');
export const recipePath = (name: string): string => join(RECIPES, name);
export const recipeText = (name: string): string => readFileSync(recipePath(name), 'utf8');

const SKIPPED_FOLDERS = new Set(['node_modules', '.git', 'fixtures']);
const isTest = (name: string): boolean => /\.test\.[jt]s$/.test(name);

/** Files below a folder, as paths relative to it, sorted; tests, fixtures and packages left out. */
export const filesBelow = (folder: string): readonly string[] => {
  const walk = (below: string): string[] =>
    readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
      const path = join(below, entry.name);
      if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : walk(path);
      return isTest(entry.name) ? [] : [path];
    });
  return walk('').sort();
};

/** Of harness/runtimes only what runs inside the stage. */
const isStageModule = (name: string): boolean => /^(stage-(host|actors|network|names|cut|beside|capture|system)|capture|exit|processes)\.[jt]s$/.test(name);

/** Our sources that the actors run, relative to the package's root. */
export const actorSources = (): readonly string[] => [
  ...['harness/model', 'harness/clients', 'harness/probes', 'upstreams'].flatMap((folder) =>
    existsSync(join(PACKAGE_ROOT, folder)) ? filesBelow(join(PACKAGE_ROOT, folder)).map((file) => join(folder, file)) : []),
  ...readdirSync(join(PACKAGE_ROOT, 'harness/runtimes')).filter(isStageModule).sort().map((file) => join('harness/runtimes', file)),
];

/** Twelve hexadecimal digits of the SHA-256 over the words and the files' names and contents. */
export const hashOf = (words: readonly string[], folder?: string, files: readonly string[] = []): string => {
  const hash = createHash('sha256');
  for (const word of words) hash.update(`${word.length} ${word}\n`);
  for (const file of files) {
    const content = readFileSync(join(folder!, file));
    hash.update(`${file} ${content.length}\n`).update(content);
  }
  return hash.digest('hex').slice(0, 12);
};

/**
 * What was installed below a folder: what was asked for, which the folder is named by, npm's lock file, Maven's list, and the records
 * that pip leaves. Neither is enough alone: none tells a revision, while a range may have come to something else.
 * An image that holds it is named by this, since the folder itself holds times and caches.
 */
export const installedIn = (folder: string): string => {
  const lists = ['package-lock.json', 'dependencies.txt'].map((name) => join(folder, name)).filter((path) => existsSync(path));
  const records = readdirSync(folder).filter((name) => name.endsWith('.dist-info')).sort();
  return [basename(folder), ...lists.map((path) => readFileSync(path, 'utf8')), ...records].join('\n');
};

/** Copies files into a build folder, with the folders they stand in. */
export const copyFiles = (from: string, files: readonly string[], to: string): void => {
  for (const file of files) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(join(from, file), join(to, file), { dereference: true });
  }
};
