// Where what was installed, fetched and built is kept between commands: by content, so that nothing in it is ever out of date.
import { createHash } from 'node:crypto';

export { cacheFolder } from '../runtimes/home-folder.ts';

/** A name for what is made of these contents. */
export const contentKey = (contents: unknown): string => createHash('sha256').update(JSON.stringify(contents)).digest('hex').slice(0, 16);
