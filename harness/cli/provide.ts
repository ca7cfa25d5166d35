// What cards need before anything is started: packages, work trees, programs, images. Each is provided once in a command, at
// each place on the card's axes; what cannot be had there is remembered for as long as the command runs, and no longer.
import { availableParallelism } from 'node:os';
import { didYouMean } from '../model/nearest.ts';
import { ensureImages } from '../runtimes/images.ts';
import type { RuntimeKind } from '../runtimes/runtime.ts';
import { axisValues } from '../systems/axes/card-at.ts';
import { allValuesOf } from '../systems/axes/values.ts';
import type { AxisContext } from '../systems/axes/values.ts';
import { ensureSource } from '../systems/axes/source-tree.ts';
import type { Card } from '../systems/card.ts';
import { checkPrograms, installPackages } from '../systems/install.ts';
import { imageFaultOf } from '../systems/install-faults.ts';
import { installedVersions } from '../systems/installed-versions.ts';
import { toUntestable } from '../systems/untestable.ts';
import type { Untestable } from '../systems/untestable.ts';

export type ProvideOptions = {
  readonly environment: NodeJS.ProcessEnv;
  readonly progress: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
};

export type Provided = {
  /** By the card's key: the folder of its packages. */
  readonly installed: ReadonlyMap<string, string>;
  /** By the card's key: the work tree of its revision. */
  readonly sources: ReadonlyMap<string, string>;
  /** By the card's key: which packages are in that folder. */
  readonly packages: ReadonlyMap<string, Readonly<Record<string, string>>>;
};

export type Provider = Provided & {
  /**
   * Makes ready what was not asked for before; says what takes long.
   * @throws ProblemError for what is the machine's fault, or cannot be had of a card that is used as its file says
   */
  readonly provide: (cards: readonly Card[], runtime: RuntimeKind) => Promise<void>;
  readonly untestable: (card: Card, runtime: RuntimeKind) => Untestable | null;
};

/** Most of an install is waiting for a registry, the rest is unpacking. */
const SIDE_BY_SIDE = Math.min(4, Math.max(2, availableParallelism()));

/** A few at a time, in order; the first error ends what has not begun. */
const eachOf = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  let next = 0;
  let failed = false;
  const worker = async (): Promise<void> => {
    while (next < items.length && !failed) {
      const index = next;
      next += 1;
      await work(items[index]!).catch((error: unknown) => {
        failed = true;
        throw error;
      });
    }
  };
  const all = await Promise.allSettled(Array.from({ length: Math.min(SIDE_BY_SIDE, items.length) }, worker));
  for (const one of all) if (one.status === 'rejected') throw one.reason;
};

/** What may have been meant, where its registry has no such version. */
const nearestVersion = async (card: Card, context: AxisContext): Promise<string | null> => {
  const { version, versions } = card;
  if (version === null || versions === null || !['npm', 'pypi', 'maven'].includes(versions.from) || versions.package === null) return null;
  const all = await allValuesOf(card, 'version', context).then((values) => values.all, (): readonly string[] => []);
  return all.length === 0 || all.includes(version) ? null : `${versions.package} has no ${version}: ${didYouMean(version, all.toReversed(), 'there are')}`;
};

export const createProvider = ({ environment, progress, signal }: ProvideOptions): Provider => {
  const installed = new Map<string, string>();
  const sources = new Map<string, string>();
  const packages = new Map<string, Readonly<Record<string, string>>>();
  const untestable = new Map<string, Untestable>();
  /** Under way, or over: whoever asks for the same waits for the same. */
  const provided = new Map<string, Promise<void>>();
  const keyOf = (card: Card, runtime: RuntimeKind): string => `${runtime} ${card.key}`;

  const makeReady = async (card: Card, runtime: RuntimeKind, told: (line: string) => void): Promise<void> => {
    if (runtime === 'process') checkPrograms(card);
    const options = { environment, ...(signal ? { signal } : {}) };
    const source = sources.has(card.key) ? null : await ensureSource(card, { ...options, progress: told });
    if (source !== null) {
      sources.set(card.key, source.folder);
      packages.set(card.key, { [`commit of ${card.system}`]: source.commit });
    }
    const folder = installed.get(card.key) ?? (await installPackages(card, told, options));
    if (folder !== null && !installed.has(card.key)) {
      installed.set(card.key, folder);
      packages.set(card.key, { ...packages.get(card.key), ...(await installedVersions(card, folder)) });
    }
    if (runtime === 'docker') {
      const images = await ensureImages([{ ...card, values: { ...axisValues(card), ...(sources.has(card.key) ? { source: sources.get(card.key)! } : {}) } }], told, () => installed.get(card.key) ?? null)
        .catch((error: unknown) => { throw imageFaultOf(error); });
      // One name stands for other images at other coordinates.
      const used = Object.fromEntries([...images].map(([image, tag]) => [`image for ${image}`, tag]));
      if (card.key !== card.file) packages.set(card.key, { ...packages.get(card.key), ...used });
    }
  };
  const provideOne = async (card: Card, runtime: RuntimeKind, told: (line: string) => void): Promise<void> => {
    signal?.throwIfAborted();
    const key = keyOf(card, runtime);
    try {
      await makeReady(card, runtime, told);
    } catch (error) {
      signal?.throwIfAborted();
      const why = toUntestable(card, error);
      const near = await nearestVersion(card, { environment, progress: () => {} });
      untestable.set(key, near === null ? why : { ...why, hint: near });
      told(`untestable: ${why.reason}`);
    }
    signal?.throwIfAborted();
  };
  const provideOnce = (card: Card, runtime: RuntimeKind, told: (line: string) => void): Promise<void> => {
    const key = keyOf(card, runtime);
    const working = provided.get(key) ?? provideOne(card, runtime, told);
    provided.set(key, working);
    // What threw was not the card's doing, and may be there the next time.
    working.catch(() => provided.delete(key));
    return working;
  };
  return {
    installed,
    sources,
    packages,
    provide: async (cards, runtime) => {
      const wanted = [...new Map(cards.map((card) => [card.key, card])).values()];
      const fresh = wanted.filter((card) => !provided.has(keyOf(card, runtime)));
      const told = (card: Card) => (line: string): void => progress(fresh.length > 1 ? `${line} (${fresh.indexOf(card) + 1} of ${fresh.length})` : line);
      await eachOf(wanted, (card) => provideOnce(card, runtime, told(card)));
    },
    untestable: (card, runtime) => untestable.get(keyOf(card, runtime)) ?? null,
  };
};

/** For who asks once. @returns by the card's key: the folder of its packages. @throws as `provide` does */
export const provide = async (
  cards: readonly Card[],
  runtime: RuntimeKind,
  progress: (line: string) => void,
): Promise<ReadonlyMap<string, string>> => {
  const provider = createProvider({ environment: process.env, progress });
  await provider.provide(cards, runtime);
  return provider.installed;
};
