// What `hangup issue` was asked to do, read from the command line and checked at once.
import { problem } from '../model/problem.ts';
import { repositoryOf } from '../reports/issue/link.ts';

export type IssueOptions = {
  readonly bundle: string;
  /** Null: none is written; `default`: named by the scenario. */
  readonly archive: { readonly path: string } | 'default' | null;
  readonly limitBytes: number;
  readonly force: boolean;
  readonly withPackets: boolean;
  readonly openIn: 'github' | null;
  /** `owner/name`. */
  readonly repository: string | null;
};

/** `archive`: false by `--no-archive`, true where nothing was said. */
export type IssueFlags = {
  readonly archive?: string | boolean;
  readonly limit: string;
  readonly force?: boolean;
  readonly withPackets?: boolean;
  readonly openIn?: 'github';
  readonly repository?: string;
};

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  B: 1,
  kB: 1e3,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
};

/** @throws ProblemError `bad-option` */
const bytesOf = (text: string): number => {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([A-Za-z]*)$/.exec(text) ?? [];
  const size = number === undefined || !Object.hasOwn(UNITS, unit!) ? 0 : Math.floor(Number(number) * UNITS[unit!]!);
  if (size > 0) return size;
  throw problem('scenario', 'bad-option', `--limit takes a size, not "${text}"`, { hint: 'for example --limit 25MB' });
};

/** @throws ProblemError `bad-option` */
const repositoryFrom = (given: string | undefined): string | null => {
  if (given === undefined) return null;
  const repository = repositoryOf(given);
  if (repository !== null) return repository;
  throw problem('scenario', 'bad-option', `--repository takes owner/name, not "${given}"`, {
    hint: 'for example --repository http-party/node-http-proxy',
  });
};

export const toIssueOptions = (bundle: string, flags: IssueFlags): IssueOptions => ({
  bundle,
  archive: flags.archive === false ? null : typeof flags.archive === 'string' ? { path: flags.archive } : 'default',
  limitBytes: bytesOf(flags.limit),
  force: flags.force ?? false,
  withPackets: flags.withPackets ?? false,
  openIn: flags.openIn ?? null,
  repository: repositoryFrom(flags.repository),
});
