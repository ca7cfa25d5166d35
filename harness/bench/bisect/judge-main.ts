// What a bisection runs in a checked out version: reads which one it is, judges it, and tells by its exit
// code. Runs of one version go on counting where it is judged again.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Line } from './git.ts';
import type { KOfN } from './k-of-n.ts';
import { judgeVersion } from './k-of-n.ts';
import type { Trial } from './trial.ts';
import { showsSymptom } from './trial.ts';

const { trial, kOfN, log } = JSON.parse(process.argv[2]!) as { readonly trial: Trial; readonly kOfN: KOfN; readonly log: string };
const version = Number(readFileSync('version', 'utf8'));
const earlier = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').filter((line) => (JSON.parse(line) as Line).version === version).length : 0;
const { isBad, runs } = kOfN.n === 1 ? { isBad: showsSymptom(trial, version, earlier), runs: 1 } : judgeVersion(trial, version, kOfN);
appendFileSync(log, `${JSON.stringify({ version, isBad, runs } satisfies Line)}\n`);
process.exitCode = isBad ? 1 : 0;
