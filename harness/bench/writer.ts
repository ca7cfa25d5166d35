// How fast observations get into a bundle, beside a bare stream of JSON lines; and that memory does not grow with them,
// nor more than it must when a long run's record is put in order.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { median } from '../model/median.ts';
import { interleave } from './measure.ts';
import type { Measure } from './measure.ts';
import type { Written } from './writer-main.ts';

const run = promisify(execFile);
const ROUNDS = 3;
const COUNT = 1_000_000;
const AIM_PER_SECOND = 100_000;
/** For each observation, once warm: what is less is not the observations. */
const FLAT_BYTES = 16;
const CLOSE_BYTES = 600 * 1024 * 1024;
const ENTRY = join(import.meta.dirname, 'writer-main.ts');

const writtenBy = async (kind: 'ours' | 'plain'): Promise<Written> => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-bench-writer-'));
  try {
    const { stdout } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', ENTRY, kind, String(COUNT), folder]);
    return JSON.parse(stdout) as Written;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Over the second half: bytes by which each observation made it grow. */
const growthOf = ({ residentBytes }: Written): number => {
  const half = residentBytes.slice(Math.floor(residentBytes.length / 2));
  return ((half.at(-1)! - half[0]!) / (half.length - 1)) * (residentBytes.length / COUNT);
};

const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(0);
const thousands = (perSecond: number): string => `${Math.round(perSecond / 1_000)},000`;

export const writer: Measure = {
  name: 'writer',
  work: `${COUNT / 1_000_000} million observations into a bundle`,
  beside: 'a bare stream of JSON lines',
  aim: `>= ${thousands(AIM_PER_SECOND)} a second, flat memory`,
  run: async () => {
    const pairs = await interleave(ROUNDS, () => writtenBy('ours'), () => writtenBy('plain'));
    const middle = (of: (written: Written) => number, side: 'ours' | 'theirs' = 'ours'): number => median(pairs.map((pair) => of(pair[side])));
    const perSecond = middle((written) => written.perSecond);
    const growth = middle(growthOf);
    const peak = middle((written) => written.closePeakBytes);
    return {
      measured:
        `${thousands(perSecond)} beside ${thousands(middle((written) => written.perSecond, 'theirs'))}; ` +
        `${growth.toFixed(1)} bytes more for each at ${megabytes(middle((written) => Math.max(...written.residentBytes)))} MiB; ` +
        `put in order in ${(middle((written) => written.closeMs) / 1_000).toFixed(1)} s with ${megabytes(peak)} MiB`,
      isMet: perSecond >= AIM_PER_SECOND && growth <= FLAT_BYTES && peak <= CLOSE_BYTES,
    };
  },
};
