// What cards need before anything is started: packages, programs, images. Each is provided once.
import { ensureImages } from '../runtimes/images.ts';
import type { RuntimeKind } from '../runtimes/runtime.ts';
import type { Card } from '../systems/card.ts';
import { checkPrograms, installPackages } from '../systems/install.ts';

/** By the card's file: the folder of its packages. @throws ProblemError for what cannot be provided */
export const provide = async (all: readonly Card[], runtime: RuntimeKind, progress: (line: string) => void): Promise<ReadonlyMap<string, string>> => {
  const cards = [...new Map(all.map((card) => [card.file, card])).values()];
  const installed = new Map<string, string>();
  for (const card of cards) {
    if (runtime === 'process') checkPrograms(card);
    const folder = await installPackages(card, progress);
    if (folder !== null) installed.set(card.file, folder);
  }
  if (runtime === 'docker') {
    const folderOf = (folder: string): string | null => installed.get(cards.find((card) => card.folder === folder)?.file ?? '') ?? null;
    await ensureImages(cards, progress, ({ folder }) => folderOf(folder));
  }
  return installed;
};
