// `hangup inspect`: the first question about a refund that is refused, asked of a live ledger: is the reservation still
// being renewed, or is it stale and not released? Nothing is started, nothing is driven, nothing is written.
import { existsSync } from 'node:fs';
import { setTimeout as pass } from 'node:timers/promises';
import { EXIT } from '../model/exit-code.ts';
import type { Facts } from '../model/facts.ts';
import { messageOf, problem } from '../model/problem.ts';
import { formatMs, nowMs, toMicroseconds } from '../model/time.ts';
import { definition as ledgerProbe } from '../probes/ledger.ts';
import type { LedgerValue } from '../model/samples.ts';
import type { Card, CardLedger } from '../systems/card.ts';
import { diagnose } from '../systems/diagnosis.ts';
import type { DiagnosedRow, Diagnosis, Snapshot } from '../systems/diagnosis.ts';
import { loadCard } from '../systems/load-card.ts';
import { periodsOf } from '../systems/periods.ts';
import type { Terminal } from './command.ts';

export type InspectOptions = {
  readonly system: string;
  readonly account: string;
  readonly forMs: number;
  /** Where the ledger lies; null: as the card says, which must then be a plain path. */
  readonly ledger: string | null;
  /** What the live system really uses, ms, where the card's own are those of a test. */
  readonly leaseMs: number | null;
  readonly renewalMs: number | null;
  readonly json: boolean;
};

/** @param flags as the command line has them, read and checked */
export const toInspectOptions = (flags: Readonly<Record<string, unknown>>): InspectOptions => ({
  system: String(flags.system),
  account: String(flags.account),
  forMs: Number(flags.for),
  ledger: (flags.ledger as string | undefined) ?? null,
  leaseMs: (flags.lease as number | undefined) ?? null,
  renewalMs: (flags.renewal as number | undefined) ?? null,
  json: flags.json === true,
});

/** Often enough to see each renewal, seldom enough to be no load. */
const SHORTEST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
const LOOKS = 20;

const pauseMs = (forMs: number): number => Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, forMs / LOOKS));

const ledgerOf = (card: Card, given: string | null): { readonly ledger: CardLedger; readonly path: string } => {
  const { ledger } = card;
  if (!ledger) throw problem('scenario', 'no-ledger', `${card.file} describes no ledger`, { hint: 'add `ledger:` with its queries' });
  const path = given ?? ledger.sqlite;
  if (path.includes('${'))
    throw problem('scenario', 'no-ledger-path', `${card.file} says where the ledger is only within a stage: ${path}`, {
      hint: 'give the path of the live one with --ledger',
    });
  if (!existsSync(path)) throw problem('environment', 'no-database', `there is no database at ${path}`, { hint: 'give its path with --ledger' });
  return { ledger, path };
};

const unknownAccount = (account: string): Error =>
  problem('scenario', 'unknown-account', `the ledger has no account "${account}"`, {
    hint: "give its id as the card's query `accounts` has it (often a hash): never a key itself",
  });

const hasAccount = (snapshots: readonly Snapshot[], id: string): boolean =>
  snapshots.some((each) => each.probe === 'ledger' && each.value?.accounts.some((account) => account.id === id));

