// `${name}` references of a card and a scenario, filled in from one flat table. Unknown names fail:
// a reference that silently becomes nothing would start another system than the one described.
import { problem } from '../model/problem.ts';

export type Values = Readonly<Record<string, string | number>>;

const REFERENCE = /\$\{([^}]+)\}/g;

/** @throws ProblemError `unknown-reference` naming what could have been meant */
export const fillText = (text: string, values: Values, where: string): string =>
  text.replace(REFERENCE, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) {
      throw problem('scenario', 'unknown-reference', `${where}: \${${name}} is not defined here`, {
        hint: name.startsWith('secret.')
          ? `give it by --secret ${name.slice('secret.'.length)}=...`
          : `defined: ${Object.keys(values).sort().join(', ')}`,
      });
    }
    return String(value);
  });

/** Fills every string in a value of lists and maps; a string that is only one reference to a number becomes the number. */
export const fillDeep = (value: unknown, values: Values, where: string): unknown => {
  if (typeof value === 'string') {
    const only = /^\$\{([^}]+)\}$/.exec(value);
    const known = only && Object.hasOwn(values, only[1]!) ? values[only[1]!] : undefined;
    return typeof known === 'number' ? known : fillText(value, values, where);
  }
  if (Array.isArray(value)) return value.map((entry) => fillDeep(entry, values, where));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, fillDeep(entry, values, where)]));
  }
  return value;
};

/** Fills the values of a map of texts, e.g. an environment or headers. */
export const fillMap = (map: Readonly<Record<string, string>>, values: Values, where: string): Record<string, string> =>
  Object.fromEntries(Object.entries(map).map(([key, text]) => [key, fillText(text, values, `${where}.${key}`)]));
