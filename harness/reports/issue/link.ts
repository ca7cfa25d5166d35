// The address at which a forge shows a new issue, already written. It is only made: nothing is opened or asked.
import type { IssueText } from './issue-text.ts';

export type IssueLink = { readonly url: string; /** Whether all of the text is in it. */ readonly isWhole: boolean };

/** Longer addresses are refused by the forge or cut by what passes them on. */
export const MAXIMUM_LINK = 8_000;

const REPOSITORY = /^(?:https:\/\/github\.com\/)?([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/;

/** `owner/name` of what was given so, or as the address of a repository on GitHub; null for anything else. */
export const repositoryOf = (given: string): string | null => REPOSITORY.exec(given)?.[1] ?? null;

export const newIssueUrl = (repository: string): string => `https://github.com/${repository}/issues/new`;

const linkOf = (repository: string, title: string, body: string): string =>
  `${newIssueUrl(repository)}?${new URLSearchParams({ title, body }).toString()}`;

/** With the whole text, else with the short one; null where neither fits. */
export const newIssueLink = (repository: string, { title, body, short }: IssueText): IssueLink | null => {
  const whole = linkOf(repository, title, body);
  if (whole.length <= MAXIMUM_LINK) return { url: whole, isWhole: true };
  const less = linkOf(repository, title, short);
  return less.length <= MAXIMUM_LINK ? { url: less, isWhole: false } : null;
};
