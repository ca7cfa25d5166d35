// How a scenario is called: the family and the file's name, wherever the file lies and however its
// path was given, so that ids compare between machines and runs.
import { basename, dirname, join, relative, sep } from 'node:path';

/** The folder of this package: where scenarios, cards and docs lie, whatever the current folder is. */
export const PACKAGE_ROOT = join(import.meta.dirname, '..', '..');

const parts = (path: string): readonly string[] => path.split(sep).filter(Boolean);

/** `disconnect/endless` for .../scenarios/disconnect/endless.yaml; else the folder and the file's name. */
export const scenarioIdOf = (absolutePath: string): string => {
  const stem = basename(absolutePath).replace(/\.ya?ml$/, '');
  const folders = parts(dirname(absolutePath));
  const root = folders.lastIndexOf('scenarios');
  const family = root === -1 ? folders.slice(-1) : folders.slice(root + 1);
  return [...family, stem].join('/');
};

/** A path as shown in messages: relative where it lies below the current folder. */
export const displayPath = (absolutePath: string, cwd = process.cwd()): string => {
  const path = relative(cwd, absolutePath);
  return path === '' || path.startsWith('..') ? absolutePath : path;
};
