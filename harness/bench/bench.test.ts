// The table itself is to be read, not tested; that its numbers are what they say and its options work is.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { interleave, quantile, spread, within } from './measure.ts';
import type { Measure, Result } from './measure.ts';
import { leftOut, table, wordOf } from './table.ts';

const bench = (...args: readonly string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], { encoding: 'utf8' });

test('a spread is the median with the middle half', () => {
  expect(quantile([5, 1, 3], 0.5)).toBe(3);
  expect(spread([1, 2, 3, 4, 100])).toBe('3.00 (2.00 to 4.00)');
});

test('both sides of a measure have their turn in each round, each first in every second one', async () => {
  const order: string[] = [];
  const side = (name: string) => async (): Promise<number> => order.push(name);
  const pairs = await interleave(3, side('ours'), side('theirs'));
  expect(order).toEqual(['ours', 'theirs', 'theirs', 'ours', 'ours', 'theirs']);
  expect(pairs).toEqual([{ ours: 1, theirs: 2 }, { ours: 4, theirs: 3 }, { ours: 5, theirs: 6 }]);
});

test('what does not come says what was awaited', async () => {
  await expect(within(new Promise(() => {}), 5, 'the first event')).rejects.toThrow('the first event did not come within 5 ms');
});

test('what was not measured beside a peer is not said to be met, and what was left out is named', () => {
  const results: readonly Result[] = [{ measured: '1', isMet: true }, { measured: '1', isMet: true, unmeasured: 'beside varnishtest' }, { measured: '1', isMet: false, unmeasured: 'beside varnishtest' }, { measured: 'no', isMet: null }];
  expect(results.map(wordOf)).toEqual(['ok', 'not measured beside varnishtest', 'not met', 'skipped']);
  const measure = (name: string, onlyWhenNamed = false): Measure => ({ name, work: name, beside: '-', aim: '1', onlyWhenNamed, run: async () => results[1]! });
  const all = [measure('quick'), measure('night', true), measure('rare', true)];
  expect(leftOut(all, all.slice(0, 1))).toBe('Not measured, since it takes long: night, rare (npm run bench -- --only night,rare)\n');
  expect(leftOut(all, all)).toBe('');
  expect(table([{ measure: all[0]!, result: results[1]! }]).split('\n')).toEqual(['work   beside  aim  measured', 'quick  -       1    1         not measured beside varnishtest']);
});

test('help names every measure; a measure that there is not is a usage error', () => {
  const help = bench('--help');
  expect(help.status).toBe(0);
  for (const name of ['close', 'silent', 'flood', 'cold-start', 'docker-prepare', 'evidence', 'writer', 'long-page', 'shards', 'merge', 'waiting', 'bisect', 'bisect-rare']) expect(help.stdout).toContain(name);
  const unknown = bench('--only', 'close,nonsense');
  expect(unknown.status).toBe(4);
  expect(unknown.stderr).toContain('there is no measure nonsense');
});

test('a measure that was chosen is a row of the table', () => {
  const { status, stdout } = bench('--only', 'cold-start');
  expect(stdout).toMatch(/cold start \(hangup --version\) +vitest --version +below it +[\d.]+ \([\d.]+ to [\d.]+\); \d+ ms beside \d+ ms +(ok|not met)\n/);
  expect(status).toBe(0);
}, 120_000);
