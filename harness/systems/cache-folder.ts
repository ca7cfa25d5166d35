// Where what was installed, fetched and built is kept between commands: by content, so that nothing in it is ever out of date.
import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Of this user, or where XDG_CACHE_HOME says. */
export const cacheFolder = (environment: NodeJS.ProcessEnv): string => join(environment.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'hangup');

/** A name for what is made of these contents. */
export const contentKey = (contents: unknown): string => createHash('sha256').update(JSON.stringify(contents)).digest('hex').slice(0, 16);
