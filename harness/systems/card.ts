// The system card as data: how one system is started, driven and read. The schema is beside it.
import type { BoundName, Policy } from '../model/facts.ts';
import type { Coordinates } from '../model/coordinates.ts';
import type { Duration } from '../model/time.ts';
import type { Lock } from '../scenario/locks.ts';

export type CardRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Where the marker goes: `body.user`, `header.x-request-id`, `query.marker`. */
  readonly marker: string;
};

/**
 * One of `sql`, `request` or `restart`; `sql` and bodies may use `${account.id}` and the like. What `capture`
 * takes from an answer (name to `$.path`) is known to later steps and to requests as `${name}`.
 */
export type SetupStep =
  | { readonly sql: string }
  | {
      readonly request: {
        readonly method: string;
        readonly path: string;
        readonly headers: Readonly<Record<string, string>>;
        readonly body?: unknown;
        readonly expect?: readonly number[];
        readonly capture: Readonly<Record<string, string>>;
      };
    }
  | { readonly restart: string };

/** How a process is asked for a dump of itself: by a signal, after which it prints one, or by a command beside it. */
export type CardDump = { readonly within: Duration } & (
  | { readonly signal: string; readonly command: null }
  | { readonly signal: null; readonly command: readonly string[] }
);

export type CardProcess = {
  readonly name: string;
  readonly process?: { readonly command: readonly string[]; readonly env: Readonly<Record<string, string>>; readonly cwd?: string };
  readonly docker?: {
    readonly image: string;
    readonly command?: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly init: boolean;
    readonly build?: {
      readonly context: string;
      readonly args: Readonly<Record<string, string>>;
      /** Debian packages that the image is made of; empty: it stands on the actors' image, which has Node. */
      readonly packages: readonly string[];
      /** Debian's release that they are of. */
      readonly suite: string;
    };
  };
  readonly stop: { readonly signal: string; readonly grace: Duration; readonly exit: readonly number[] };
  readonly dump?: CardDump | undefined;
};

export type CardLedger = {
  /** Path of the SQLite file, templated: `${dir}/ledger.db`. */
  readonly sqlite: string;
  /** Columns `id, balance, reserved, spent`. */
  readonly accounts: string;
  /** Columns `id, account, payer?, amount, state, lease_at?, started_at?, marker?, reason?`; times in ms. */
  readonly reservations?: string;
  /** Columns `id, account, amount, marker?`. */
  readonly charges?: string;
  readonly terminal: readonly string[];
  /**
   * Statements by which faults add to it: one reservation (`${row.id}` etc.), and its part of the account's total
   * (`${aggregate.amount}` etc.), which comes after it; each may be none.
   */
  readonly insert: { readonly row: readonly string[]; readonly aggregate: readonly string[] };
};

/** Where the values of one axis come from. What its source does not have is null or empty. */
export type CardAxis = {
  readonly from: 'npm' | 'pypi' | 'maven' | 'go' | 'apt' | 'git' | 'image' | 'list';
  readonly package: string | null;
  /** Path, from the card's folder, or address of a git repository. */
  readonly repository: string | null;
  /** Pattern of the tags that are its values; null: the commits of the first parents. */
  readonly tags: string | null;
  /** What builds a work tree, in order. */
  readonly build: readonly (readonly string[])[];
  readonly list: readonly string[];
  /** The value that is used. */
  readonly use: string | null;
};

export type Card = {
  readonly file: string;
  readonly folder: string;
  /** The file and its coordinates: by which everything that was provided for it is known. */
  readonly key: string;
  /** On its own axes, `version` and those of `axes`; none: it is used as its file says. */
  readonly coordinates: Coordinates;
  readonly system: string;
  readonly about: string;
  /** Where its issues are kept: `owner/name`, on GitHub. */
  readonly repository?: string;
  /** The version that is used: `versions.use`, or that of its coordinates. */
  readonly version: string | null;
  /** Where versions of it come from: what the axis `version` may vary. */
  readonly versions: CardAxis | null;
  /** What else may vary, by name. */
  readonly axes: Readonly<Record<string, CardAxis>>;
  /** What it needs: of npm, PyPI and Maven installed into a cache by content, of Debian only looked for. */
  readonly install: Readonly<Record<'npm' | 'pypi' | 'maven' | 'apt', readonly string[]>>;
  /** What is never written down: names of variables and of captures, or texts with references. What looks like a secret need not be named. */
  readonly secrets: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly run: readonly CardProcess[];
  readonly listen: { readonly port: number; readonly on: string };
  readonly ready: { readonly http: string; readonly contains?: string; readonly within: Duration };
  readonly weight: { readonly cpu: number; readonly memoryBytes: number };
  /** What every run of it holds; absent: nothing. */
  readonly locks?: readonly Lock[];
  readonly setup: readonly SetupStep[];
  readonly requests: Readonly<Record<string, CardRequest>>;
  readonly accounts: { readonly create: readonly SetupStep[]; readonly bearer: string } | null;
  readonly periods: Readonly<Partial<Record<'renewal' | 'lease' | 'sweep', Duration>>>;
  readonly bounds: Readonly<Partial<Record<BoundName, Duration>>>;
  readonly price: { readonly perRequest: number; readonly perEvent: number } | null;
  readonly policy: Policy;
  /** What a scenario may set, and by which environment variable and unit. */
  readonly settings: Readonly<Record<string, { readonly env: string; readonly unit: 'ms' | 's' | 'none' }>>;
  readonly ledger: CardLedger | null;
  readonly refund: {
    readonly request: {
      readonly method: string;
      readonly path: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body?: unknown;
    };
    readonly accepted: { readonly status: readonly number[] };
    readonly refused: { readonly status: readonly number[] };
  } | null;
  /** How planted defects are switched on: only our own reference systems have this. */
  readonly defects: { readonly env: string; readonly presets: Readonly<Record<string, readonly string[]>> } | null;
  readonly known: readonly {
    readonly scenario: string;
    readonly violates: readonly string[];
    readonly versions?: string;
    readonly issue?: string;
  }[];
};