/** @throws ProblemError `ledger-unreadable` where the first look fails; later ones that fail are gaps; `unknown-account` at the first look */
const look = async (
  terminal: Terminal,
  card: Card,
  { ledger, path }: ReturnType<typeof ledgerOf>,
  { forMs, account }: InspectOptions,
): Promise<readonly Snapshot[]> => {
  const probe = ledgerProbe.open({
    path,
    queries: { accounts: ledger.accounts, reservations: ledger.reservations, charges: ledger.charges },
    terminal: ledger.terminal,
  });
  // A reader of a rollback journal can lock the writer out: two looks, as the seed took them, and no more.
  const everyMs = probe.marksOnly?.() ? forMs : pauseMs(forMs);
  const beganMs = nowMs();
  const snapshots: Snapshot[] = [];
  const once = async (): Promise<void> => {
    const startedMs = nowMs();
    const value = (await probe.sample()) as LedgerValue;
    const stamp = { atMs: toMicroseconds(nowMs() - beganMs), actor: 'probe.ledger', seq: snapshots.length + 1 };
    snapshots.push({ ...stamp, type: 'sample', probe: 'ledger', tookMs: toMicroseconds(nowMs() - startedMs), value });
    terminal.writeError(`look ${snapshots.length} after ${formatMs(stamp.atMs)}\n`);
  };
  await once().catch((cause: unknown) => {
    throw problem('environment', 'ledger-unreadable', `${card.file}: the ledger cannot be read: ${messageOf(cause)}`, {
      hint: `the file is ${path}`,
      cause,
    });
  });
  if (!hasAccount(snapshots, account)) {
    probe.close?.();
    throw unknownAccount(account);
  }
  while (nowMs() - beganMs < forMs && !terminal.signal.aborted) {
    await pass(Math.min(everyMs, Math.max(0, beganMs + forMs - nowMs())), undefined, { signal: terminal.signal }).catch(() => undefined);
    await once().catch((error: unknown) => terminal.writeError(`a look failed: ${messageOf(error)}\n`));
  }
  probe.close?.();
  return snapshots;
};

/** As they are judged by, and who says so. */
const judgedBy = ({ leaseMs, renewalMs }: Facts['periods'], given: InspectOptions): string => {
  const words = (name: 'lease' | 'renewal', ms: number | undefined, asked: number | null): string =>
    ms === undefined
      ? `no ${name} (give --${name})`
      : `a ${name} of ${formatMs(ms)} (${asked === null ? `the card's; --${name} says another` : `--${name}`})`;
  return `judged by ${words('lease', leaseMs, given.leaseMs)} and ${words('renewal', renewalMs, given.renewalMs)}`;
};

const age = (ms: number | null): string => (ms === null ? 'unknown' : ms < 0 ? `${formatMs(-ms)} ahead` : formatMs(ms));

const rowLine = ({ row, leaseAgeMs, ageMs, renewals }: DiagnosedRow): string =>
  `  ${row.id}  ${row.state}  amount ${row.amount}${row.payer === row.account ? '' : `, paid by ${row.payer}`}` +
  `  lease ${age(leaseAgeMs)} old, begun ${age(ageMs)} ago, renewed ${renewals} times`;

const MAXIMUM_ROWS = 20;

const textOf = (found: Diagnosis, by: string): string =>
  [
    `account ${found.account.id}: balance ${found.account.balance}, reserved ${found.account.reserved}, spent ${found.account.spent}`,
    ...found.live.slice(0, MAXIMUM_ROWS).map(rowLine),
    ...(found.live.length > MAXIMUM_ROWS ? [`  and ${found.live.length - MAXIMUM_ROWS} more live rows`] : []),
    '',
    `${found.class}: ${found.seen} (${found.snapshots} looks).`,
    ...(found.live.length === 0 ? [] : [`${by}.`]),
    ...found.next.map((line) => `  - ${line}`),
    '',
  ].join('\n');

const exitCodeOf = (found: Diagnosis): number => {
  if (found.class === 'nothing reserved') return EXIT.passed;
  return found.class === 'undecided' ? EXIT.inconclusive : EXIT.failed;
};

/** What was asked for counts, whether a scenario could set it or not: the system is live. */
const lengthsOf = (card: Card, { leaseMs, renewalMs }: InspectOptions): Facts['periods'] => ({
  ...periodsOf(card, { system: { settings: {} } }),
  ...(leaseMs === null ? {} : { leaseMs }),
  ...(renewalMs === null ? {} : { renewalMs }),
});

/** @returns 0 nothing reserved, 1 a class was found, 2 undecided */
export const inspect = async (terminal: Terminal, options: InspectOptions): Promise<number> => {
  const card = await loadCard(options.system, terminal.cwd);
  const snapshots = await look(terminal, card, ledgerOf(card, options.ledger), options);
  if (terminal.signal.aborted) return EXIT.interrupted;
  const periods = lengthsOf(card, options);
  const found = diagnose(snapshots, options.account, periods);
  if (!found) throw unknownAccount(options.account);
  terminal.write(options.json ? `${JSON.stringify({ ...found, periods }, null, 2)}\n` : textOf(found, judgedBy(periods, options)));
  return exitCodeOf(found);
};
