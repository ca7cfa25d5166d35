// The JSON Schema (draft-07) that editors use, made from the same zod schemas that parse. Scalars
// may also be `${references}` there, since an editor sees the file before they are filled in.
import type { z } from 'zod';
import { editorViewOf } from './editor-view.ts';
import { fragmentSchema, LIST_PARTS, MAP_PARTS } from './fragment.ts';
import { createScenarioSchema } from './schema.ts';
import type { Registries } from './schema.ts';

type Json = { [key: string]: unknown };

const REFERENCE = { type: 'string', pattern: '\\$\\{.+\\}' };
const NOTES = ['title', 'description', 'default', 'examples'] as const;

const isScalar = (schema: Json): boolean =>
  schema.const === undefined &&
  (['integer', 'number', 'boolean'].includes(schema.type as string) ||
    (schema.type === 'string' && (schema.pattern !== undefined || schema.enum !== undefined)));

/** `{ anyOf: [schema, reference] }`, with what is said about it on the outside. */
const orReference = (schema: Json): Json => {
  const notes = Object.fromEntries(NOTES.filter((key) => key in schema).map((key) => [key, schema[key]]));
  const rest = Object.fromEntries(Object.entries(schema).filter(([key]) => !(NOTES as readonly string[]).includes(key)));
  return { ...notes, anyOf: [rest, REFERENCE] };
};

/** Keys of a schema whose values are schemas; `propertyNames` are left out, since keys hold no references. */
const allowReferences = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(allowReferences);
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as Json;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, entry]): [string, unknown] => {
      if (['properties', 'patternProperties'].includes(key)) {
        return [key, Object.fromEntries(Object.entries(entry as Json).map(([name, property]) => [name, allowReferences(property)]))];
      }
      return [key, ['items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'].includes(key) ? allowReferences(entry) : entry];
    }),
  );
  return isScalar(inner) ? orReference(inner) : inner;
};

const document = (view: object, id: string, title: string, description: string): string => {
  const head = { $schema: 'http://json-schema.org/draft-07/schema#', $id: id, title, description };
  return `${JSON.stringify({ ...head, ...(allowReferences(view) as Json) }, null, 2)}\n`;
};

/** docs/scenario.schema.json, byte for byte. */
export const scenarioJsonSchema = (registries: Registries): string => {
  const about = 'One reproduction: a system, its upstreams, its clients, and what is claimed.';
  return document(editorViewOf(createScenarioSchema(registries)), 'scenario.schema.json', 'hangup scenario', about);
};

/** docs/fragment.schema.json, byte for byte. Its parts are those of a scenario. */
export const fragmentJsonSchema = (registries: Registries): string => {
  const own = editorViewOf(fragmentSchema) as { readonly properties: Json };
  const { properties } = editorViewOf(createScenarioSchema(registries)) as { readonly properties: Json };
  const parts = [...MAP_PARTS, ...LIST_PARTS].map((part) => [part, properties[part]]);
  const view = { ...own, properties: { ...own.properties, ...Object.fromEntries(parts) } };
  const about = 'Parts of scenarios, written once: what is added where a scenario says `use`.';
  return document(view, 'fragment.schema.json', 'hangup fragment', about);
};

/** docs/card.schema.json, byte for byte, from the card's own zod schema. */
export const cardJsonSchema = (schema: z.ZodType): string =>
  document(editorViewOf(schema), 'card.schema.json', 'hangup system card', 'How one system under test is started, driven and read.');
