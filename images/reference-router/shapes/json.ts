// Reading what others wrote: every field may be missing, or be something else.

export type Json = Readonly<Record<string, unknown>>;

export const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object that a text is; null when it is none. */
export const parseJson = (text: string): Json | null => {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : null;
  } catch {
    return null;
  }
};

/** A member that is an object itself; null otherwise. */
export const memberOf = (value: Json | null, name: string): Json | null => {
  const member = value?.[name];
  return isJson(member) ? member : null;
};

export const countOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
