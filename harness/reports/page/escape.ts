// One line of text into HTML, paths and addresses into links.
import { escapeText } from '../html/escape.ts';
import { oneLine } from '../text.ts';

/** For text and for quoted attributes; control characters are replaced, lines joined. */
export const escapeHtml = (text: string, maximum = 2_000): string => escapeText(oneLine(text, maximum));

/** A link's target where it is a page in the web; anything else is no link. */
export const webAddress = (text: string): string | null => (/^https?:\/\/[^\s"'<>]+$/i.test(text) ? text : null);

/** A relative path as a link: `[how=fin] #2` is a name of a folder and not a fragment. */
export const pathToHref = (path: string): string => path.split(/[\\/]/).map(encodeURIComponent).join('/');
