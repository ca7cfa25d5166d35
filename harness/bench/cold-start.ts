// How long the command takes to say its version, beside vitest's.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { median } from '../model/median.ts';
import { interleave, spread } from './measure.ts';
import type { Measure } from './measure.ts';

const ROUNDS = 21;
const ENTRY = join(import.meta.dirname, '..', 'hangup.mjs');

const timeOf = async (entry: string): Promise<number> => {
  const beganMs = performance.now();
  const { status, stdout, error } = spawnSync(process.execPath, [entry, '--version'], { encoding: 'utf8' });
  const tookMs = performance.now() - beganMs;
  if (error || status !== 0 || !/\d+\.\d+\.\d+/.test(stdout)) throw new Error(`${entry} --version ended with ${error?.message ?? `code ${status}`}`);
  return tookMs;
};

const run: Measure['run'] = async () => {
  const vitest = createRequire(import.meta.url).resolve('vitest/package.json').replace(/package\.json$/, 'vitest.mjs');
  await interleave(2, () => timeOf(ENTRY), () => timeOf(vitest));
  const pairs = await interleave(ROUNDS, () => timeOf(ENTRY), () => timeOf(vitest));
  const times = (side: 'ours' | 'theirs'): string => median(pairs.map((pair) => pair[side])).toFixed(0);
  const ratios = pairs.map(({ ours, theirs }) => ours / theirs);
  return { measured: `${spread(ratios)}; ${times('ours')} ms beside ${times('theirs')} ms`, isMet: median(ratios) < 1 };
};

export const coldStart: Measure = {
  name: 'cold-start',
  work: 'cold start (hangup --version)',
  beside: 'vitest --version',
  aim: 'below it',
  run,
};
