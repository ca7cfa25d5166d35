// What a night that was killed has left is worth what its bundles say: it has written no list.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { earlierNights } from './soak-nights.ts';

test('violated bundles of a killed night are violated, and only what has no verdicts is an error', async () => {
  const root = mkdtempSync(join(tmpdir(), 'hangup-soak-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const bundles = { violated: '{"outcome":"failed"}', plain: '{"outcome":"passed"}', unsure: '{"outcome":"inconclusive"}', torn: '{"outc', cut: '{"outcome":"interrupted"}' };
  for (const [name, text] of Object.entries(bundles)) {
    const folder = join(root, '20261129-220000-aa/runs/00001', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'verdicts.json'), text);
  }
  mkdirSync(join(root, '20261129-220000-aa/runs/00002/begun'), { recursive: true });
  const { kept } = await earlierNights(root);
  expect(Object.fromEntries(kept.map(({ folder, worth }) => [basename(folder), worth]))).toEqual({
    violated: 'failed', plain: 'passed', unsure: 'inconclusive', torn: 'error', cut: 'error', begun: 'error',
  });
});

test('of a night that has ended, its list says what a bundle is worth: known violations less than others', async () => {
  const root = mkdtempSync(join(tmpdir(), 'hangup-soak-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const night = join(root, '20261129-220000-aa');
  for (const name of ['listed', 'other']) mkdirSync(join(night, 'runs/00001', name), { recursive: true });
  const kept = [{ folder: 'runs/00001/listed', outcome: 'failed', isKnown: true }, { folder: 'runs/00001/other', outcome: 'failed', isKnown: false }];
  writeFileSync(join(night, 'soak.json'), JSON.stringify({ cells: [{ kept }] }));
  expect(Object.fromEntries((await earlierNights(root)).kept.map(({ folder, worth }) => [basename(folder), worth]))).toEqual({ listed: 'known', other: 'failed' });
});
