// Which tags of an image the engine has. Nothing is asked of a registry, as nothing is ever pulled.
import { connectEngine } from './docker.ts';

/** @param name without a tag. @throws ProblemError `engine-unreachable` */
export const imageTags = async (name: string): Promise<readonly string[]> => {
  const images = await (await connectEngine()).listImages({ filters: { reference: [name] } });
  const prefix = `${name}:`;
  return images.flatMap(({ RepoTags }) => RepoTags ?? []).flatMap((tag) => (tag.startsWith(prefix) ? [tag.slice(prefix.length)] : []));
};
