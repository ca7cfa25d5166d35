// Tags of an image that the engine has.
import { imageTags } from '../../runtimes/image-tags.ts';
import { releasesOf, sortVersions } from './compare.ts';
import { noValues } from './source.ts';
import type { AxisInput, AxisSource } from './source.ts';

/** As the axis says, else the image that the card runs with the axis as its tag. */
const nameOf = (input: AxisInput): string => {
  const { card, name, axis } = input;
  if (axis.package !== null) return axis.package;
  const reference = name === 'version' ? ':${version}' : `:\${axis.${name}}`;
  const image = card.run.flatMap(({ docker }) => docker?.image ?? []).find((one) => one.endsWith(reference));
  if (image !== undefined) return image.slice(0, -reference.length);
  throw noValues(input, `no image of the card ends in ${reference}`, 'write package: with the name of the image');
};

export const imageValues: AxisSource = async (input) => {
  const tags = sortVersions('image', await imageTags(nameOf(input)));
  const named = tags.filter((tag) => tag !== 'latest');
  // It stands for one of the others.
  return { all: tags, offered: releasesOf('image', named.length > 0 ? named : tags) };
};
