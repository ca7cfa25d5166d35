// Images of cards: those that are built here, by content hash, on the actors' image or on Debian's
// packages, and the check that the engine has the rest.
import { copyFileSync, cpSync, existsSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { problem } from '../model/problem.ts';
import { connectEngine } from './docker.ts';
import { imageIdOf } from './image-tags.ts';
import type { Engine } from './docker.ts';
import { buildImage, imageExists } from './images-build.ts';
import type { Progress } from './images-build.ts';
import { ensureDebianImage } from './images-debian.ts';
import { copyFiles, filesBelow, hashOf, installedIn, recipePath, recipeText } from './images-files.ts';
import { standFor } from './images-names.ts';
import { ensureImage, ensureRuntimeImage, quiet } from './images-runtime.ts';

/** What of a card concerns images. */
export type BuildCard = {
  readonly folder: string;
  /** By which it is known where its images differ from those of the same file elsewhere; absent: they do not. */
  readonly key?: string;
  readonly file?: string;
  readonly version: string | null;
  /** What else its texts may refer to, by name; absent: the version alone. */
  readonly values?: Readonly<Record<string, string | number>>;
  readonly run: readonly {
    readonly docker?: {
      readonly image: string;
      readonly build?: {
        readonly context: string;
        readonly args: Readonly<Record<string, string>>;
        /** Debian packages, instead of the actors' image; and the release that they are of. */
        readonly packages?: readonly string[];
        readonly suite?: string;
      };
    };
  }[];
};

/** Gives the folder of a card's installed packages (of npm, PyPI and Maven), which its image then holds at /app; null: none. */
export type Installed<C> = (card: C) => string | null | Promise<string | null>;

type Built = NonNullable<NonNullable<BuildCard['run'][number]['docker']>['build']>;

type Wanted = {
  readonly image: string;
  readonly context: string;
  readonly args: Readonly<Record<string, string>>;
  readonly installed: string | null;
  /** A work tree, with all that was built in it: taken whole, and known by where it lies. */
  readonly isTree: boolean;
};

/** The card's folder (and what was installed for it) on that base, by its own Dockerfile if it has one. */
const ensureCardImage = async (engine: Engine, wanted: Wanted, base: string, progress: Progress): Promise<string> => {
  const own = existsSync(join(wanted.context, 'Dockerfile'));
  const files = wanted.isTree ? [] : filesBelow(wanted.context);
  const packages = wanted.installed === null ? '' : installedIn(wanted.installed);
  const words = [base, own ? '' : recipeText('card.Dockerfile'), packages, JSON.stringify(wanted.args), ...(wanted.isTree ? [wanted.context] : [])];
  const name = wanted.image.replace(/:[^/:]*$/, '');
  const tag = `${name}:${hashOf(words, wanted.context, files)}`;
  return ensureImage(engine, tag, () => buildImage(engine, {
    tag, what: name, args: { ...wanted.args, RUNTIME: base }, dockerfile: 'Dockerfile',
    fill: (folder) => {
      if (wanted.isTree) cpSync(wanted.context, folder, { recursive: true, verbatimSymlinks: true, filter: (path) => basename(path) !== '.git' });
      else copyFiles(wanted.context, files, folder);
      if (wanted.installed !== null) cpSync(wanted.installed, folder, { recursive: true, verbatimSymlinks: true });
      if (!own) copyFileSync(recipePath('card.Dockerfile'), join(folder, 'Dockerfile'));
      if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
    },
  }, progress));
};

/** What a card's image stands on. */
const baseOf = async (engine: Engine, { packages = [], suite = 'bookworm' }: Built, progress: Progress): Promise<string> =>
  packages.length > 0 ? ensureDebianImage(engine, { packages, suite }, progress) : ensureRuntimeImage(engine, { progress });

/** What is not known is left, and is told where it is used. */
const fill = (text: string, values: NonNullable<BuildCard['values']>): string =>
  text.replace(/\$\{([^}]+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : whole));

const missing = (image: string, card: BuildCard): Error =>
  problem('environment', 'image-missing', `the engine has no image ${image}`, {
    hint: `docker pull ${image}, or give the card a build (${card.folder})`,
  });

/**
 * Builds what the cards build, and checks that the engine has the rest. Nothing is pulled.
 * @param progress is told of what takes longer than two seconds
 * @returns image names as the cards have them (with the version filled in), to the tags they stand for from now on
 * @throws ProblemError `engine-unreachable`, `image-missing`, `image-not-built`, `no-base-image`
 */
export const ensureImages = async <C extends BuildCard>(
  cards: readonly C[],
  progress: Progress = quiet,
  installed: Installed<C> = () => null,
): Promise<ReadonlyMap<string, string>> => {
  const engine = await connectEngine();
  await ensureRuntimeImage(engine, { progress });
  const tags = new Map<string, string>();
  for (const card of cards) {
    const filled = (text: string): string => fill(text, card.values ?? { version: card.version ?? '' });
    for (const { docker } of card.run) {
      if (!docker) continue;
      const image = filled(docker.image);
      if (docker.build) {
        const context = resolve(card.folder, filled(docker.build.context));
        const args = Object.fromEntries(Object.entries(docker.build.args).map(([name, text]) => [name, filled(text)]));
        const isTree = docker.build.context.startsWith('${source}');
        const wanted = { image, context, args, isTree, installed: await installed(card) };
        const tag = await ensureCardImage(engine, wanted, await baseOf(engine, docker.build, progress), progress);
        tags.set(image, tag);
        standFor(image, tag, card.key === undefined || card.key === card.file ? null : card.key);
      } else if (card.key === undefined || card.key === card.file) {
        if (!(await imageExists(engine, image))) throw missing(image, card);
      } else {
        // One of several versions: what is run of it is what its tag stood for the first time.
        const id = await imageIdOf(image);
        if (id === null) throw missing(image, card);
        tags.set(image, id);
        standFor(image, id, card.key);
      }
    }
  }
  return tags;
};

export { resolveImage } from './images-names.ts';
