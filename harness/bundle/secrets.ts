// All secrets of one invocation, in one place that is handed to whoever writes: the terminal, which hides every one of
// them, and each bundle, which hides those that its run can know.
import { problem } from '../model/problem.ts';
import { createRedactor } from './redact.ts';
import type { Redactor } from './redact.ts';
import { isWord } from './vocabulary.ts';

export type Secrets = {
  /**
   * Somebody has said that it is one.
   * @throws ProblemError `secret-too-short`; `secret-too-common` where it is part of a word that every bundle is made of; `secret-is-number`
   */
  readonly give: (secret: string, what?: string) => void;
  /** It looks like one. Where nobody can do without the text, it stays readable. */
  readonly find: (secret: string) => void;
  /** What people are shown, and what is written beside bundles. */
  readonly shown: Redactor;
  /**
   * For one bundle: knows what is known, and tells `shown` of what it learns.
   * @param stable texts by which the bundle is judged: names, ids, claims. What was only found there is shown from now on
   * @throws ProblemError `secret-too-common` where one that was given stands there
   */
  readonly forBundle: (stable: string) => Redactor;
  /** The same, before there is a bundle. */
  readonly keepReadable: (stable: string) => void;
};

/** Also with a unit: judges write numbers of observations, times and amounts into their reasons. */
const NUMBER = /^[\d\s.,:+-]*\d[\d\s.,:+-]*(?:ns|µs|ms|s|min|h|B|kB|MB|GB|%)?$/;
/** From here on none is met by chance. */
const LONG_NUMBER = 12;

/** @throws ProblemError `secret-too-common`, `secret-is-number` */
export const checkSecret = (secret: string, stable: string, what = 'a secret'): void => {
  // Hidden in a verdict it would make references to facts lead nowhere, and judging again, which knows no secret, would say otherwise.
  if (secret.length < LONG_NUMBER && NUMBER.test(secret))
    throw problem('scenario', 'secret-is-number', `${what} is a short number: verdicts are made of such, and could not be read without it`, {
      hint: `give one with a letter in it or of at least ${LONG_NUMBER} characters; one that anybody may see goes into a variable, by --var`,
    });
  if (!isWord(secret) && !stable.includes(secret)) return;
  throw problem('scenario', 'secret-too-common', `${what} is a text that stands in names, claims or words of every record`, {
    hint: 'it could not be hidden without hiding those: give a longer one, such as 16 random characters',
  });
};

const redactorOf = (secrets: Iterable<string>): Redactor => {
  const redactor = createRedactor();
  for (const secret of secrets) redactor.register(secret);
  return redactor;
};

export const createSecrets = (): Secrets => {
  /** With what each is called. */
  const given = new Map<string, string | undefined>();
  const found = new Set<string>();
  const learnt = new Set<string>();
  let current = createRedactor();

  const keepReadable = (stable: string): void => {
    for (const [secret, what] of given) checkSecret(secret, stable, what);
    const readable = [...found].filter((secret) => stable.includes(secret));
    if (readable.length === 0) return;
    for (const secret of readable) found.delete(secret);
    current = redactorOf([...given.keys(), ...found, ...learnt]);
  };
  const learn = (secret: string): void => {
    current.register(secret);
    learnt.add(secret);
  };
  return {
    keepReadable,
    shown: {
      register: learn,
      text: (text) => current.text(text),
      value: (value) => current.value(value),
      json: (data) => current.json(data),
      ranges: (text) => current.ranges(text),
      masked: (text, ranges) => current.masked(text, ranges),
      openFrom: (text, wraps) => current.openFrom(text, wraps),
    },
    give: (secret, what) => {
      checkSecret(secret, '', what);
      current.register(secret);
      given.set(secret, what);
      found.delete(secret);
    },
    find: (secret) => {
      if (isWord(secret) || given.has(secret)) return;
      current.register(secret);
      found.add(secret);
    },
    forBundle: (stable) => {
      keepReadable(stable);
      const own = redactorOf([...given.keys(), ...found]);
      const register = (secret: string): void => {
        own.register(secret);
        learn(secret);
      };
      return { ...own, register };
    },
  };
};
