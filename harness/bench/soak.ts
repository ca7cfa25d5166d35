// Whether hangup itself grows in an hour of soaking: its memory, what is still held after a collection, and its descriptors.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SoakNight, Trend } from '../model/soak.ts';
import type { Measure } from './measure.ts';

const ENTRY = join(import.meta.dirname, '..', 'hangup.mjs');
/** HANGUP_BENCH_SOAK=20m measures for another time; HANGUP_BENCH_SOAK_KEEP keeps the night in that folder. */
const { HANGUP_BENCH_SOAK: time = '1h', HANGUP_BENCH_SOAK_KEEP: kept } = process.env;
const MEASURES: readonly Trend['measure'][] = ['memory', 'heap', 'fds'];
const MEBIBYTE = 1024 * 1024;

/** The slope's interval holds 0, or it falls. */
const isLevel = ({ outcome, perHour }: Trend): boolean => outcome !== 'grows' && perHour !== null && perHour.low <= 0;

const words = ({ measure, outcome, perHour }: Trend): string => {
  if (perHour === null) return `${measure} cannot be told`;
  const [unit, of] = measure === 'fds' ? ['', 1] : [' MiB', MEBIBYTE];
  const number = (value: number): string => (value / of).toFixed(2);
  return `${measure} ${number(perHour.slope)}${unit}/h (${number(perHour.low)} to ${number(perHour.high)}; ${outcome})`;
};

const run: Measure['run'] = async () => {
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'hangup-bench-soak-'));
  try {
    const child = spawn(process.execPath, [ENTRY, 'soak', '--for', time, '--jobs', '2', '--runtime', 'process', '--seed', '1', '--output', folder], { stdio: ['ignore', 'ignore', 'inherit'] });
    await once(child, 'exit');
    const night = JSON.parse(readFileSync(join(folder, 'latest', 'soak.json'), 'utf8')) as SoakNight;
    const own = night.trends.filter(({ of, measure }) => of === 'hangup' && MEASURES.includes(measure));
    return { measured: `${night.runs} runs; ${own.map(words).join(', ')}`, isMet: own.length === MEASURES.length && own.every(isLevel) };
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  }
};

export const soak: Measure = {
  name: 'soak',
  work: `hangup soak for ${time}, two jobs`,
  beside: '-',
  aim: 'own memory and fds: slope not distinguishable from 0',
  onlyWhenNamed: true,
  run,
};
