// Every observation in one line, so worded that what is the same from sample to sample is the same text: texts are kept
// once, and thousands of samples of a quiet run cost a few lines.
import type { Observation, ObservationOf } from '../../model/observation.ts';
import { formatMs } from '../../model/time.ts';
import { describe } from '../describe.ts';
import { oneLine, plural } from '../text.ts';
import { shortId } from './ledger-lane.ts';

const MAXIMUM = 300;
const MEBIBYTE = 1024 * 1024;

export const bytesText = (bytes: number): string =>
  bytes < MEBIBYTE ? `${Math.round(bytes / 1024)} KiB` : `${Math.round(bytes / MEBIBYTE)} MiB`;

type Sample<P extends string> = Extract<Observation, { type: 'sample'; probe: P }>;
type Words = (observation: Observation) => string;

/** When a lease was last renewed, in time of the run: told by the sample that first shows it, since clocks read a little later differ. */
const createLeaseWords = (): ((id: string, leaseAtMs: number, wallMs: number, atMs: number) => string) => {
  const known = new Map<string, string>();
  return (id, leaseAtMs, wallMs, atMs) => {
    const key = `${id} ${leaseAtMs}`;
    let text = known.get(key);
    if (text === undefined) {
      text = formatMs(leaseAtMs - wallMs + atMs);
      known.set(key, text);
    }
    return text;
  };
};

const ledgerWords = (sample: Sample<'ledger'>, leaseWords: ReturnType<typeof createLeaseWords>): string => {
  const { reservations, accounts, charges, wallMs } = sample.value!;
  const live = reservations
    .filter(({ terminal }) => !terminal)
    .map((row) => {
      const lease = row.leaseAtMs === undefined ? '' : `, lease set at ${leaseWords(row.id, row.leaseAtMs, wallMs, sample.atMs)}`;
      return `${shortId(row.id)} ${row.state} ${row.amount}${lease}`;
    });
  const reserved = accounts.filter((account) => account.reserved !== 0).map((account) => `${account.id} has ${account.reserved} reserved`);
  return [
    live.length === 0 ? 'no live reservation' : `live: ${live.join(', ')}`,
    ...reserved,
    ...(charges === undefined ? [] : [plural(charges.length, 'charge')]),
  ].join('; ');
};

const socketsWords = (sample: Sample<'sockets'>): string => {
  const rows = sample.value!.rows.filter(({ state }) => state !== 'listen' && state !== 'time-wait');
  const listed = rows.map((row) => `${row.local} to ${row.remote} ${row.state}${row.inode === 0 ? ' (orphaned)' : ''}`);
  return rows.length === 0 ? 'no open socket' : listed.join('; ');
};

const valueWords = (sample: ObservationOf<'sample'>, leaseWords: ReturnType<typeof createLeaseWords>): string => {
  switch (sample.probe) {
    case 'ledger':
      return ledgerWords(sample, leaseWords);
    case 'sockets':
      return socketsWords(sample);
    case 'process': {
      const alive = Object.entries(sample.value!.alive).map(([name, isAlive]) => `${name} ${isAlive ? 'alive' : 'ended'}`);
      return `${alive.join(', ')}; ${bytesText(sample.value!.rssBytes)}`;
    }
    case 'http':
      return `${sample.value!.status} ${JSON.stringify(sample.value!.fields)}`;
  }
};

/** To be asked in the order of the timeline. */
export const createWords = (): Words => {
  const leaseWords = createLeaseWords();
  return (observation) => {
    if (observation.type === 'scheduling-lag')
      return `${observation.process} was kept waiting for ${Math.round(observation.lagMs)} ms at most`;
    if (observation.type !== 'sample') return describe(observation);
    const of = `sample of ${observation.probe}${observation.mark === undefined ? '' : ` at ${observation.mark}`}`;
    if (observation.value === undefined) return oneLine(`${of} failed: ${observation.error ?? 'no value'}`, MAXIMUM);
    return oneLine(`${of}: ${valueWords(observation, leaseWords)}`, MAXIMUM);
  };
};
