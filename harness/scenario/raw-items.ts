// The items of a scenario's data as it stands in the file, whatever else is wrong with it: every
// `kind: options` whose kind is known, and every option of it that is a name.
import type { FieldType } from '../model/fields.ts';
import type { Definition, Registry } from '../model/registry.ts';
import { spellOut } from './fields-schema.ts';
import type { Registries } from './schema.ts';
import type { Path } from './tree.ts';

export type Data = Readonly<Record<string, unknown>>;

/** One `kind: options` as it stands in the file. */
export type RawItem = { readonly definition: Definition; readonly options: Data; readonly path: Path; readonly client: string | null };

export const asMap = (value: unknown): Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Data) : {};
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const rawItem = (registry: Registry<Definition>, value: unknown, path: Path, client: string | null): readonly RawItem[] => {
  if (typeof value === 'string') {
    const definition = registry.get(value);
    return definition ? [{ definition, options: {}, path, client }] : [];
  }
  return Object.entries(asMap(value)).flatMap(([key, options]) => {
    const definition = registry.get(key);
    return definition ? [{ definition, options: spellOut(definition.fields, options) ?? {}, path: [...path, key], client }] : [];
  });
};

export const scriptsOf = (data: Data): readonly { readonly client: string; readonly step: unknown; readonly path: Path }[] =>
  Object.entries(asMap(data.clients)).flatMap(([client, value]) =>
    asList(asMap(value).script).map((step, index) => ({ client, step, path: ['clients', client, 'script', index] })),
  );

export const itemsOf = (data: Data, registries: Registries): readonly RawItem[] => [
  ...Object.entries(asMap(data.upstreams)).flatMap(([name, value]) => rawItem(registries.behaviours, value, ['upstreams', name], null)),
  ...Object.entries(asMap(data.clients)).flatMap(([client, value]) =>
    rawItem(registries.behaviours, asMap(value).behaviour, ['clients', client, 'behaviour'], client),
  ),
  ...scriptsOf(data).flatMap(({ client, step, path }) => rawItem(registries.steps, step, path, client)),
  ...asList(data.faults).flatMap((value, index) => rawItem(registries.faults, value, ['faults', index], null)),
  ...asList(data.expect).flatMap((value, index) => rawItem(registries.expectations, value, ['expect', index], null)),
];

export type Used = { readonly type: FieldType; readonly value: unknown; readonly path: Path; readonly client: string | null };

/** Every option that is a name, with where it stands. */
export const usesOf = (items: readonly RawItem[]): readonly Used[] =>
  items.flatMap(({ definition, options, path, client }) =>
    Object.entries(definition.fields.options).flatMap(([key, { type, list }]) => {
      const value = options[key];
      if (list && Array.isArray(value))
        return value.map((entry: unknown, index) => ({ type, value: entry, path: [...path, key, index], client }));
      return value === undefined ? [] : [{ type, value, path: [...path, key], client }];
    }),
  );

/** Dotted references that a scenario may use; the systems layer fills them in. */
export const dottedReferences = (value: unknown): readonly string[] => {
  const data = asMap(value);
  return [
    ...Object.keys(asMap(data.upstreams)).flatMap((name) => [`upstreams.${name}.url`, `upstreams.${name}.address`]),
    ...Object.keys(asMap(data.clients)).map((name) => `clients.${name}.address`),
    'system.address',
  ];
};
