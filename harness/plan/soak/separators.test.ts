// Texts of systems may hold U+2028 and U+2029, which JSON leaves as they are: nothing that a night writes down is cut there.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../bundle/fixture.ts';
import { appendHistory, readHistory } from './history.ts';
import { readRun } from './system-readings.ts';

const GOLDEN = join(import.meta.dirname, '..', '..', '..', 'evidence', 'golden', 'failed');

test('a symptom in whose words a system put a line separator is remembered', async () => {
  const file = join(temporaryFolder(), 'history.ndjson');
  const symptoms = [{ fingerprint: 'refundable@01234567', words: 'refund answered no\u2028refund\u2029', count: 1 }];
  const line = { format: 1, night: 'n1', system: 's', runtime: 'process', cell: 'c', runs: 1, judged: 1, notPassed: 1, medianMs: 5, symptoms } as never;
  await appendHistory(file, [line]);
  const history = await readHistory(file);
  expect(history).toMatchObject({ nights: 1, note: null });
  expect(history.of('s', 'process', 'c')?.since.get('refundable@01234567')).toBe('n1');
});

test('a sample with one gives the readings that it gives without', async () => {
  const folder = join(temporaryFolder(), 'bundle');
  cpSync(GOLDEN, folder, { recursive: true });
  const plain = await readRun(folder);
  const file = join(folder, 'timeline.ndjson');
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"type":"sample",', '"type":"sample","note":"a\u2028b",'));
  expect(readFileSync(file, 'utf8')).toContain('\u2028');
  expect(await readRun(folder)).toEqual(plain);
  expect(plain?.readings.length).toBeGreaterThan(0);
});
