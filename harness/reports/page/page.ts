// The shell of the pages beside report.html: the same look, the same policy, so that nothing but the one style and the one
// script that are in the page may run, whatever text came from a system.
import { pageHead } from '../html/render-html.ts';
import { pageStyle } from '../html/style.ts';

export type PageParts = {
  readonly title: string;
  /** What it has beside the style of all pages. */
  readonly style: string;
  /** What stands in the body, as HTML. */
  readonly body: string;
  /** Runs when the page is read. Without it no script may run at all. */
  readonly script?: string;
  /** The page is still being written: the browser reads it again so often. */
  readonly refreshSeconds?: number;
};

/** @returns a whole document, to be written as UTF-8 */
export const pageOf = ({ title, style, body, script, refreshSeconds }: PageParts): string => [
  '<!DOCTYPE html>', '<html lang="en">', '<head>', pageHead(title, `${pageStyle()}\n${style}`, script ?? null),
  ...(refreshSeconds === undefined ? [] : [`<meta http-equiv="refresh" content="${refreshSeconds}">`]), '</head>', '<body>', body,
  ...(script === undefined ? [] : [`<script>${script}</script>`]), '</body>', '</html>', '',
].join('\n');
