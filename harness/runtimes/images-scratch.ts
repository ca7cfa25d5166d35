// The root folder of an image from what this machine runs: Node, the libraries that it names, a
// shell and `ip`. So an image can be made where no registry is reached, in about three seconds.
import { execFileSync } from 'node:child_process';
import { constants, accessSync, chmodSync, copyFileSync, mkdirSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { problem } from '../model/problem.ts';
import type { ProblemError } from '../model/problem.ts';
import { searchPath } from './environment.ts';

/** What the image is made of; a change of any of it makes another image. */
export type Ingredients = {
  readonly node: string;
  /** Static busybox, or null: then `ip` with its libraries and no shell. */
  readonly busybox: string | null;
  readonly ip: string | null;
  /** Paths under which the loader looks for them. */
  readonly libraries: readonly string[];
  readonly fingerprint: string;
};

const APPLETS = ['sh', 'env', 'ip', 'cat', 'ls', 'ps', 'sleep', 'kill', 'setsid', 'mkdir', 'chmod', 'wget'];

/** On the path; null where it is not. */
export const findProgram = (program: string): string | null => {
  for (const folder of searchPath().split(':').filter((one) => one.startsWith('/'))) {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return join(folder, program);
    } catch {
      // Not in this one.
    }
  }
  return null;
};

/** Absolute paths that the dynamic loader would open; empty for a static program. */
export const librariesOf = (program: string): readonly string[] => {
  try {
    const text = execFileSync('ldd', [program], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return [...text.matchAll(/(\/\S+) \(0x[0-9a-f]+\)/g)].map((match) => match[1]!);
  } catch {
    return [];
  }
};

export const noBase = (why: string): ProblemError =>
  problem('environment', 'no-base-image', `the actors' image cannot be made from this machine: ${why}`, {
    hint: 'HANGUP_BASE_IMAGE=node:24.21.0-bookworm-slim builds it from a published image instead',
  });

/** @throws ProblemError `no-base-image` where this machine cannot supply them */
export const gatherIngredients = (): Ingredients => {
  if (process.platform !== 'linux') throw noBase(`its Node is not for Linux but for ${process.platform}`);
  const found = findProgram('busybox');
  const busybox = found !== null && librariesOf(found).length === 0 ? found : null;
  const ip = busybox === null ? findProgram('ip') : null;
  if (busybox === null && ip === null) throw noBase('there is neither a static busybox nor ip');
  const node = realpathSync(process.execPath);
  const libraries = [...new Set([...librariesOf(node), ...(ip === null ? [] : librariesOf(ip))])].sort();
  if (libraries.length === 0) throw noBase('ldd does not name the libraries of Node');
  const fingerprint = [node, busybox, ip, ...libraries].filter((path) => path !== null).map((path) => {
    const { size, mtimeMs } = statSync(path);
    return `${path} ${size} ${Math.floor(mtimeMs)}`;
  }).join('\n');
  return { node, busybox, ip, libraries, fingerprint: `${process.version} ${process.arch}\n${fingerprint}` };
};

/** Lays the root folder out. Times of files do not matter: the engine's build cache looks at content. */
export const layOutRoot = (ingredients: Ingredients, root: string): void => {
  const put = (from: string, to: string): void => {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    copyFileSync(realpathSync(from), join(root, to));
    chmodSync(join(root, to), 0o755);
  };
  put(ingredients.node, 'usr/local/bin/node');
  for (const library of ingredients.libraries) put(library, library);
  if (ingredients.ip !== null) put(ingredients.ip, 'bin/ip');
  if (ingredients.busybox !== null) {
    put(ingredients.busybox, 'bin/busybox');
    for (const applet of APPLETS) symlinkSync('busybox', join(root, 'bin', applet));
    mkdirSync(join(root, 'usr/bin'), { recursive: true });
    symlinkSync('/bin/env', join(root, 'usr/bin/env'));
  }
  mkdirSync(join(root, 'etc'), { recursive: true });
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n');
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nnogroup:x:65534:\n');
  for (const folder of ['root', 'tmp', 'stage']) mkdirSync(join(root, folder));
};
