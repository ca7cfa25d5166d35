// Fifty shards of two hundred as one report: our bundles beside the blob reports of as many tests of Playwright, which carry the same
// two pages each. Ours proves every file by its seal meanwhile; theirs unpacks its archives. Both write a page and JUnit.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../model/median.ts';
import { writeMadeUpShard } from '../plan/merge/fixture.ts';
import { interleave, spread } from './measure.ts';
import type { Measure } from './measure.ts';
import { installPlaywright } from './playwright.ts';
import type { Playwright } from './playwright.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SHARDS = 50;
const TESTS = 200;
/** Theirs takes minutes, and the two are far apart. */
const ROUNDS = 1;
const LINES = 100;
const PAGE = `<!doctype html><p>${'what was seen, and when. '.repeat(800)}</p>\n`;

type Cost = { readonly tookMs: number; readonly peakBytes: number };

const peakOf = (pid: number): number => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
};

const cost = (command: readonly string[], cwd: string, codes: readonly number[]): Promise<Cost> =>
  new Promise((resolve, reject) => {
    const beganMs = performance.now();
    const child = spawn(process.execPath, command, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    let [peakBytes, words] = [0, ''];
    child.stderr.setEncoding('utf8').on('data', (text: string) => (words = (words + text).slice(-2_000)));
    // The kernel keeps the peak; it is only asked for while there is somebody to ask.
    const timer = setInterval(() => (peakBytes = Math.max(peakBytes, peakOf(child.pid!))), 20);
    child.on('error', reject).on('close', (code) => {
      clearInterval(timer);
      if (codes.includes(code ?? -1)) resolve({ tookMs: performance.now() - beganMs, peakBytes });
      else reject(new Error(`${command[0]} ended with ${code}: ${words}`));
    });
  });

const SPEC = `const { test } = require('@playwright/test');
const page = Buffer.from(${JSON.stringify(PAGE)});
for (let number = 0; number < ${TESTS}; number += 1) test('cell ' + number, async ({}, info) => {
  await info.attach('report.html', { body: Buffer.concat([page, Buffer.from(info.file + number)]), contentType: 'text/html' });
  await info.attach('timeline.ndjson', { body: Buffer.from(('{"atMs":10,"actor":"client.alice","seq":' + number + ',"type":"received","bytes":70,"events":1}\\n').repeat(${LINES})), contentType: 'text/plain' });
});
`;

/** Made by Playwright itself, once: some minutes. */
const blobReports = async ({ folder, cli }: Playwright): Promise<string> => {
  const blobs = join(folder, `blobs-${SHARDS}x${TESTS}`);
  if (existsSync(blobs)) return blobs;
  const cwd = mkdtempSync(join(folder, 'merge-'));
  try {
    writeFileSync(join(cwd, 'playwright.config.js'), "module.exports = { workers: 2, reporter: [['blob', { outputDir: 'all' }]] };\n");
    for (let index = 1; index <= SHARDS; index += 1) writeFileSync(join(cwd, `file-${String(index).padStart(2, '0')}.spec.js`), SPEC);
    mkdirSync(join(cwd, 'kept'));
    for (let index = 1; index <= SHARDS; index += 1) {
      await cost([cli, 'test', `--shard=${index}/${SHARDS}`], cwd, [0]);
      for (const name of readdirSync(join(cwd, 'all'))) renameSync(join(cwd, 'all', name), join(cwd, 'kept', `report-${index}.zip`));
    }
    renameSync(join(cwd, 'kept'), blobs);
    return blobs;
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
};

const ourShards = async (folder: string): Promise<void> => {
  for (let index = 1; index <= SHARDS; index += 1)
    await writeMadeUpShard(join(folder, `shard-${index}`), index, { count: SHARDS, perShard: TESTS, content: { lines: LINES, html: PAGE } });
};

const MEBIBYTE = 1024 * 1024;

export const merge: Measure = {
  name: 'merge',
  work: `merge of ${SHARDS} shards x ${TESTS}`,
  beside: 'playwright merge-reports',
  aim: 'faster, less memory',
  run: async () => {
    const peer = await installPlaywright();
    const blobs = await blobReports(peer);
    const folder = mkdtempSync(join(tmpdir(), 'hangup-bench-merge-'));
    try {
      await ourShards(join(folder, 'shards'));
      const fresh = (): string => join(mkdtempSync(join(folder, 'out-')), 'merged');
      const ours = (): Promise<Cost> =>
        cost([join(ROOT, 'harness/hangup.mjs'), 'merge', join(folder, 'shards'), '--output', fresh(), '--reporter', 'html,junit'], ROOT, [0]);
      const config = join(folder, 'merge.config.cjs');
      const theirs = (): Promise<Cost> => {
        const out = mkdtempSync(join(folder, 'out-'));
        writeFileSync(config, `module.exports = { reporter: [['html', { open: 'never', outputFolder: ${JSON.stringify(join(out, 'html'))} }], ['junit', { outputFile: ${JSON.stringify(join(out, 'junit.xml'))} }]] };\n`);
        return cost([peer.cli, 'merge-reports', '--config', config, blobs], peer.folder, [0]);
      };
      const pairs = await interleave(ROUNDS, ours, theirs);
      const times = pairs.map((pair) => pair.ours.tookMs / pair.theirs.tookMs);
      const peak = (side: 'ours' | 'theirs'): number => median(pairs.map((pair) => pair[side].peakBytes)) / MEBIBYTE;
      const seconds = (side: 'ours' | 'theirs'): string => (median(pairs.map((pair) => pair[side].tookMs)) / 1_000).toFixed(1);
      return {
        measured: `${spread(times)}; ${seconds('ours')} s beside ${seconds('theirs')} s; ${Math.round(peak('ours'))} MiB beside ${Math.round(peak('theirs'))} MiB`,
        isMet: median(times) < 1 && peak('ours') < peak('theirs'),
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
