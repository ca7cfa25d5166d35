// What the image names of cards stand for in this process: a tag by content, where it was built here.
const tags = new Map<string, string>();

export const standFor = (image: string, tag: string): void => void tags.set(image, tag);

/** Image names of cards with what they stand for, sorted. */
export const builtImages = (): readonly (readonly [image: string, tag: string])[] => [...tags].sort(([a], [b]) => (a < b ? -1 : 1));

/** The tag by content where there is one, else the name itself. */
export const resolveImage = (image: string): string => tags.get(image) ?? image;
