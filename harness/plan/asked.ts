// What a command was asked for beside its cells, and the texts of their cards: what the evidence needs, beyond the cell
// itself, so that the same can be run again elsewhere.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Resolved } from '../bundle/format.ts';
import type { Card } from '../systems/card.ts';
import { readCardFiles } from './card-files.ts';
import type { CardFiles } from './card-files.ts';

export type CardText = {
  readonly text: string;
  /** SHA-256 of the text. */
  readonly hash: string;
  /** What lies beside it; absent: nobody has looked. */
  readonly files?: CardFiles;
};

export type Asked = {
  /** What was set by `--var`. */
  readonly variables: Readonly<Record<string, string>>;
  /** The card that was asked for in place of the scenarios' own, as it was given. */
  readonly system: string | null;
  /** By the card's file. */
  readonly cards: ReadonlyMap<string, CardText>;
};

export const toCardText = (text: string): CardText => ({ text, hash: createHash('sha256').update(text).digest('hex') });

/** Where a card's file lies, whatever the current folder is. */
export const cardPathOf = ({ folder, file }: Pick<Card, 'folder' | 'file'>): string => join(folder, basename(file));

/** By the card's file; one that is no longer there is left out. */
export const readCardTexts = async (cards: readonly Card[]): Promise<ReadonlyMap<string, CardText>> => {
  const one = async (card: Card): Promise<readonly (readonly [string, CardText])[]> => {
    const text = await readFile(cardPathOf(card), 'utf8').catch(() => null);
    return text === null ? [] : [[card.file, { ...toCardText(text), files: await readCardFiles(card) }]];
  };
  return new Map((await Promise.all([...new Set(cards)].map(one))).flat());
};

/** The part of resolved.json that says how to run it again. */
export const askedOf = (card: Card, asked: Asked | undefined): Partial<Resolved['run']> => {
  const text = asked?.cards.get(card.file);
  return {
    cardFile: card.file,
    ...(text ? { cardHash: text.hash } : {}),
    ...(text?.files ? { cardFiles: text.files } : {}),
    ...(card.version === null ? {} : { version: card.version }),
    ...(asked ? { system: asked.system, variables: asked.variables } : {}),
    ...(card.repository === undefined ? {} : { repository: card.repository }),
  };
};
