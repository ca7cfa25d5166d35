// What a silent stream costs the upstream that holds it, beside node:http.
import { setTimeout } from 'node:timers/promises';
import { median } from '../model/median.ts';
import { interleave, spread } from './measure.ts';
import type { Measure } from './measure.ts';
import { openFilesLimit, residentBytes, startOurs, startPeer } from './servers.ts';
import type { Server } from './servers.ts';
import { openStreams } from './stream.ts';

const WANTED = 5_000;
const ROUNDS = 3;
/** Both have done their own compiling and have a pool of memory by then. */
const WARM_UP = 200;
const REST_MS = 1_000;
/** Descriptors that a process has besides its connections. */
const SPARE_FILES = 200;

/** @returns bytes for each stream */
const costOf = async (start: () => Promise<Server>, count: number): Promise<number> => {
  await using server = await start();
  const warm = await openStreams(server.port, WARM_UP);
  await setTimeout(REST_MS / 2);
  const before = residentBytes(server.pid);
  const sockets = [...(await openStreams(server.port, count))];
  await setTimeout(REST_MS);
  const cost = (residentBytes(server.pid) - before) / count;
  for (const socket of [...warm, ...sockets]) socket.destroy();
  return cost;
};

const run: Measure['run'] = async () => {
  const count = Math.min(WANTED, openFilesLimit() - WARM_UP - SPARE_FILES);
  const pairs = await interleave(ROUNDS, () => costOf(() => startOurs({ kind: 'silent' }), count), () => costOf(() => startPeer('silent'), count));
  const kilobytes = (side: 'ours' | 'theirs'): string => (median(pairs.map((pair) => pair[side])) / 1024).toFixed(1);
  const ratios = pairs.map(({ ours, theirs }) => ours / theirs);
  const limited = count < WANTED ? `; only ${count} streams: open files are limited to ${openFilesLimit()}` : '';
  return {
    measured: `${spread(ratios)}; ${kilobytes('ours')} KiB a stream beside ${kilobytes('theirs')} KiB${limited}`,
    ...(count < WANTED ? { unmeasured: `with ${WANTED}` } : {}),
    isMet: median(ratios) <= 1,
  };
};

export const silent: Measure = {
  name: 'silent',
  work: '5,000 silent streams held by the upstream',
  beside: 'bare node:http',
  aim: 'its memory per stream, or less',
  run,
};
