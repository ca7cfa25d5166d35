// Where the user's own things are. A number that no list of users knows (as in a container that was given one) and that comes without HOME
// has no home: what is kept for it lies beside the notes of its runs, where nobody else may write.
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { runsFolder } from './run-files.ts';

/** @returns null where there is none */
export const homeFolder = (): string | null => {
  try {
    return homedir();
  } catch {
    return null;
  }
};

/** Where what is kept between commands is: of this user, or where XDG_CACHE_HOME says. */
export const cacheFolder = (environment: NodeJS.ProcessEnv): string => {
  const home = homeFolder();
  return join(environment['XDG_CACHE_HOME'] ?? (home === null ? join(dirname(runsFolder()), 'cache') : join(home, '.cache')), 'hangup');
};
