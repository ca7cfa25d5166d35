// What an editor is told of a single-key map: one alternative a kind, each with its own options.
import type { z } from 'zod';
import type { Definition, Registry } from '../model/registry.ts';
import { editorViewOf } from './editor-view.ts';
import { exampleOptions } from './example.ts';
import { fieldSchema, isBareable, optionsSchema } from './fields-schema.ts';

export type Siblings = Readonly<Record<string, z.ZodType>>;

/** `word`: what the kinds are called in messages: `step`, `fault` */
export type ItemKinds = { readonly word: string; readonly registry: Registry<Definition>; readonly siblings: Siblings };

const requiredSiblings = (siblings: Siblings): readonly string[] =>
  Object.entries(siblings)
    .filter(([, schema]) => !schema.safeParse(undefined).success)
    .map(([key]) => key);

/** What may stand after `kind:`: its options, the scalar that stands for one of them, or nothing. */
const valueView = ({ fields }: Definition): object => {
  const { $bare, $one, options } = fields;
  const oneOf = $one?.map((key) => ({ required: [key] }));
  const map = { ...editorViewOf(optionsSchema(fields)), ...(oneOf === undefined ? {} : { oneOf }) };
  const bare = $bare === undefined ? undefined : options[$bare];
  const anyOf = [map, ...(bare ? [editorViewOf(fieldSchema(bare))] : []), ...(isBareable(fields) ? [{ type: 'null' }] : [])];
  return anyOf.length === 1 ? map : { anyOf };
};

/** Editors see one alternative a kind: the map with that key and nothing unknown, or the bare kind. */
export const viewOf = ({ registry, siblings }: ItemKinds): object => {
  const beside = Object.fromEntries(Object.entries(siblings).map(([key, schema]) => [key, editorViewOf(schema)]));
  const required = requiredSiblings(siblings);
  const bare = required.length > 0 ? [] : registry.all.filter(({ fields }) => isBareable(fields)).map(({ kind }) => kind);
  const alternatives = registry.all.map((definition) => ({
    title: definition.kind,
    type: 'object',
    additionalProperties: false,
    required: [definition.kind, ...required],
    properties: {
      [definition.kind]: { description: definition.about, examples: [exampleOptions(definition)], ...valueView(definition) },
      ...beside,
    },
  }));
  return { oneOf: [...(bare.length > 0 ? [{ type: 'string', enum: bare }] : []), ...alternatives] };
};
