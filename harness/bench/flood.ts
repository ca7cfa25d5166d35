// How fast events reach a client that reads, beside node:http with drain; and that the memory of the
// upstream does not grow with what it has written.
import { median } from '../model/median.ts';
import { interleave, spread } from './measure.ts';
import type { Measure } from './measure.ts';
import { residentBytes, startOurs, startPeer } from './servers.ts';
import type { Server } from './servers.ts';
import { readFlood } from './stream.ts';
import type { Read } from './stream.ts';

const ROUNDS = 7;
const READ_MS = 1_000;
const SAMPLE_MS = 50;
/** Garbage between two collections: far less than what was written meanwhile. */
const FLAT_BYTES = 24 * 1024 * 1024;

type Flood = Read & {
  /** How far the second half went above the first, bytes. */
  readonly growth: number;
  readonly peak: number;
};

const floodOf = async (server: Server): Promise<Flood> => {
  const samples: number[] = [];
  const timer = setInterval(() => samples.push(residentBytes(server.pid)), SAMPLE_MS);
  const read = await readFlood(server.port, READ_MS).finally(() => clearInterval(timer));
  const half = Math.floor(samples.length / 2);
  const growth = Math.max(...samples.slice(half)) - Math.max(...samples.slice(0, half));
  return { ...read, growth, peak: Math.max(...samples) };
};

const MEGABYTE = 1024 * 1024;

const run: Measure['run'] = async () => {
  await using ours = await startOurs({ kind: 'flood', options: { 'at-most': 1024 ** 4 } });
  await using peer = await startPeer('flood');
  await interleave(1, () => floodOf(ours), () => floodOf(peer));
  const pairs = await interleave(ROUNDS, () => floodOf(ours), () => floodOf(peer));
  const rate = ({ events, tookMs }: Read): number => (1_000 * events) / tookMs;
  const ratios = pairs.map((pair) => rate(pair.ours) / rate(pair.theirs));
  const rates = (side: 'ours' | 'theirs'): string => `${Math.round(median(pairs.map((pair) => rate(pair[side]))) / 1_000)}k`;
  const growth = median(pairs.map((pair) => pair.ours.growth));
  const written = pairs.reduce((sum, pair) => sum + pair.ours.bytes, 0);
  const peak = Math.max(...pairs.map((pair) => pair.ours.peak));
  const memory = `memory ${growth >= 0 ? '+' : ''}${(growth / MEGABYTE).toFixed(1)} MiB, peak ${Math.round(peak / MEGABYTE)} MiB, ${Math.round(written / MEGABYTE)} MiB written`;
  return {
    measured: `${spread(ratios)}; ${rates('ours')} events/s beside ${rates('theirs')}; ${memory}`,
    isMet: median(ratios) >= 1 && growth <= FLAT_BYTES,
  };
};

export const flood: Measure = {
  name: 'flood',
  work: 'flood to a reading client',
  beside: 'bare node:http with drain',
  aim: 'its events per second or more, flat memory',
  run,
};
