// The card for running a bundle's scenario again: the one that was used then, word for word, wherever that can be had; and a
// line for whatever is not as it was.
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { FILES } from '../bundle/format.ts';
import type { Bundle } from '../bundle/read.ts';
import type { Coordinates } from '../model/coordinates.ts';
import { problem, ProblemError } from '../model/problem.ts';
import { toCardText } from '../plan/asked.ts';
import type { CardText } from '../plan/asked.ts';
import { given } from '../reports/rerun.ts';
import { displayPath, PACKAGE_ROOT } from '../scenario/identity.ts';
import { ownAxesOf } from '../systems/axes/card-at.ts';
import { repositoryOf } from '../systems/axes/git.ts';
import type { Card } from '../systems/card.ts';
import { cardPath, parseCard } from '../systems/load-card.ts';

export type CardThen = {
  readonly card: Card;
  readonly text: CardText;
  /** The card in place of the scenario's own, as it was given then or now. */
  readonly system: string | null;
  /** One line for each thing that is not as it was. */
  readonly notes: readonly string[];
};

type Wanted = {
  readonly bundle: Bundle;
  /** Asked for now, in place of the one of then. */
  readonly system: string | null;
  /** The name that the scenario gives. */
  readonly named: string;
  readonly cwd: string;
};

/** Bundles of a time before it was kept have it in their command line, if at all. */
const systemThen = ({ manifest, resolved }: Bundle): string | null =>
  resolved.run.system === undefined ? (given(manifest.argv, '--system').at(-1) ?? null) : resolved.run.system;

const parsed = (path: string, text: CardText): Card => {
  const { card, problems } = parseCard(path, text.text);
  if (card === null) throw new ProblemError(problems);
  return card;
};

type Found = { readonly path: string; readonly text: CardText };

const findNow = async (name: string, from: string): Promise<Found | null> => {
  const path = await cardPath(name, from);
  const text = path === null ? null : await readFile(path, 'utf8').catch(() => null);
  return path === null || text === null ? null : { path, text: toCardText(text) };
};

const short = (hash: string): string => hash.slice(0, 12);

/** The text in the evidence, where it is what was used: secrets may have been taken out of it. */
export const storedText = ({ cardText, resolved }: Bundle): CardText | null => {
  if (cardText === null) return null;
  const text = toCardText(cardText);
  return text.hash === resolved.run.cardHash ? text : null;
};

const asItIsNow = ({ path, text }: Found, { bundle }: Wanted): Omit<CardThen, 'system'> => {
  const { cardHash } = bundle.resolved.run;
  const note =
    cardHash === undefined
      ? 'the evidence does not hold the card: it is used as it is now, and whether it is the same cannot be told'
      : `the card has changed (was ${short(cardHash)}, is ${short(text.hash)}), and is used as it is now: secrets were taken out of the one in the evidence`;
  return { card: parsed(displayPath(path), text), text, notes: cardHash === text.hash ? [] : [note] };
};

/** A path that counts from the card's folder leads from another folder to something else. */
export const nearbyRepositories = (card: Card, at: Coordinates): readonly string[] =>
  Object.entries(ownAxesOf(card)).flatMap(([name, axis]) => {
    if (axis.from !== 'git' || (axis.use === null && !Object.hasOwn(at, name))) return [];
    return repositoryOf({ folder: '/' }, axis) === repositoryOf({ folder: '/elsewhere' }, axis) ? [] : [axis.repository!];
  });

const checkRepositories = (card: Card, { bundle, named }: Wanted): void => {
  const [repository] = nearbyRepositories(card, bundle.resolved.run.coordinates ?? {});
  if (repository === undefined) return;
  throw problem('scenario', 'unknown-card', `the repository \`${repository}\` counts from where the card \`${named}\` lies, which is not here`, {
    hint: `name the card by --system (a copy of ${FILES.card} in the bundle, at its place beside the repository), or run it again in the folder in which it was run`,
  });
};

const asItWas = (stored: CardText, found: Found | null, wanted: Wanted): Omit<CardThen, 'system'> => {
  if (found) {
    const note = `the card has changed (was ${short(stored.hash)}, is ${short(found.text.hash)}): the one in the evidence is used; --system ${wanted.named} takes it as it is now`;
    return { card: parsed(displayPath(found.path), stored), text: stored, notes: [note] };
  }
  const path = join(wanted.bundle.folder, FILES.card);
  const alone = parsed(path, stored);
  checkRepositories(alone, wanted);
  const note = `there is no card \`${wanted.named}\` here: the one in the evidence is used, without the files beside it, which evidence does not hold; where it needs them, put them beside a copy of its ${FILES.card} and name that by --system`;
  return { card: alone, text: stored, notes: [note] };
};

/** Folders in which it may have been run: evidence lies below that one, unless another output was named. The nearest first. */
const foldersAbove = (folder: string): readonly string[] => {
  const above = dirname(resolve(folder));
  return above === dirname(above) ? [] : [above, ...foldersAbove(above)];
};

/** A card's path counts from the scenario's file, which may be one of this package. */
const besideScenario = ({ resolved }: Bundle, root: string): string => dirname(resolve(root, resolved.run.file ?? '.'));

/**
 * The card of then: as it lies here, or in a folder above the evidence, where it is still the same; else as the evidence holds it.
 * @throws ProblemError `unknown-card` where it is nowhere, or every problem of it
 */
export const cardOfThen = async (wanted: Wanted): Promise<CardThen> => {
  const { bundle, cwd, named } = wanted;
  const system = wanted.system ?? systemThen(bundle);
  const name = system ?? named;
  const isThat = (one: Found | null): boolean => one !== null && one.text.hash === bundle.resolved.run.cardHash;
  const inRoot = (root: string): Promise<Found | null> => findNow(name, system === null ? besideScenario(bundle, root) : root);
  // Elsewhere only the very one is taken, with what lies beside it.
  const findAbove = async (): Promise<Found | null> => {
    for (const root of foldersAbove(bundle.folder)) {
      const one = await inRoot(root);
      if (isThat(one)) return one;
    }
    return null;
  };
  const here = (await inRoot(cwd)) ?? (await findNow(name, besideScenario(bundle, PACKAGE_ROOT)));
  const found = wanted.system !== null || isThat(here) ? here : ((await findAbove()) ?? here);
  const isSame = isThat(found);
  if (wanted.system !== null) {
    if (found === null)
      throw problem('scenario', 'unknown-card', `there is no card \`${wanted.system}\``, { hint: `a path is looked for from ${cwd}` });
    const notes = isSame ? [] : [`another card is used, as it was asked for: ${name}`];
    return { card: parsed(displayPath(found.path), found.text), text: found.text, system, notes };
  }
  const stored = storedText(bundle);
  if (stored && !isSame) return { ...asItWas(stored, found, { ...wanted, named: name }), system };
  if (found) return { ...asItIsNow(found, wanted), system };
  throw problem('scenario', 'unknown-card', `the card \`${name}\` is neither here nor whole in the evidence`, {
    hint: `name one by --system: a copy of the bundle's ${FILES.card}, with what was hidden in it written in, beside the files that it needs`,
  });
};
