// The whole configuration, read once from the environment. Every problem is reported in one go:
// an operator who has to restart a router four times to find four typos stops reading messages.
import { BOUNDS } from './exchange/deadlines.ts';
import type { Limits } from './exchange/deadlines.ts';

export type Config = {
  readonly host: string;
  readonly port: number;
  readonly upstream: URL;
  /** Path of the SQLite file. */
  readonly ledger: string;
  readonly renewalMs: number;
  /** How long a reservation stays valid without renewal. */
  readonly leaseMs: number;
  readonly sweepMs: number;
  readonly limits: Limits;
  /** Exchanges with the upstream at once; 0: no limit. */
  readonly maxConcurrent: number;
  /** Requests that wait for a place. */
  readonly maxQueue: number;
  /** Further attempts when the upstream fails before it has begun to answer. */
  readonly retries: number;
  readonly retryDelayMs: number;
  /** Idle upstream connections that are kept for the next request. */
  readonly pool: number;
  /** How long streams may go on after the stop signal before they are cut. */
  readonly shutdownMs: number;
  /** Amount set aside per request. */
  readonly reserve: number;
  readonly pricePerRequest: number;
  readonly pricePerEvent: number;
  readonly onDisconnect: 'cancel' | 'drain';
  /** What names a request that is billed once however often it comes: its Idempotency-Key alone, or else its marker. */
  readonly idempotency: 'header' | 'marker';
  readonly defects: readonly string[];
};

type Environment = Readonly<Record<string, string | undefined>>;
type Range = { readonly default: number; readonly minimum: number; readonly maximum: number };

const DAY_MS = 86_400_000;
const milliseconds = (value: number): Range => ({ default: value, minimum: 1, maximum: DAY_MS });
const amount = (value: number, minimum: number): Range => ({ default: value, minimum, maximum: 1_000_000_000 });

/** Environment variable, default and range of each number. */
export const NUMBERS = {
  PORT: { default: 8000, minimum: 0, maximum: 65_535 },
  RENEWAL_MS: milliseconds(500),
  LEASE_MS: milliseconds(1_500),
  SWEEP_MS: milliseconds(1_000),
  HEADER_MS: milliseconds(60_000),
  READ_MS: milliseconds(60_000),
  PROGRESS_MS: milliseconds(120_000),
  SEND_MS: milliseconds(30_000),
  LIFETIME_MS: milliseconds(900_000),
  AGE_MS: milliseconds(1_200_000),
  SETTLE_MS: milliseconds(5_000),
  DRAIN_MS: milliseconds(30_000),
  SHUTDOWN_MS: milliseconds(10_000),
  MAX_CONCURRENT: { default: 0, minimum: 0, maximum: 100_000 },
  MAX_QUEUE: { default: 100, minimum: 0, maximum: 100_000 },
  RETRIES: { default: 0, minimum: 0, maximum: 10 },
  RETRY_DELAY_MS: milliseconds(500),
  POOL: { default: 0, minimum: 0, maximum: 1_000 },
  RESERVE: amount(100, 1),
  PRICE_PER_REQUEST: amount(0, 0),
  PRICE_PER_EVENT: amount(1, 0),
} as const satisfies Readonly<Record<string, Range>>;

type NumberName = keyof typeof NUMBERS;

const readNumbers = (env: Environment, problems: string[]): Readonly<Record<NumberName, number>> => {
  const read = ([name, range]: [string, Range]): [string, number] => {
    const text = env[name]?.trim();
    if (text === undefined || text === '') return [name, range.default];
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= range.minimum && value <= range.maximum) return [name, value];
    problems.push(`${name} must be a whole number from ${range.minimum} to ${range.maximum}, not ${JSON.stringify(text)}`);
    return [name, range.default];
  };
  return Object.fromEntries(Object.entries(NUMBERS).map(read)) as Record<NumberName, number>;
};

const readUpstream = (text: string | undefined, problems: string[]): URL => {
  const url = URL.parse(text ?? '');
  if (url?.protocol === 'http:' && url.pathname === '/' && url.search === '') return url;
  problems.push(`UPSTREAM_URL must look like http://host:port, not ${JSON.stringify(text ?? '')}`);
  return new URL('http://invalid.invalid');
};

const readChoice = <T extends string>(name: string, text: string, choices: readonly T[], problems: string[]): T => {
  const found = choices.find((choice) => choice === text);
  if (found === undefined) problems.push(`${name} must be one of ${choices.join(', ')}, not ${JSON.stringify(text)}`);
  return found ?? choices[0]!;
};

/** Names of a comma list, without blanks and repetitions. */
const readNames = (text: string | undefined): readonly string[] => [
  ...new Set((text ?? '').split(',').map((name) => name.trim()).filter((name) => name !== '')),
];

/**
 * @param knownDefects names that HANGUP_DEFECTS may hold
 * @returns the configuration, and every problem found; it may be used only when there is none
 */
export const readConfig = (
  env: Environment, knownDefects: readonly string[],
): { readonly config: Config; readonly problems: readonly string[] } => {
  const problems: string[] = [];
  const numbers = readNumbers(env, problems);
  const ledger = env['LEDGER'] ?? '';
  if (ledger === '') problems.push('LEDGER must be the path of the SQLite file');
  if (numbers.RENEWAL_MS >= numbers.LEASE_MS) {
    problems.push(`RENEWAL_MS (${numbers.RENEWAL_MS}) must be shorter than LEASE_MS (${numbers.LEASE_MS}): leases would lapse unrenewed`);
  }
  const defects = readNames(env['HANGUP_DEFECTS']);
  for (const name of defects.filter((each) => !knownDefects.includes(each))) {
    problems.push(`HANGUP_DEFECTS names an unknown defect ${JSON.stringify(name)}; known: ${knownDefects.join(', ')}`);
  }
  const limits = Object.fromEntries(BOUNDS.map((bound) => [bound, numbers[`${bound.toUpperCase()}_MS` as NumberName]])) as Limits;
  const config: Config = {
    host: env['HOST'] || '127.0.0.1',
    port: numbers.PORT,
    upstream: readUpstream(env['UPSTREAM_URL'], problems),
    ledger,
    renewalMs: numbers.RENEWAL_MS,
    leaseMs: numbers.LEASE_MS,
    sweepMs: numbers.SWEEP_MS,
    limits,
    maxConcurrent: numbers.MAX_CONCURRENT,
    maxQueue: numbers.MAX_QUEUE,
    retries: numbers.RETRIES,
    retryDelayMs: numbers.RETRY_DELAY_MS,
    pool: numbers.POOL,
    shutdownMs: numbers.SHUTDOWN_MS,
    reserve: numbers.RESERVE,
    pricePerRequest: numbers.PRICE_PER_REQUEST,
    pricePerEvent: numbers.PRICE_PER_EVENT,
    onDisconnect: readChoice('ON_DISCONNECT', env['ON_DISCONNECT'] || 'cancel', ['cancel', 'drain'], problems),
    idempotency: readChoice('IDEMPOTENCY', env['IDEMPOTENCY'] || 'header', ['header', 'marker'], problems),
    defects,
  };
  return { config, problems };
};
