// Of what kind a value is that was read back from a file of whoever wrote it. Each check says where in the value the wrong thing
// stands, so that a message can name it, and never what stands there.

/** @returns null: it is of that kind; else the path in it of what is not, e.g. `.rows[3].local`; empty: the value itself */
export type Kind = (value: unknown) => string | null;

const when =
  (test: (value: unknown) => boolean): Kind =>
  (value) =>
    test(value) ? null : '';

export const text = when((value) => typeof value === 'string');
/** JSON has no NaN, but writes a number too large for a double, which is read as infinite. */
export const number = when(Number.isFinite);
export const whole = when(Number.isInteger);
export const flag = when((value) => typeof value === 'boolean');
export const anything: Kind = () => null;

export const word = (...words: readonly string[]): Kind => when((value) => (words as readonly unknown[]).includes(value));

export const orNull =
  (kind: Kind): Kind =>
  (value) =>
    value === null ? null : kind(value);

/** It may be absent. */
export const maybe =
  (kind: Kind): Kind =>
  (value) =>
    value === undefined ? null : kind(value);

export const listOf =
  (kind: Kind): Kind =>
  (value) => {
    if (!Array.isArray(value)) return '';
    for (const [index, each] of value.entries()) {
      const wrong = kind(each);
      if (wrong !== null) return `[${index}]${wrong}`;
    }
    return null;
  };

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Any keys: they are the writer's, and are not repeated in what is said. */
export const mapOf =
  (kind: Kind): Kind =>
  (value) => {
    if (!isRecord(value)) return '';
    return Object.values(value).some((each) => kind(each) !== null) ? '.*' : null;
  };

/** What is nested further than anything that is ever written can be parsed, and then be neither walked nor written again. */
export const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' && value !== null && (levels === 0 || Object.values(value).some((each) => isDeeperThan(each, levels - 1)));

/** Far more than any file of a bundle has. */
export const MAXIMUM_DEPTH = 64;

/** Keys that are not named may be there too: a later version may write more. */
export const record = (kinds: Readonly<Record<string, Kind>>): Kind => {
  const entries = Object.entries(kinds);
  return (value) => {
    if (!isRecord(value)) return '';
    for (const [key, kind] of entries) {
      const wrong = kind(Object.hasOwn(value, key) ? value[key] : undefined);
      if (wrong !== null) return `.${key}${wrong}`;
    }
    return null;
  };
};
