// What it costs a run to keep its evidence, beside the same run that keeps none; and how large its page is.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { interleave, median, spread } from './measure.ts';
import type { Measure } from './measure.ts';

const run = promisify(execFile);
const ROUNDS = 15;
const AIM = 1.05;
const PAGE_BYTES = 1.5 * 1024 * 1024;
const ROOT = join(import.meta.dirname, '..', '..');
/** Short, so that what evidence costs at the end is a large part of it. */
const SHORT = ['harness/e2e/fixtures/short.yaml'];
/** With renewals, a leave and a control: what is usually looked at. */
const NORMAL = ['scenarios/disconnect/endless.yaml', '--where', 'how=fin'];

type Ran = { readonly tookMs: number; readonly pageBytes: number };

const sizeOfPage = (folder: string): number => {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('report.html'));
  return pages.length === 0 ? Number.NaN : Math.max(...pages.map((path) => statSync(join(folder, path)).size));
};

const ran = async (evidence: 'full' | 'none', scenario: readonly string[] = SHORT): Promise<Ran> => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-bench-evidence-'));
  try {
    const beganMs = performance.now();
    const words = ['run', ...scenario, '--runtime', 'process', '--evidence', evidence, '--output', folder, '--reporter', 'json'];
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
    await interleave(1, () => ran('full'), () => ran('none'));
    const pairs = await interleave(ROUNDS, () => ran('full'), () => ran('none'));
    const ratios = pairs.map(({ ours, theirs }) => ours.tookMs / theirs.tookMs);
    const seconds = (side: 'ours' | 'theirs'): string => (median(pairs.map((pair) => pair[side].tookMs)) / 1_000).toFixed(2);
    const { pageBytes: page } = await ran('full', NORMAL);
    return {
      measured: `${spread(ratios, 3)}; ${seconds('ours')} s beside ${seconds('theirs')} s; report.html ${Math.round(page / 1024)} KiB`,
      isMet: median(ratios) <= AIM && page <= PAGE_BYTES,
    };
  },
};
