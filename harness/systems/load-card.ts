// A card by name or path: found, read, checked, frozen. Nothing of the system is started or asked.
import { readdir, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { didYouMean } from '../model/nearest.ts';
import { ProblemError } from '../model/problem.ts';
import type { Problem } from '../model/problem.ts';
import { deepFreeze, sortProblems } from '../scenario/build.ts';
import { scenarioProblem } from '../scenario/codes.ts';
import { displayPath, PACKAGE_ROOT } from '../scenario/identity.ts';
import { findingsOf, PARSE_OPTIONS } from '../scenario/issues.ts';
import { loadTree, parseTree } from '../scenario/load.ts';
import type { LoadedTree } from '../scenario/load.ts';
import { locateAll } from '../scenario/locate.ts';
import { asMap } from '../scenario/raw-items.ts';
import { toData } from '../scenario/tree.ts';
import { cardFindings, checkCardTexts } from './card-references.ts';
import { cardSchema } from './card-schema.ts';
import type { Card } from './card.ts';

export type ReadCard = { readonly card: Card | null; readonly problems: readonly Problem[] };

const IMAGES = join(PACKAGE_ROOT, 'images');

const isPath = (name: string): boolean => isAbsolute(name) || name.includes('/') || /\.ya?ml$/.test(name);

/** Names of the cards that come with the repository. */
export const listCardNames = async (): Promise<readonly string[]> => {
  const entries = await readdir(IMAGES).catch(() => []);
  const found = await Promise.all(
    entries.map(async (name) => ((await stat(join(IMAGES, name, 'system.yaml')).catch(() => null)) ? name : null)),
  );
  return found.filter((name) => name !== null).sort();
};

const buildCard = ({ source, root, problems }: LoadedTree, path: string): ReadCard => {
  if (root === null) return { card: null, problems };
  const data = toData(root);
  const result = cardSchema.safeParse(data, PARSE_OPTIONS);
  const findings = [...(result.success ? [] : result.error.issues.flatMap(findingsOf)), ...cardFindings(asMap(data))];
  const all = sortProblems([...problems, ...locateAll(source, root, findings), ...checkCardTexts(source, root, data)]);
  if (!result.success || all.length > 0) return { card: null, problems: all };
  return { card: deepFreeze({ ...result.data, file: source.file, folder: dirname(path), key: source.file, coordinates: {} }), problems: [] };
};

/** Reads one card file; never throws for what is in it. */
export const readCard = async (path: string): Promise<ReadCard> => {
  const absolute = resolve(path);
  return buildCard(await loadTree(absolute, displayPath(absolute)), absolute);
};

/** The same for a text in memory, which is said to lie at `path`. */
export const parseCard = (path: string, content: string | Buffer): ReadCard => buildCard(parseTree(path, content), resolve(path));

/** A name stands for images/<name>/system.yaml, a path for itself, or for the system.yaml in a folder. */
export const cardPath = async (name: string, from: string): Promise<string | null> => {
  const path = isPath(name) ? resolve(from, name) : join(IMAGES, name, 'system.yaml');
  const found = await stat(path).catch(() => null);
  if (found === null) return null;
  return found.isDirectory() ? join(path, 'system.yaml') : path;
};

/**
 * @param name of a card that comes with the repository, or the path of one
 * @param from folder that a relative path is relative to: the scenario's, or the current one
 * @throws ProblemError `unknown-card`, or every problem of the card
 */
export const loadCard = async (name: string, from = process.cwd()): Promise<Card> => {
  const path = await cardPath(name, from);
  if (path === null) {
    const hint = isPath(name) ? `a path is looked for from ${from}` : didYouMean(name, await listCardNames(), 'known');
    throw new ProblemError(
      scenarioProblem(
        'unknown-card',
        `there is no card \`${name}\``,
        undefined,
        `${hint}; the path of a card is good too: ./my-card.yaml`,
      ),
    );
  }
  const { card, problems } = await readCard(path);
  if (card === null) throw new ProblemError(problems);
  return card;
};
