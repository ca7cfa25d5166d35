// Files that somebody's settings name by a path. It counts from where hangup was called, and the tools work elsewhere: left as it is, such a
// file would be missing at every version, and none could be installed.
import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Of pip, of git, and of the libraries by which they know whom to trust. */
const FILES = new Set([
  'PIP_CERT', 'PIP_CLIENT_CERT', 'PIP_CONFIG_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS', 'GIT_SSL_CAINFO', 'GIT_SSL_CAPATH', 'GIT_CONFIG_GLOBAL',
]);
/** Several of them, or addresses, with spaces between. */
const LISTS = new Set(['PIP_CONSTRAINT', 'PIP_BUILD_CONSTRAINT', 'PIP_FIND_LINKS']);
const OF_NPM = /^npm_config_(?:\/\/.*:)?(?:cafile|certfile|keyfile|userconfig|globalconfig)$/i;
/** Are made where they are not there yet: in an install's own folder they would be kept with it. */
const MADE = /^(?:PIP_CACHE_DIR|npm_config_(?:cache|prefix))$/i;
const OF_MAVEN = new Set(['MAVEN_ARGS', 'MAVEN_OPTS']);
const BEFORE_FILE = /^(?:-s|--settings|-gs|--global-settings|-t|--toolchains|-gt|--global-toolchains)$/;
const WITH_FILE = /^((?:--settings|--global-settings|--toolchains|--global-toolchains|(?:-D|--define=)?javax\.net\.ssl\.(?:trust|key)Store)=)(.+)$/;
const WITH_MADE = /^((?:-D|--define=)?maven\.repo\.local=)(.+)$/;

type Found = (path: string, isMade?: boolean) => string;

/** What is neither here nor there is left: the tool says best what it has not found. */
const finder = (there: string | null): Found => (path, isMade = false) => {
  if (path === '' || isAbsolute(path) || (there !== null && existsSync(join(there, path)))) return path;
  const here = resolve(path);
  return isMade || existsSync(here) ? here : path;
};

/** A space within a path would end it. */
const inList = (found: Found, list: string): string =>
  list.replace(/\S+/g, (path) => {
    const full = found(path);
    return /\s/.test(full) ? pathToFileURL(full).href : full;
  });

/** Maven's script splits at spaces whatever is written around them. */
const inWords = (found: Found, words: string): string => {
  let before = '';
  return words.replace(/\S+/g, (word) => {
    const isFile = BEFORE_FILE.test(before);
    before = word;
    const [, name = '', path = isFile ? word : ''] = WITH_FILE.exec(word) ?? WITH_MADE.exec(word) ?? [];
    const full = found(path, WITH_MADE.test(word));
    return path === '' || /\s/.test(full) ? word : `${name}${full}`;
  });
};

const valueFrom = (found: Found, name: string, value: string): string => {
  if (LISTS.has(name)) return inList(found, value);
  if (OF_MAVEN.has(name)) return inWords(found, value);
  return FILES.has(name) || OF_NPM.test(name) || MADE.test(name) ? found(value, MADE.test(name)) : value;
};

/**
 * A copy in which such files are found from everywhere.
 * @param there where the tool will work, if a file of that name which lies there is meant: one of the revision that is built
 */
export const withPathsFromHere = (environment: NodeJS.ProcessEnv, there: string | null = null): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, value === undefined ? value : valueFrom(finder(there), name, value)]));
