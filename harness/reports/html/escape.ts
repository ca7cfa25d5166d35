// What comes from a run comes from strangers. Every text of it passes here on its way into the page: nothing of it can end
// an element, begin one, or move text about.
import { stripVTControlCharacters } from 'node:util';

// Control characters but tab and line end, and what reorders or hides text; each is shown as a middle dot.
const UNPRINTABLE = new RegExp(
  [
    String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]`,
    // Half of a character.
    String.raw`[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]`,
  ].join('|'),
  'g',
);
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const printable = (text: string): string => stripVTControlCharacters(text.replace(/\r\n/g, '\n')).replace(UNPRINTABLE, '·');

/** Safe as text and inside a quoted attribute. */
export const escapeText = (text: string): string => printable(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!);

const scriptText = (text: string): string =>
  JSON.stringify(printable(text)).replace(/[<>&]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** So many numbers stand on one line: what looks through the page line by line need not hold all of it. */
const ROW = 200;

/**
 * JSON that can stand inside a script element, whatever its strings hold; strings are shown as text by the page. Plain
 * data only; `undefined` is left out.
 */
export const escapeJson = (value: unknown): string => {
  if (typeof value === 'string') return scriptText(value);
  if (Array.isArray(value)) {
    const parts = value.map((each, index) => (typeof each === 'number' && index % ROW !== 0 ? String(each) : `\n${escapeJson(each)}`));
    return `[${parts.join(',')}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{${entries.map(([key, each]) => `${scriptText(key)}:${escapeJson(each)}`).join(',')}}`;
};
