// The actors' own image, by content hash: a base with Node (from this machine, or a published one) and
// our sources on it. Looking costs one call of the engine; building happens when something changed.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from './docker.ts';
import { buildImage, imageExists } from './images-build.ts';
import type { Progress } from './images-build.ts';
import { PACKAGE_ROOT, actorSources, copyFiles, hashOf, recipePath, recipeText } from './images-files.ts';
import { gatherIngredients, layOutRoot, noBase } from './images-scratch.ts';

export type RuntimeImageOptions = {
  readonly progress?: Progress;
  /** A published image to build from; else HANGUP_BASE_IMAGE, else this machine's own Node. */
  readonly base?: string;
  /** Further sources for the actors' image, relative to the package's root (tests). */
  readonly extra?: readonly string[];
};

export const quiet: Progress = () => {};

const inProgress = new Map<string, Promise<void>>();

/** Builds unless it is there. Parallel askers of one process wait for the same build. */
export const ensureImage = async (engine: Engine, tag: string, build: () => Promise<void>): Promise<string> => {
  const work = inProgress.get(tag) ?? (async () => {
    if (!(await imageExists(engine, tag))) await build();
  })();
  inProgress.set(tag, work);
  await work.finally(() => inProgress.delete(tag));
  return tag;
};

const ensurePublishedBase = (engine: Engine, base: string, progress: Progress): Promise<string> => {
  const tag = `hangup/base:${hashOf([base, recipeText('Dockerfile')])}`;
  return ensureImage(engine, tag, () => buildImage(engine, {
    tag, what: 'base', args: { BASE: base }, dockerfile: 'Dockerfile',
    fill: (folder) => copyFileSync(recipePath('Dockerfile'), join(folder, 'Dockerfile')),
  }, progress));
};

/** The engine's names of processors. */
const PROCESSORS: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64', arm: 'arm', ia32: '386' };

const ensureScratchBase = async (engine: Engine, progress: Progress): Promise<string> => {
  const ingredients = gatherIngredients();
  const { Arch } = await engine.version();
  if (Arch !== (PROCESSORS[process.arch] ?? process.arch)) throw noBase(`its processor is ${process.arch}, the engine's ${Arch}`);
  const tag = `hangup/base:${hashOf([ingredients.fingerprint, recipeText('scratch.Dockerfile')])}`;
  return ensureImage(engine, tag, () => buildImage(engine, {
    tag, what: 'base', dockerfile: 'Dockerfile',
    fill: (folder) => {
      copyFileSync(recipePath('scratch.Dockerfile'), join(folder, 'Dockerfile'));
      mkdirSync(join(folder, 'root'));
      layOutRoot(ingredients, join(folder, 'root'));
    },
  }, progress));
};

/** What the actors' image stands on: Node and `ip`, from this machine or from a published image. */
export const ensureBaseImage = (
  engine: Engine,
  { progress = quiet, base = process.env['HANGUP_BASE_IMAGE'] }: RuntimeImageOptions = {},
): Promise<string> =>
  base === undefined || base === '' ? ensureScratchBase(engine, progress) : ensurePublishedBase(engine, base, progress);

/**
 * The actors' image, built when it or anything in it is new.
 * @returns its tag, `hangup/runtime:<hash>`
 * @throws ProblemError `no-base-image`, `image-not-built`
 */
export const ensureRuntimeImage = async (engine: Engine, options: RuntimeImageOptions = {}): Promise<string> => {
  const { progress = quiet, extra = [] } = options;
  const from = await ensureBaseImage(engine, options);
  const files = [...actorSources(), ...extra];
  const tag = `hangup/runtime:${hashOf([from, recipeText('sources.Dockerfile'), recipeText('warm.mjs')], PACKAGE_ROOT, files)}`;
  return ensureImage(engine, tag, () => buildImage(engine, {
    tag, what: 'runtime', args: { BASE: from }, dockerfile: 'Dockerfile',
    fill: (folder) => {
      copyFileSync(recipePath('sources.Dockerfile'), join(folder, 'Dockerfile'));
      copyFileSync(recipePath('warm.mjs'), join(folder, 'warm.mjs'));
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
      copyFiles(PACKAGE_ROOT, files, folder);
    },
  }, progress));
};
