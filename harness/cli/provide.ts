// What cards need before anything is started: packages, programs, images. Each is provided once.
import { ensureImages } from '../runtimes/images.ts';
import type { RuntimeKind } from '../runtimes/runtime.ts';
import type { Card } from '../systems/card.ts';
import { checkPrograms, installPackages } from '../systems/install.ts';

/**
 * Says what takes long. @returns by the card's file: the folder of its packages
 * @throws ProblemError for what cannot be provided; the signal's reason when it was aborted
 */
export const provide = async (
  all: readonly Card[],
  runtime: RuntimeKind,
  progress: (line: string) => void,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string>> => {
  const cards = [...new Map(all.map((card) => [card.file, card])).values()];
  const installed = new Map<string, string>();
  for (const card of cards) {
    signal?.throwIfAborted();
    if (runtime === 'process') checkPrograms(card);
    const folder = await installPackages(card, progress, { environment: process.env, ...(signal ? { signal } : {}) });
    if (folder !== null) installed.set(card.file, folder);
  }
  if (runtime === 'docker') {
    await ensureImages(cards, progress, ({ file }) => installed.get(file) ?? null);
    signal?.throwIfAborted();
  }
  return installed;
};
