// All secrets of one invocation, in one place that is handed to whoever writes: the terminal, which hides every one of
// them, and each bundle, which hides those that its run can know.
import { problem } from '../model/problem.ts';
import { createRedactor } from './redact.ts';
import type { Redactor } from './redact.ts';
import { isWord } from './vocabulary.ts';

export type Secrets = {
  /**
   * Somebody has said that it is one.
   * @throws ProblemError `secret-too-short`; `secret-too-common` where it is part of a word that every bundle is made of
   */
  readonly give: (secret: string, what?: string) => void;
  /** It looks like one. Where a bundle cannot do without the text, it stays readable there. */
  readonly find: (secret: string) => void;
  /** What people are shown, and what is written beside bundles. */
  readonly shown: Redactor;
  /**
   * For one bundle: knows what is known, and tells `shown` of what it learns.
   * @param stable texts by which the bundle is judged: names, ids, claims
   */
  readonly forBundle: (stable: string) => Redactor;
};

/** @throws ProblemError `secret-too-common` */
export const checkSecret = (secret: string, stable: string, what = 'a secret'): void => {
  if (!isWord(secret) && !stable.includes(secret)) return;
  throw problem('scenario', 'secret-too-common', `${what} is a text that stands in names, claims or words of every record`, {
    hint: 'it could not be hidden without hiding those: give a longer one, such as 16 random characters',
  });
};

export const createSecrets = (): Secrets => {
  const given: string[] = [];
  const found = new Set<string>();
  const shown = createRedactor();
  return {
    shown,
    give: (secret, what) => {
      checkSecret(secret, '', what);
      shown.register(secret);
      if (!given.includes(secret)) given.push(secret);
    },
    find: (secret) => {
      if (isWord(secret)) return;
      shown.register(secret);
      found.add(secret);
    },
    forBundle: (stable) => {
      const own = createRedactor();
      for (const secret of given) {
        checkSecret(secret, stable);
        own.register(secret);
      }
      for (const secret of found) if (!stable.includes(secret)) own.register(secret);
      const register = (secret: string): void => {
        own.register(secret);
        shown.register(secret);
      };
      return { ...own, register };
    },
  };
};
