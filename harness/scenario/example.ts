// The examples of definitions as one line of YAML, for hints, `list` and the documentation.
import type { Definition } from '../model/registry.ts';

/** A value in YAML's flow form. */
export const flow = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, entry]) => `${key}: ${flow(entry)}`);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  if (typeof value !== 'string') return String(value);
  return /^[\w./ -]+$/.test(value) && !/^[\d.-]+$|^(true|false|null)$| $|^ |^- /.test(value) ? value : JSON.stringify(value);
};

/** The options of an example; a definition may also give it as a whole single-key map. */
export const exampleOptions = ({ kind, example }: Pick<Definition, 'kind' | 'example'>): unknown => {
  const whole = typeof example === 'object' && example !== null && Object.keys(example).length === 1 && kind in example;
  return whole ? (example as Record<string, unknown>)[kind] : example;
};

/** `disconnect: { how: fin }`, or the bare kind where there is nothing to say. */
export const exampleOf = (definition: Pick<Definition, 'kind' | 'example'>): string => {
  const options = exampleOptions(definition);
  const text = options === undefined || options === null ? '{}' : flow(options);
  return text === '{}' || text === definition.kind ? definition.kind : `${definition.kind}: ${text}`;
};
