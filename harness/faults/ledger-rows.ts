// Writes reservations that nobody owns into the ledger: what a sweeper is for, and what may trip it up.
import { randomBytes } from 'node:crypto';
import type { Options } from '../model/fields.ts';
import { numberOption } from '../model/fields.ts';
import type { LiveTimeline } from '../model/live.ts';
import { formatMs } from '../model/time.ts';
import { accountOf } from './accounts.ts';
import type { FaultDefinition, LedgerEntry, LedgerRow } from './fault.ts';

/** So much older than the oldest is the first in the order of leases, whatever the resolution of its clock. */
const FIRST_BY_MS = 1_000;

/** The oldest lease of a reservation that holds something, in the latest sample; none where nothing was seen. */
const oldestLeaseMs = ({ observations }: LiveTimeline): number => {
  const seen = observations.findLast((one) => one.type === 'sample' && one.probe === 'ledger' && one.value !== undefined);
  if (seen?.type !== 'sample' || seen.probe !== 'ledger') return Infinity;
  return Math.min(...seen.value!.reservations.filter(({ terminal }) => !terminal).map(({ leaseAtMs }) => leaseAtMs ?? Infinity));
};

/** When the lease was, or will be, and when the reservation was started, ms since the epoch. */
const timesOf = (timeline: LiveTimeline, options: Options, wallMs: number): Pick<LedgerRow, 'leaseAtMs' | 'startedAtMs'> => {
  const isAhead = options['lease-ahead'] !== undefined;
  const wantedMs = isAhead ? wallMs + numberOption(options, 'lease-ahead') : wallMs - numberOption(options, 'lease-age');
  const leaseAtMs = options.order === 'first' ? Math.min(wantedMs, oldestLeaseMs(timeline) - FIRST_BY_MS) : wantedMs;
  const startedAtMs = options['started-age'] === undefined ? Math.min(leaseAtMs, wallMs) : wallMs - numberOption(options, 'started-age');
  return { leaseAtMs: Math.round(leaseAtMs), startedAtMs: Math.round(startedAtMs) };
};

const describe = (ageMs: number): string => (ageMs < 0 ? `lease ${formatMs(-ageMs)} ahead` : `lease ${formatMs(ageMs)} old`);

export const definition: FaultDefinition = {
  kind: 'ledger-rows',
  about: "Adds reservations that nobody owns, and their part of the total, to a client's account in one transaction.",
  fields: {
    options: {
      account: { type: 'client', about: 'The client whose account it is.' },
      amount: { type: 'integer', about: 'Reserved by each row.', default: 100, minimum: 1 },
      'lease-age': { type: 'duration', about: 'How long ago the lease was.', default: '10 leases' },
      'lease-ahead': { type: 'duration', about: 'Instead: a lease that is so far in the future.', optional: true },
      'started-age': {
        type: 'duration',
        about: 'How long ago it was started; as long as the lease where not given, now where the lease is ahead.',
        optional: true,
      },
      count: { type: 'integer', about: 'How many rows.', default: 1, minimum: 1 },
      aggregate: {
        type: 'boolean',
        about:
          'False: poisoned rows, which their account\'s total does not know. Releasing one breaks the ledger\'s rules where ' +
          'the amount is more than what the account has reserved otherwise.',
        default: true,
      },
      order: {
        type: 'choice',
        choices: ['any', 'first'],
        about: 'First: the lease is older than every other that the ledger held at the last look, so that a sweep comes to it first.',
        default: 'any',
      },
    },
  },
  example: { account: 'alice', amount: 250, 'lease-age': '30s', count: 2 },
  needs: ({ aggregate }) => (aggregate === false ? ['ledger-row', 'ledger-aggregate'] : ['ledger-row']),
  fire: async (context, options) => {
    const { client, account } = accountOf(context, options);
    if (context.facts.ledger?.hasReservations !== true) throw new Error("the card's ledger has no reservations");
    if (options.order === 'first' && options['lease-ahead'] !== undefined) throw new Error('a lease that is ahead is not the first');
    const amount = numberOption(options, 'amount');
    const wallMs = Date.now();
    const times = timesOf(context.timeline, options, wallMs);
    const group = randomBytes(4).toString('hex');
    const isPoisoned = options.aggregate === false;
    const entries = Array.from({ length: numberOption(options, 'count') }, (_, at): LedgerEntry => ({
      row: { id: `added-${group}-${at + 1}`, account, amount, ...times },
      ...(isPoisoned ? {} : { aggregate: { account, amount, reservedAtMs: times.leaseAtMs } }),
    }));
    await context.writeLedger(entries);
    const reservations = entries.map(({ row }) => row!.id);
    context.timeline.note({ type: 'ledger-rows', reservations, account, ...(isPoisoned ? { aggregate: false } : {}) });
    const total = isPoisoned ? ', without their part of its total' : '';
    return `${entries.length} reservations of ${amount} added to ${client}'s account, ${describe(wallMs - times.leaseAtMs)}${total}`;
  },
};
