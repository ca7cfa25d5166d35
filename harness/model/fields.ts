// The options of everything registered, described as plain data. The zod schema, the JSON Schema,
// help and cross-reference checks are derived from it (harness/scenario), so that actors need no
// library at run time: the image of the actors holds Node and our sources and nothing else.

/**
 * What a value means. `duration` becomes milliseconds and `size` bytes before anyone sees it.
 * `client`, `upstream`, `instance`, `barrier` and `mark` are names defined elsewhere in the scenario.
 * `after` is a mark, or `{ bound: name }` for the moment at which that bound is due. `at-most` is a number that
 * may also be written `{ at-most: number }`; what reads it sees the number.
 */
export type FieldType =
  | 'text' | 'integer' | 'number' | 'boolean' | 'duration' | 'size' | 'status' | 'pattern'
  | 'client' | 'upstream' | 'instance' | 'barrier' | 'mark' | 'after' | 'bound' | 'choice' | 'signal' | 'rows' | 'at-most' | 'any';

export type Field = {
  readonly type: FieldType;
  readonly about: string;
  readonly optional?: boolean;
  /** As it would stand in YAML (`100ms`, `64KiB`). A field with a default is optional. */
  readonly default?: unknown;
  /** For `choice`; for `duration` words that may stand in its place. */
  readonly choices?: readonly string[];
  /** A list of the type rather than one. */
  readonly list?: boolean;
  readonly minimum?: number;
  /** For `duration`: may also be a range such as `100ms..900ms`. What reads the option sees the ms that were chosen for its run. */
  readonly ranged?: boolean;
};

/**
 * The options, by key. `$bare` names the key that a bare scalar stands for: with `$bare: 'name'`
 * both `request: chat` and `request: { name: chat }` are accepted. Where nothing is required the
 * bare kind (`resume`) is accepted too. `$one` names keys of which exactly one must be given.
 */
export type Fields = { readonly $bare?: string; readonly $one?: readonly string[]; readonly options: Readonly<Record<string, Field>> };

/** Options after parsing: defaults filled in, durations in ms, sizes in bytes. */
export type Options = Readonly<Record<string, unknown>>;

/** Reads an option that the schema guarantees to be a number (duration: ms, size: bytes). */
export const numberOption = (options: Options, key: string): number => {
  const value = options[key];
  if (typeof value !== 'number') throw new TypeError(`option ${key} is not a number`);
  return value;
};

/** Reads an option that the schema guarantees to be text. */
export const textOption = (options: Options, key: string): string => {
  const value = options[key];
  if (typeof value !== 'string') throw new TypeError(`option ${key} is not text`);
  return value;
};

/** A single-key map of the language (`kind: options`) after parsing. */
export type Item = { readonly kind: string; readonly options: Options };
