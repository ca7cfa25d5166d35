// A registry is a list of definitions found by kind. Help, `list`, the JSON Schema for editors,
// the documentation tables and the conformance tests are all made from it.
import type { Fields } from './fields.ts';

/** What everything that can be registered has in common. */
export type Definition = {
  /** Kebab-case; equals the file's name and the key in YAML. */
  readonly kind: string;
  /** One line for help and documentation. */
  readonly about: string;
  readonly fields: Fields;
  /** Options as they would stand in YAML: used by help, and parsed by the conformance test. */
  readonly example: unknown;
};

export type Registry<D extends Definition> = {
  readonly all: readonly D[];
  readonly kinds: readonly string[];
  readonly get: (kind: string) => D | undefined;
};

/** @throws Error when two definitions share a kind: a programming mistake */
export const createRegistry = <D extends Definition>(all: readonly D[]): Registry<D> => {
  const byKind = new Map(all.map((definition) => [definition.kind, definition]));
  if (byKind.size !== all.length) throw new Error(`duplicate kind among ${all.map((d) => d.kind).join(', ')}`);
  return { all, kinds: [...byKind.keys()], get: (kind) => byKind.get(kind) };
};
