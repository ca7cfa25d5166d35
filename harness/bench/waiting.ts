// A hundred scenarios that only wait a second, each: what is left of the time when nothing needs to be computed. Beside a hundred runs of
// one test by varnishtest and a hundred tests of Playwright, by twenty at a time as those are told; ours takes what it takes by itself.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../model/median.ts';
import { ahead } from '../runtimes/priority.ts';
import { quantile } from './measure.ts';
import type { Measure } from './measure.ts';
import { installPlaywright } from './playwright.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const COUNT = 100;
const WORKERS = 20;
const ROUNDS = 5;
const AIM_MS = 1_500;

const SCENARIO = `version: 1
name: a client waits
system: none
matrix: { number: [${Array.from({ length: COUNT }, (_, index) => index + 1).join(', ')}] }
about: number \${number}
clients: { alice: { script: [ { wait: 1s } ] } }
expect: [ script-done ]
`;
const VTC = 'varnishtest "waits"\ndelay 1\n';
const SPEC = `const { test } = require('@playwright/test');
for (let number = 0; number < ${COUNT}; number += 1) test('waits ' + number, () => new Promise((resolve) => setTimeout(resolve, 1_000)));
`;
const CONFIG = `module.exports = { workers: ${WORKERS}, fullyParallel: true, reporter: 'line', outputDir: './out' };\n`;

type Side = { readonly name: string; readonly command: readonly string[]; readonly cwd: string; readonly isDone: (words: string) => boolean };

/** All at the priority that ours takes when it watches, so that a busy machine is as busy for everybody. @returns ms */
const timeOf = ({ name, command, cwd, isDone }: Side): Promise<number> =>
  new Promise((resolve, reject) => {
    const [program, ...args] = [...ahead(), ...command];
    const beganMs = performance.now();
    const child = spawn(program!, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let words = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (words = (words + text).slice(-64_000)));
    child.on('error', reject).on('close', (code) => {
      if (code === 0 && isDone(words)) resolve(performance.now() - beganMs);
      else reject(new Error(`${name} ended with ${code}: ${words.slice(-2_000)}`));
    });
  });

const ours = (cwd: string, evidence: 'none' | 'full'): Side => ({
  cwd,
  name: `ours, evidence ${evidence}`,
  command: [process.execPath, join(ROOT, 'harness/hangup.mjs'), 'run', 'waits.yaml', '--runtime', 'process', '--evidence', evidence, '--output', 'evidence'],
  isDone: (words) => words.includes(`${COUNT} scenarios: ${COUNT} passed`),
});

const varnishtest = (cwd: string): Side => ({
  name: 'varnishtest',
  command: ['varnishtest', `-j${WORKERS}`, `-n${COUNT}`, 'waits.vtc'],
  cwd,
  isDone: (words) => words.split(' passed ').length - 1 === COUNT,
});

const playwright = (cli: string, cwd: string): Side => ({
  name: 'playwright',
  command: [process.execPath, cli, 'test'],
  cwd,
  isDone: (words) => words.includes(`${COUNT} passed`),
});

/** Each once in a round, in turn first and last. What is compiled once is kept by all of them, and is not what is asked about. */
const timesOf = async (sides: readonly Side[]): Promise<ReadonlyMap<string, readonly number[]>> => {
  const times = new Map<string, number[]>(sides.map(({ name }) => [name, []]));
  for (const side of sides) await timeOf(side);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) times.get(side.name)!.push(await timeOf(side));
  return times;
};

const seconds = (values: readonly number[]): string =>
  `${(median(values) / 1_000).toFixed(2)} s (${(quantile(values, 0.25) / 1_000).toFixed(2)} to ${(quantile(values, 0.75) / 1_000).toFixed(2)})`;

export const waiting: Measure = {
  name: 'waiting',
  work: `${COUNT} scenarios without a system that each wait 1 s`,
  beside: `varnishtest -j${WORKERS}; Playwright Test with ${WORKERS} workers`,
  aim: `at most ${AIM_MS / 1_000} s, well under both`,
  run: async () => {
    const peer = await installPlaywright();
    const [folder, specs] = [mkdtempSync(join(tmpdir(), 'hangup-bench-waiting-')), mkdtempSync(join(peer.folder, 'waiting-'))];
    try {
      writeFileSync(join(folder, 'waits.yaml'), SCENARIO);
      writeFileSync(join(folder, 'waits.vtc'), VTC);
      writeFileSync(join(specs, 'waits.spec.js'), SPEC);
      writeFileSync(join(specs, 'playwright.config.js'), CONFIG);
      const hasVarnishtest = spawnSync('varnishtest', ['-h'], { stdio: 'ignore' }).error === undefined;
      const mine = ours(folder, 'none');
      const peers = [...(hasVarnishtest ? [varnishtest(folder)] : []), playwright(peer.cli, specs)];
      const times = await timesOf([mine, ...peers, ours(folder, 'full')]);
      const medianOf = ({ name }: Side): number => median(times.get(name)!);
      const words = [...times].map(([name, all]) => `${name} ${seconds(all)}`).join('; ');
      return {
        measured: `${words}${hasVarnishtest ? '' : '; varnishtest is not installed (Debian: varnish)'}`,
        ...(hasVarnishtest ? {} : { unmeasured: 'beside varnishtest' }),
        isMet: medianOf(mine) <= AIM_MS && peers.every((each) => medianOf(mine) < medianOf(each) / 2),
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
      rmSync(specs, { recursive: true, force: true });
    }
  },
};
