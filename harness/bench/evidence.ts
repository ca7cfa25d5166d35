// What it costs a run to keep its evidence, beside the same run that keeps none; and how large its page is.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { median } from '../model/median.ts';
import { spread } from './measure.ts';
import type { Measure } from './measure.ts';

const run = promisify(execFile);
const ROUNDS = 10;
const AIM = 1.05;
const PAGE_BYTES = 1.5 * 1024 * 1024;
const ROOT = join(import.meta.dirname, '..', '..');
/** With renewals, a leave and a control: what is usually looked at. */
const SCENARIO = ['scenarios/disconnect/endless.yaml', '--where', 'how=fin'];

type Ran = { readonly tookMs: number; readonly pageBytes: number };

const sizeOfPage = (folder: string): number => {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('report.html'));
  return pages.length === 0 ? Number.NaN : Math.max(...pages.map((path) => statSync(join(folder, path)).size));
};

const ran = async (evidence: 'full' | 'none'): Promise<Ran> => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-bench-evidence-'));
  try {
    const beganMs = performance.now();
    const words = ['run', ...SCENARIO, '--runtime', 'process', '--evidence', evidence, '--output', folder, '--reporter', 'json'];
    // A verdict that is open on a busy machine is no failure of the measure.
    await run(process.execPath, [join(ROOT, 'harness/hangup.mjs'), ...words], { cwd: ROOT }).catch((error: { readonly code?: number }) => {
      if (error.code !== 2) throw error;
    });
    const tookMs = performance.now() - beganMs;
    return { tookMs, pageBytes: evidence === 'none' ? Number.NaN : sizeOfPage(folder) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

export const evidence: Measure = {
  name: 'evidence',
  work: 'a run that keeps its evidence',
  beside: 'the same with --evidence none',
  aim: `<= ${AIM}x; report.html <= 1.5 MiB`,
  run: async () => {
    // Side by side: most of a run is waiting, and on a busy machine only what runs at the same time has the same time.
    const pairs: { ours: Ran; theirs: Ran }[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const [first, second] = await Promise.all(round % 2 === 0 ? [ran('full'), ran('none')] : [ran('none'), ran('full')]);
      // In the first one what is kept from the start is made.
      if (round > 0) pairs.push(round % 2 === 0 ? { ours: first, theirs: second } : { ours: second, theirs: first });
    }
    const ratios = pairs.map(({ ours, theirs }) => ours.tookMs / theirs.tookMs);
    const seconds = (side: 'ours' | 'theirs'): string => (median(pairs.map((pair) => pair[side].tookMs)) / 1_000).toFixed(2);
    const page = median(pairs.map(({ ours }) => ours.pageBytes));
    return {
      measured: `${spread(ratios, 3)}; ${seconds('ours')} s beside ${seconds('theirs')} s; report.html ${Math.round(page / 1024)} KiB`,
      isMet: median(ratios) <= AIM && page <= PAGE_BYTES,
    };
  },
};
