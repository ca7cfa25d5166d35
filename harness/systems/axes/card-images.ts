// Which images a card runs that it does not build: names that may stand for another image tomorrow.
import type { Card } from '../card.ts';
import { axisValues } from './card-at.ts';

/** Names as the engine knows them, with the card's values filled in; of a name that holds anything else, nothing. */
export const foundImagesOf = (card: Card): readonly string[] => {
  const values = axisValues(card);
  const valueOf = (whole: string, name: string): string => (Object.hasOwn(values, name) ? String(values[name]) : whole);
  const filled = (text: string): string => text.replace(/\$\{([^}]+)\}/g, valueOf);
  const names = card.run.flatMap(({ docker }) => (docker && !docker.build ? [docker.image] : []));
  return [...new Set(names.filter((name) => !name.replace(/\$\{(?:version|axis\.[\w-]+)\}/g, '').includes('${')).map(filled))];
};
