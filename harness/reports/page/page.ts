// The shell of every page of ours: one file that asks the network for nothing. Its policy allows the one style and the
// one script that are in it, by their hashes, and no other; so text that came from a system can never run.
import { createHash } from 'node:crypto';
import { escapeJson } from '../html/escape.ts';
import { escapeHtml } from './escape.ts';

export type PageParts = {
  readonly title: string;
  readonly style: string;
  /** What stands in the body, as HTML. */
  readonly body: string;
  /** Runs when the page is read. Without it no script may run at all. */
  readonly script?: string;
  /** Data for the script, which nothing executes: read by `JSON.parse(document.getElementById('data').textContent)`. */
  readonly data?: unknown;
};

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** @returns a whole document, to be written as UTF-8 */
export const pageOf = ({ title, style, body, script, data }: PageParts): string => {
  const policy = [
    "default-src 'none'", `style-src ${hashOf(style)}`, `script-src ${script === undefined ? "'none'" : hashOf(script)}`,
    "img-src data:", "base-uri 'none'", "form-action 'none'",
  ].join('; ');
  return [
    '<!doctype html>', '<html lang="en">', '<head>', '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">', '<meta name="color-scheme" content="light dark">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${escapeHtml(title)}</title>`, `<style>${style}</style>`, '</head>', '<body>', body,
    ...(data === undefined ? [] : [`<script type="application/json" id="data">${escapeJson(data)}</script>`]),
    ...(script === undefined ? [] : [`<script>${script}</script>`]), '</body>', '</html>', '',
  ].join('\n');
};
