// An image with hangup inside, for machines that run containers and have no clone: the base of the actors' image, the programs that make
// namespaces, our sources, and the packages that they use. Built from this clone; no registry is asked.
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Engine } from './docker.ts';
import { buildImage } from './images-build.ts';
import { PACKAGE_ROOT, copyFiles, filesBelow, hashOf, recipePath, recipeText } from './images-files.ts';
import { ensureBaseImage, ensureImage, quiet } from './images-runtime.ts';
import type { RuntimeImageOptions } from './images-runtime.ts';
import { findProgram, librariesOf } from './images-scratch.ts';

/** Of util-linux and iproute2, since busybox's own know less; and a shell that does not take busybox's all the same. */
const PROGRAMS = ['sh', 'unshare', 'setpriv', 'nsenter', 'mount', 'umount', 'ip', 'nice', 'true', 'rm'] as const;
const FOLDERS = ['harness', 'upstreams', 'scenarios', 'images'] as const;
const FILES = ['package.json', 'docs/scenario.schema.json', 'docs/card.schema.json', 'docs/fragment.schema.json', 'evidence/README.md'] as const;
/** What tests, benches and tools need, and nobody who soaks. */
const NOT_NEEDED = /^harness\/(?:e2e|bench|tools)\/|\/node_modules\//;

/** Folders below the package's root that are not for developing only, as npm's lock file has them. */
export const productionPackages = (): readonly string[] => {
  const { packages } = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean; readonly version?: string }>>;
  };
  return Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional && existsSync(join(PACKAGE_ROOT, path)))
    .map(([path]) => path);
};

const sources = (): readonly string[] => [
  ...FOLDERS.flatMap((folder) => filesBelow(join(PACKAGE_ROOT, folder)).map((file) => join(folder, file))).filter((file) => !NOT_NEEDED.test(file)),
  ...FILES,
];

type Program = { readonly name: string; readonly path: string; readonly libraries: readonly string[] };

const programs = (): readonly Program[] =>
  PROGRAMS.flatMap((name) => {
    const path = findProgram(name);
    return path === null ? [] : [{ name, path: realpathSync(path), libraries: librariesOf(path) }];
  });

/** Each where it is found first on the path, ahead of those of busybox. */
const layOutPrograms = (found: readonly Program[], root: string): void => {
  const put = (from: string, to: string): void => {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    copyFileSync(realpathSync(from), join(root, to));
  };
  for (const { name, path, libraries } of found) {
    put(path, join('usr/local/bin', name));
    if (name === 'sh') put(path, 'bin/sh');
    for (const library of libraries) put(library, library);
  }
};

/**
 * @returns its tag, `hangup/soak:<hash>`
 * @throws ProblemError `no-base-image`, `image-not-built`
 */
export const ensureHarnessImage = async (engine: Engine, options: RuntimeImageOptions = {}): Promise<string> => {
  const base = await ensureBaseImage(engine, options);
  const { progress = quiet } = options;
  const found = programs();
  const files = sources();
  const made = found.map(({ path }) => `${path} ${statSync(path).size}`).join('\n');
  const lock = readFileSync(join(PACKAGE_ROOT, 'package-lock.json'), 'utf8');
  const tag = `hangup/soak:${hashOf([base, recipeText('soak.Dockerfile'), made, lock], PACKAGE_ROOT, files)}`;
  return ensureImage(engine, tag, () => buildImage(engine, {
    tag, what: 'soak', args: { BASE: base }, dockerfile: 'Dockerfile',
    fill: (folder) => {
      copyFileSync(recipePath('soak.Dockerfile'), join(folder, 'Dockerfile'));
      mkdirSync(join(folder, 'root'));
      layOutPrograms(found, join(folder, 'root'));
      copyFiles(PACKAGE_ROOT, files, join(folder, 'hangup'));
      for (const path of productionPackages()) cpSync(join(PACKAGE_ROOT, path), join(folder, 'hangup', path), { recursive: true, dereference: true });
    },
  }, progress));
};
