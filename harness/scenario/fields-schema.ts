// From options described as plain data (model/fields.ts) to the zod schema that parses them. Names
// of clients, upstreams, marks and so on are only checked for their form here: whether somebody
// defines them is asked of the whole scenario, in references.ts.
import { z } from 'zod';
import { BOUND_NAMES } from '../model/facts.ts';
import type { Field, Fields, Options } from '../model/fields.ts';
import { editorViewOf, withEditorView } from './editor-view.ts';
import { delegate, tell } from './issues.ts';
import { durationSchema, nameSchema, patternSchema, rangedDurationSchema, show, signalSchema, sizeSchema, statusSchema } from './scalars.ts';

const MAXIMUM_TEXT = 10_000;
const MAXIMUM_LIST = 1_000;

const boundSchema = z.enum(BOUND_NAMES);
const boundMapSchema = z.strictObject({ bound: boundSchema });

/** A mark's name, or `{ bound: name }`: the moment at which that bound is due. */
export const afterSchema = withEditorView(
  z
    .unknown()
    .transform((value, context): unknown =>
      delegate<unknown>(typeof value === 'object' && value !== null ? boundMapSchema : nameSchema, value, context),
    ),
  () => ({ anyOf: [editorViewOf(nameSchema), editorViewOf(boundMapSchema)] }),
);

const mostSchema = z.int().min(0);
const mostMapSchema = z.strictObject({ 'at-most': mostSchema });

/** `2`, or `{ at-most: 2 }`: the number. */
const atMostSchema = withEditorView(
  z.unknown().transform((value, context): unknown => {
    if (typeof value !== 'object' || value === null) return delegate<number>(mostSchema, value, context);
    return delegate<{ 'at-most': number }>(mostMapSchema, value, context)?.['at-most'];
  }),
  () => ({ anyOf: [editorViewOf(mostSchema), editorViewOf(mostMapSchema)] }),
);

/** Instances are counted from 1; as a mark or a client they are named by text. */
const instanceSchema = z.int().min(1).max(100);

/** A duration, or one of some words in its place. */
const durationOr = (words: readonly string[]): z.ZodType =>
  withEditorView(
    z.unknown().transform((value, context): unknown =>
      words.includes(value as string) ? value : delegate<unknown>(durationSchema, value, context)),
    () => ({ anyOf: [editorViewOf(durationSchema), { enum: words }] }),
  );

const scalarOf = (field: Field): z.ZodType => {
  switch (field.type) {
    case 'text':
      return z.string().max(MAXIMUM_TEXT);
    case 'integer':
      return z.int();
    case 'number':
      return z.number();
    case 'boolean':
      return z.boolean();
    case 'duration':
      return field.choices ? durationOr(field.choices) : field.ranged ? rangedDurationSchema : durationSchema;
    case 'size':
      return sizeSchema;
    case 'status':
      return statusSchema;
    case 'pattern':
      return patternSchema;
    case 'client':
    case 'upstream':
    case 'barrier':
    case 'mark':
      return nameSchema;
    case 'instance':
      return instanceSchema;
    case 'after':
      return afterSchema;
    case 'bound':
      return boundSchema;
    case 'choice':
      return z.enum(field.choices ?? []);
    case 'signal':
      return signalSchema;
    case 'rows':
      return z.array(z.record(z.string(), z.unknown())).min(1).max(MAXIMUM_LIST);
    case 'at-most':
      return atMostSchema;
    case 'any':
      return z.unknown();
  }
};

const measure = (value: unknown): number | undefined => {
  if (typeof value === 'number') return value;
  if (typeof value === 'object' && value !== null && 'from' in value) return measure(value.from);
  return typeof value === 'object' && value !== null && 'ms' in value ? Number(value.ms) : undefined;
};

/** Numbers carry their minimum in the schema; durations and sizes are compared after parsing. */
const withMinimum = (schema: z.ZodType, { type, minimum }: Field): z.ZodType => {
  if (minimum === undefined) return schema;
  if (type === 'integer') return z.int().min(minimum);
  if (type === 'number') return z.number().min(minimum);
  return schema.superRefine((value, context) => {
    const measured = measure(value);
    if (measured !== undefined && measured < minimum)
      tell(context, { code: 'bad-value' }, `${show(measured)} is out of range: at least ${minimum}`);
  });
};

/** The schema of one option, documented for editors. */
export const fieldSchema = (field: Field): z.ZodType => {
  const one = withMinimum(scalarOf(field), field);
  const all = field.list ? z.array(one).min(1).max(MAXIMUM_LIST) : one;
  const optional = field.default !== undefined ? all.prefault(field.default as never) : field.optional ? all.optional() : all;
  return optional.meta({ description: field.about });
};

export const isRequired = (field: Field): boolean => field.optional !== true && field.default === undefined;

/** Whether the kind may stand alone, without options. */
export const isBareable = ({ options, $one }: Fields): boolean => $one === undefined && !Object.values(options).some(isRequired);

/** Options after `$bare` was written out. */
export const optionsSchema = (fields: Fields): z.ZodType<Options> =>
  z.strictObject(Object.fromEntries(Object.entries(fields.options).map(([key, field]) => [key, fieldSchema(field)])));

/**
 * What stands after `kind:` as a map of options, or undefined where a bare scalar has no meaning.
 * Nothing at all is the empty map.
 */
export const spellOut = (fields: Fields, value: unknown): Readonly<Record<string, unknown>> | undefined => {
  if (value === null || value === undefined) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  return fields.$bare === undefined ? undefined : { [fields.$bare]: value };
};
