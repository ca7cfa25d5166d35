// What the image names of cards stand for in this process: a tag by content, where it was built here. One name stands for
// several images where a card is run in several versions; whose it is then says which.
type Built = { readonly image: string; readonly tag: string };

const tags = new Map<string, Built>();

const keyOf = (image: string, of: string | null): string => JSON.stringify([image, of]);

/** @param of key of the card whose image it is; null: anybody's */
export const standFor = (image: string, tag: string, of: string | null = null): void => void tags.set(keyOf(image, of), { image, tag });

/** Image names of cards with what they stand for, sorted. */
export const builtImages = (): readonly (readonly [image: string, tag: string])[] =>
  [...tags.values()].map(({ image, tag }) => [image, tag] as const).sort(([a, b], [c, d]) => (a === c ? (b < d ? -1 : 1) : a < c ? -1 : 1));

/** The tag by content where there is one, else the name itself. */
export const resolveImage = (image: string, of: string | null = null): string =>
  (tags.get(keyOf(image, of)) ?? tags.get(keyOf(image, null)))?.tag ?? image;
