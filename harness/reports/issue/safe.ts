// Text of strangers in an issue of somebody's forge: it calls nobody, links nowhere, breaks no table, and tells nothing of the
// machine that it was written on.
import { MACHINE_ROOTS } from '../../bundle/machine-roots.ts';
import { createRedactor } from '../../bundle/redact.ts';
import { oneLine } from '../text.ts';

/** What takes secrets and paths of machines out of a text. */
export type Hide = (text: string) => string;

/** Between a sign and what it would link to: nothing that is seen. Forges' own bots do the same. */
const APART = '&#8203;';
const MARKUP = /[\\`*_{}[\]<>|~]/g;
const REFERENCE = /(?:[@#!$%^]|GH-|:\/\/|\bwww\.)(?=[\p{L}\p{N}"])/gu;

const firstFolder = (path: string): string | null => /^\/([^/]+)/.exec(path)?.[1] ?? null;
const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * @param own paths of this machine: the current folder, the bundle's, those of the user
 * @returns a function that shortens paths of machines to `…/name` and masks what looks like a secret
 */
export const createHide = (own: readonly string[]): Hide => {
  const roots = [...new Set([...MACHINE_ROOTS, ...own.flatMap((path) => firstFolder(path) ?? [])])].map(quoted).join('|');
  const unix = new RegExp(String.raw`(?<![\w.…~/-])(?:file://)?/(?:${roots})(?:/[^\s/"'\`<>|:;,()[\]{}]*)+`, 'g');
  const windows = /(?<!\w)[A-Za-z]:\\(?:[^\s\\"'`<>|:;,()]+\\?)+/g;
  const redactor = createRedactor();
  const name = (path: string): string => `…/${path.split(/[\\/]/).filter(Boolean).at(-1)!}`;
  return (text) => redactor.text(text).replace(unix, name).replace(windows, name);
};

/** One line of prose, whatever is in it. */
export const prose = (text: string, hide: Hide, maximum = 500): string =>
  oneLine(hide(text), maximum)
    .replaceAll('&', '&amp;')
    .replace(MARKUP, (sign) => (sign === '<' ? '&lt;' : `\\${sign}`))
    .replace(REFERENCE, (sign) => (sign === '://' ? `:${APART}//` : `${sign}${APART}`));

/** A name or number as code. In code no forge links anything; a bar would end the cell of a table. */
export const code = (text: string, hide: Hide, maximum = 240): string => {
  const line = oneLine(hide(text), maximum).replaceAll('`', "'").replaceAll('|', '¦');
  return line === '' ? '' : `\`${line}\``;
};

/** Lines in a block that nothing in them can end. */
export const block = (lines: readonly string[], hide: Hide, language = 'text'): readonly string[] => {
  const safe = lines.map((line) =>
    hide(line).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, ' '),
  );
  const longest = Math.max(2, ...safe.flatMap((line) => [...line.matchAll(/`+/g)].map(([run]) => run.length)));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, ...safe, fence, ''];
};

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] => [
  `| ${head.join(' | ')} |`,
  `|${head.map(() => ' --- ').join('|')}|`,
  ...rows.map((row) => `| ${row.join(' | ')} |`),
  '',
];

/** Folded away, for those who want to know more. What stands beside the triangle is HTML: letters only. */
export const details = (summary: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0
    ? []
    : ['<details>', `<summary>${oneLine(summary.replace(/[^\w .-]/g, '_'), 80)}</summary>`, '', ...lines, '</details>', ''];
