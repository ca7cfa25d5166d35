// Which tags of an image the engine has, and what they stand for. Nothing is asked of a registry, as nothing is ever pulled.
import { connectEngine } from './docker.ts';
import { imageOf } from './image-of.ts';

/** A tag, and a hash of the image that it stands for. */
export type ImageTag = { readonly name: string; readonly of: string };

/** @param name without a tag. @throws ProblemError `engine-unreachable` */
export const imageTags = async (name: string): Promise<readonly ImageTag[]> => {
  const images = await (await connectEngine()).listImages({ filters: { reference: [name] } });
  const prefix = `${name}:`;
  return images.flatMap(({ Id, RepoTags }) =>
    (RepoTags ?? []).flatMap((tag) => (tag.startsWith(prefix) ? [{ name: tag.slice(prefix.length), of: Id }] : [])));
};

const ids = new Map<string, string>();

/**
 * What a name stands for: a hash of the image itself. Asked once in a process, so that a tag that moves while it runs changes nothing.
 * @returns null: the engine has no such image
 * @throws ProblemError `engine-unreachable`
 */
export const imageIdOf = async (name: string): Promise<string | null> => {
  const known = ids.get(name);
  if (known !== undefined) return known;
  const found = await imageOf(await connectEngine(), name);
  if (found !== null) ids.set(name, found.Id);
  return found?.Id ?? null;
};
