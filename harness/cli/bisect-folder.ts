// The folder of a search, by what is asked: the same command finds it again, and another question has another one.
import { createHash } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { plainName } from '../bundle/plain-name.ts';
import { cardPathOf } from '../plan/asked.ts';
import { makeOutput } from '../plan/session.ts';
import type { Card } from '../systems/card.ts';
import type { BisectOptions } from './bisect-options.ts';
import type { Asked } from './bisect-question.ts';

export const STATE = 'bisect.json';

/** Cards below images/ are called as their folder. Of others several may be called the same: where they lie tells them apart. */
const cardName = (card: Card, root: string): string => {
  const path = cardPathOf(card);
  const folder = dirname(path);
  if (basename(path) === 'system.yaml' && basename(folder) === card.system && basename(dirname(folder)) === 'images') return card.system;
  return `${card.system}-${createHash('sha256').update(relative(root, path)).digest('hex').slice(0, 6)}`;
};

type Wanted = Pick<BisectOptions, 'output'>;

export const folderFor = (cwd: string, { output }: Wanted, { question: { scenario, defects, axes }, card }: Pick<Asked, 'question' | 'card'>): string => {
  const root = resolve(cwd, output ?? 'evidence');
  return join(root, plainName(`bisect ${scenario}`, defects, cardName(card, root), ...axes.map(({ axis }) => axis)));
};

/** Its lock is held: nobody is at work on it, and nobody begins in between. */
export const setAside = async (folder: string): Promise<void> => {
  if (!existsSync(join(folder, STATE))) return;
  for (let number = 1; ; number += 1) {
    const aside = `${folder}.old-${number}`;
    if (existsSync(aside)) continue;
    renameSync(folder, aside);
    return makeOutput(folder);
  }
};
