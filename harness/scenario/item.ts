// The single-key maps of the language, `kind: options`: first which kind it is, then its options by
// that kind's own schema, so that a message is about the kind that was meant.
import { z } from 'zod';
import type { Item, Options } from '../model/fields.ts';
import { didYouMean } from '../model/nearest.ts';
import type { Definition, Registry } from '../model/registry.ts';
import { withEditorView } from './editor-view.ts';
import { exampleOf } from './example.ts';
import { optionsSchema, spellOut } from './fields-schema.ts';
import { delegate, tell } from './issues.ts';
import { viewOf } from './item-view.ts';
import type { ItemKinds, Siblings } from './item-view.ts';
import { show } from './scalars.ts';

type Context = z.core.$RefinementCtx;

export type ParsedItem = { readonly item: Item; readonly siblings: Readonly<Record<string, unknown>> };

const withArticle = (word: string): string => `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`;

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const tellUnknownKind = ({ word, registry }: ItemKinds, kind: string, context: Context, path: readonly string[]): void =>
  tell(
    context,
    { code: 'unknown-kind', hint: didYouMean(kind, registry.kinds), at: path.length > 0 ? 'key' : 'value' },
    `unknown ${word} \`${kind}\``,
    path,
  );

const checkOne = (
  { kind, fields: { $one } }: Definition,
  given: object,
  context: Context,
  path: readonly string[],
  hint: string,
): void => {
  if ($one === undefined) return;
  const found = $one.filter((key) => key in given);
  const list = `\`${$one.join('`, `')}\``;
  if (found.length === 0) tell(context, { code: 'missing-key', hint, at: 'owner' }, `\`${kind}\` needs one of ${list}`, path);
  if (found.length > 1)
    tell(context, { code: 'not-one-key', hint, at: 'key' }, `\`${kind}\` takes one of ${list}, not several`, [...path, found[1]!]);
};

const parseOptions = (
  definition: Definition,
  schema: z.ZodType<Options>,
  value: unknown,
  context: Context,
  path: readonly string[],
): Item | undefined => {
  const spelled = spellOut(definition.fields, value);
  if (spelled === undefined) {
    const hint =
      Object.keys(definition.fields.options).length === 0
        ? `write \`${definition.kind}\` alone`
        : `for example \`${exampleOf(definition)}\``;
    tell(context, { code: 'wrong-type', hint }, `\`${definition.kind}\` takes a map of options, not ${show(value)}`, path);
    return undefined;
  }
  const hint = `for example \`${exampleOf(definition)}\``;
  checkOne(definition, spelled, context, path, hint);
  const options = delegate(schema, spelled, context, path, (key) => ({ message: `\`${definition.kind}\` needs \`${key}\``, hint }));
  return options === undefined ? undefined : { kind: definition.kind, options };
};

/** The one key that is the kind. What else is there is a key that does not belong. */
const findKind = (kinds: ItemKinds, value: Readonly<Record<string, unknown>>, context: Context): string | undefined => {
  const { word, registry, siblings } = kinds;
  const others = Object.keys(value).filter((key) => !(key in siblings));
  const known = others.filter((key) => registry.get(key) !== undefined);
  const kind = known[0] ?? others[0];
  if (kind === undefined) {
    tell(context, { code: 'not-one-key', hint: didYouMean('', registry.kinds), at: 'owner' }, `which ${word} is missing`);
    return undefined;
  }
  if (known.length > 1) {
    tell(
      context,
      { code: 'not-one-key', hint: `give each ${word} an entry of its own`, at: 'key' },
      `two ${word}s in one entry: \`${known.join('`, `')}\``,
      [known[1]!],
    );
    return undefined;
  }
  for (const key of others) {
    if (key === kind) continue;
    const options = registry.get(kind)?.fields.options ?? {};
    const hint = key in options ? `options go inside: \`${kind}: { ${key}: ... }\`` : didYouMean(key, [kind, ...Object.keys(siblings)]);
    tell(context, { code: 'unknown-key', hint, at: 'key' }, `unknown key \`${key}\` beside \`${kind}\``, [key]);
  }
  return kind;
};

/**
 * The schema of one entry: a kind of the registry with its options, and keys beside it.
 * @param siblings keys that may stand beside the kind (`mark`, `on-fin`, `after`)
 */
export const itemSchema = (word: string, registry: Registry<Definition>, siblings: Siblings = {}): z.ZodType<ParsedItem> => {
  const kinds: ItemKinds = { word, registry, siblings };
  const schemas = new Map(registry.all.map((definition) => [definition.kind, optionsSchema(definition.fields)]));
  const siblingsSchema = z.looseObject(siblings);
  const parse = (value: unknown, context: Context): ParsedItem => {
    const bare = typeof value === 'string';
    if (!bare && !isMap(value)) {
      const hint = `for example \`${registry.all[0] ? exampleOf(registry.all[0]) : word}\``;
      if (value === undefined) tell(context, { code: 'missing-key', hint }, '');
      else
        tell(
          context,
          { code: 'wrong-type', hint, at: value === null ? 'owner' : 'value' },
          value === null ? `${withArticle(word)} is needed here` : `${show(value)} is not ${withArticle(word)}`,
        );
      return z.NEVER;
    }
    const kind = bare ? value : findKind(kinds, value, context);
    const beside = delegate(siblingsSchema as z.ZodType<Record<string, unknown>>, bare ? {} : value, context);
    if (kind === undefined) return z.NEVER;
    const definition = registry.get(kind);
    if (!definition) tellUnknownKind(kinds, kind, context, bare ? [] : [kind]);
    const item = definition
      ? parseOptions(definition, schemas.get(kind)!, bare ? undefined : value[kind], context, bare ? [] : [kind])
      : undefined;
    if (item === undefined || beside === undefined) return z.NEVER;
    return { item, siblings: Object.fromEntries(Object.keys(siblings).map((key) => [key, beside[key]])) };
  };
  return withEditorView(z.unknown().transform(parse), () => viewOf(kinds));
};
