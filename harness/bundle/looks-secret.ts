// Which values of an environment are secrets, by their names and their looks. What is hidden is hidden everywhere, so
// a value counts only where it cannot be a word of the evidence: long enough, of enough variety, no path, no address.
import { existsSync } from 'node:fs';
import { MACHINE_ROOTS } from './machine-roots.ts';
import { shapedIn } from './shapes.ts';

/** Ends of names; words of their own; and what says so wherever it stands. */
const NAME = new RegExp(
  [
    '(?:token|secret|passwo?r?d|passphrase|(?:api|access|private|secret|master)[_-]?key)$',
    '(?:^|[_.:/-])(?:key|pass|pwd|pat|dsn|credentials?|cookie|auth|authorization|bearer|jwt)$',
    '(?:secret|password|token)[_-]',
  ].join('|'),
  'i',
);
/** The folder in which a shell stands. */
const NO_SECRET_NAME = /^(?:OLD)?PWD$/i;
const SHORTEST = 8;
/** From here on one kind of characters is variety enough. */
const LONG = 16;
const DISTINCT = 5;
const KINDS = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/];
/** Folders of containers and systems, in which paths of keys lie too. */
const ROOTS = [...MACHINE_ROOTS, 'app', 'bin', 'boot', 'data', 'dev', 'lib', 'lib64', 'proc', 'run', 'sbin', 'secrets', 'sys', 'workspace'];
/** Paths, addresses of hosts, files, versions, dates, numbers and lengths of time: they stand in every report. */
const ORDINARY = [
  /^\.{1,2}\//,
  /^~(?:[a-z][a-z0-9_-]{0,31})?\//,
  new RegExp(`^/(?:${ROOTS.join('|')})(?:/|$)`),
  /^[a-zA-Z]:\\/,
  /^[a-z][a-z0-9+.-]*:\/\//,
  /^[\d.:,_/-]+[a-zA-Z]{0,3}$/,
  /^[\w.-]+:\d{1,5}$/,
  /^[\w.-]+\.(?:json|ya?ml|pem|key|crt|txt|conf)$/,
];
/** `host=db user=app password=...`, as drivers of databases take it. */
const PASSWORD_IN_WORDS = /\b(?:password|pwd)=('[^']*'|[^\s;]+)/gi;

/** A path that begins like none: it, or at least the folder below the root in which it would lie, is here. */
const isHere = (value: string): boolean => /^\.|\//.test(value) && existsSync(/^\/[^/]+/.exec(value)?.[0] ?? value);

/** Whether a text can be told from all others that a run writes down. */
export const isTelling = (value: string): boolean => {
  if (value.length < SHORTEST || ORDINARY.some((form) => form.test(value)) || new Set(value).size < DISTINCT) return false;
  return (value.length >= LONG || KINDS.filter((kind) => kind.test(value)).length >= 2) && !isHere(value);
};

const decoded = (text: string): readonly string[] => {
  try {
    return [decodeURIComponent(text)];
  } catch {
    return [];
  }
};

/**
 * What is to be hidden of one variable: all of it, where its name says so; whatever its name, the passwords of addresses
 * in it, tokens and keys of a known look. Nothing where it could be any text.
 */
export const secretsOf = (name: string, given: string): readonly string[] => {
  const value = given.trim();
  const named = NAME.test(name) && !NO_SECRET_NAME.test(name) ? [value] : [];
  const words =
    NAME.test(name) || /dsn|database|_url$|_uri$|conn/i.test(name) ? [...value.matchAll(PASSWORD_IN_WORDS)].map((match) => match[1]!) : [];
  const shaped = shapedIn(value).flatMap((text) => [text, ...decoded(text)]);
  return [...new Set([...named, ...words, ...shaped])].filter(isTelling);
};

/** Of a whole environment. */
export const secretsOfEnvironment = (environment: Readonly<Record<string, string | undefined>>): readonly string[] => [
  ...new Set(Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : secretsOf(name, value)))),
];
