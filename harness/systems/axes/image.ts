// Tags of an image that the engine has.
import { imageTags } from '../../runtimes/image-tags.ts';
import { referenceTo } from './card-at.ts';
import { releasesOf, sortVersions } from './compare.ts';
import { movingTags, toldOfMoving } from './moving-tags.ts';
import { noValues } from './source.ts';
import type { AxisInput, AxisSource } from './source.ts';

/** As the axis says, else the image that the card runs with the axis as its tag. */
const nameOf = (input: AxisInput): string => {
  const { card, name, axis } = input;
  if (axis.package !== null) return axis.package;
  const reference = `:${referenceTo(name)}`;
  const image = card.run.flatMap(({ docker }) => docker?.image ?? []).find((one) => one.endsWith(reference));
  if (image !== undefined) return image.slice(0, -reference.length);
  throw noValues(input, `no image of the card ends in ${reference}`, 'write package: with the name of the image');
};

export const imageValues: AxisSource = async (input) => {
  const found = await imageTags(nameOf(input));
  const tags = sortVersions('image', found.map(({ name }) => name));
  const moving = movingTags('image', found);
  const told = toldOfMoving(input.name, moving);
  if (told !== '') input.context.progress(told);
  // What stands for one of the others is none beside it.
  const own = tags.filter((tag) => tag !== 'latest' && !moving.has(tag));
  return { all: tags, offered: releasesOf('image', own.length > 0 ? own : tags), moving };
};
