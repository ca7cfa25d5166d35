// What a night that was killed has left is worth what its bundles say: it has written no list.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Outcome, ScenarioOutcome } from '../model/verdict.ts';
import { earlierNights } from './soak-nights.ts';

test('violated bundles of a killed night are violated, and only what has no verdicts is an error', async () => {
  const root = mkdtempSync(join(tmpdir(), 'hangup-soak-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const claim = (outcome: Outcome) => ({ claim: 'upstream-closed', id: 'upstream-closed', outcome, reason: 'a path that hides closes', evidence: [] });
  const verdicts = (outcome: ScenarioOutcome, ...claims: readonly Outcome[]): string => JSON.stringify({ judge: 1, scenario: 'a/b', outcome, verdicts: claims.map(claim), problems: [] });
  const known = [{ scenario: 'a/b', violates: ['upstream-closed'] }];
  const concludes = { 'upstream-closed': { outcome: 'inconclusive', because: 'hides closes' } };
  const bundles: Readonly<Record<string, readonly [verdicts: string, run?: object]>> = {
    violated: [verdicts('failed', 'violated')], listed: [verdicts('failed', 'violated'), { known }], plain: [verdicts('passed', 'held'), { known }], unsure: [verdicts('inconclusive', 'inconclusive')],
    rightly: [verdicts('inconclusive', 'inconclusive'), { concludes }], wrongly: [verdicts('failed', 'violated'), { concludes }], torn: ['{"outc'], cut: [verdicts('interrupted')],
  };
  for (const [name, [text, run = {}]] of Object.entries(bundles)) {
    const folder = join(root, '20261129-220000-aa/runs/00001', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'verdicts.json'), text);
    writeFileSync(join(folder, 'resolved.json'), JSON.stringify({ judged: {}, run: { defects: [], catches: {}, saw: {}, ...run } }));
  }
  mkdirSync(join(root, '20261129-220000-aa/runs/00002/begun'), { recursive: true });
  const { kept } = await earlierNights(root);
  expect(Object.fromEntries(kept.map(({ folder, worth }) => [basename(folder), worth]))).toEqual({
    violated: 'failed', listed: 'known', plain: 'passed', unsure: 'inconclusive', rightly: 'passed', wrongly: 'failed', torn: 'error', cut: 'error', begun: 'error',
  });
});

test('of a night that has ended, its list says what a bundle is worth: known violations less than others', async () => {
  const root = mkdtempSync(join(tmpdir(), 'hangup-soak-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const night = join(root, '20261129-220000-aa');
  for (const name of ['listed', 'rightly', 'other']) mkdirSync(join(night, 'runs/00001', name), { recursive: true });
  const kept = [{ folder: 'runs/00001/listed', outcome: 'failed', worth: 'known' }, { folder: 'runs/00001/rightly', outcome: 'failed', worth: 'passed' }, { folder: 'runs/00001/other', outcome: 'failed', worth: 'failed' }];
  writeFileSync(join(night, 'soak.json'), JSON.stringify({ cells: [{ kept }] }));
  expect(Object.fromEntries((await earlierNights(root)).kept.map(({ folder, worth }) => [basename(folder), worth]))).toEqual({ listed: 'known', rightly: 'passed', other: 'failed' });
});
