// How a card says where values of an axis come from: the versions of its system, and of whatever else it is made of.
import { z } from 'zod';
import { AXIS_VALUE } from '../../model/coordinates.ts';
import { tell } from '../../scenario/issues.ts';
import { text, textish, word } from '../card-parts.ts';
import type { CardAxis } from '../card.ts';

export const AXIS_SOURCES = ['npm', 'pypi', 'maven', 'go', 'apt', 'git', 'image', 'list'] as const;

/** What begins with a hyphen would be an option of the tool that is asked. */
const named = text.regex(/^[^-\s]/, 'a name begins with no hyphen');

/** Text only: without quotes 1.10 is the number 1.1. */
const value = z.string().regex(AXIS_VALUE, 'a value begins with a letter or digit, and has no space, comma, bracket or =');

const keys = z.strictObject({
  from: z.enum(AXIS_SOURCES).describe('Where its values come from'),
  package: named.optional().describe('What it is called there: a package, group:artifact of Maven, the name of an image'),
  repository: named.optional().describe('from: git: path (from the card) or address of the repository'),
  tags: named.optional().describe('from: git: the tags that are its values, such as v*; every commit of the first parents unless given'),
  build: z
    .array(z.array(textish).min(1))
    .max(20)
    .optional()
    .describe('from: git, in versions: commands that build a work tree, in order, each run in it: [[npm, ci], [npm, run, build]]'),
  list: z.array(value).min(1).max(500).optional().describe('from: list: its values, in order'),
  use: value.optional().describe('The value without an axis; ${version}, or ${axis.<name>}, in the card'),
});

type Keys = z.output<typeof keys>;
type Key = keyof Keys;

/** Keys that only one source has, and that it cannot do without. */
const NEEDS: Readonly<Partial<Record<Keys['from'], Key>>> = { git: 'repository', list: 'list' };
const OWN: Readonly<Partial<Record<Key, Keys['from']>>> = { repository: 'git', tags: 'git', build: 'git', list: 'list' };

/** One axis. What it lacks is told at its map. */
export const axisSchema: z.ZodType<CardAxis> = keys
  .superRefine((axis, context) => {
    const needed = NEEDS[axis.from];
    if (needed !== undefined && axis[needed] === undefined)
      tell(context, { code: 'missing-key', hint: `with from: ${axis.from} write ${needed}: ...`, at: 'owner' }, `\`${needed}\` is not given`);
    for (const [key, source] of Object.entries(OWN) as [Key, Keys['from']][]) {
      if (axis[key] === undefined || axis.from === source) continue;
      tell(context, { code: 'bad-value', hint: `leave ${key} out, or write from: ${source}`, at: 'owner' }, `\`${key}\` is of from: ${source}`);
    }
    if (axis.list && new Set(axis.list).size < axis.list.length)
      tell(context, { code: 'bad-value', hint: 'leave one out', at: 'owner' }, 'a value is in `list` twice');
    if (axis.list && axis.use !== undefined && !axis.list.includes(axis.use))
      tell(context, { code: 'bad-value', hint: `it has: ${axis.list.join(', ')}`, at: 'owner' }, `\`use: ${axis.use}\` is not in the list`);
  })
  .transform(({ from, package: name, repository, tags, build, list, use }): CardAxis => ({
    from,
    package: name ?? null,
    repository: repository ?? null,
    tags: tags ?? null,
    build: build ?? [],
    list: list ?? [],
    use: use ?? null,
  }));

/** Further axes, each with a value without which the card is not whole. */
export const axesSchema = z.record(
  word,
  axisSchema.superRefine(({ use, build }, context) => {
    if (use === null) tell(context, { code: 'missing-key', hint: 'write use: ..., the value without an axis', at: 'owner' }, '`use` is not given');
    // One that nobody runs would leave one system under every name.
    if (build.length > 0)
      tell(context, { code: 'bad-value', hint: 'make it `versions`, or leave build out and use ${axis.<name>} where it is installed', at: 'owner' }, '`build` is of `versions` only, which has a work tree');
  }),
);
