// The committed bundles: whoever changes a judge, a renderer or the format sees here what becomes of old evidence. A judge that
// is meant to say otherwise raises JUDGE_VERSION; then, and where a renderer changed, `npm run goldens` makes them anew.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readBundle } from '../bundle/read.ts';
import { judge } from '../expectations/judge.ts';
import type { Observation } from '../model/observation.ts';
import { createTimeline } from '../model/timeline.ts';
import { pointsOf } from '../reports/diff/points.ts';
import { wrongWith, wrongWithFolder, wrongWithOld } from './goldens/check.ts';
import { GOLDENS, OLD } from './goldens/table.ts';

const GOLDEN = join(import.meta.dirname, '..', '..', 'evidence', 'golden');

test('one of each kind, nothing else, and small', async () => {
  expect(await wrongWithFolder(GOLDEN)).toEqual([]);
});

test.each(GOLDENS)('$name is current: whole, judged and drawn to the same bytes', async (golden) => {
  expect(await wrongWith(golden, GOLDEN)).toEqual([]);
});

test.each(OLD)('$name, written long ago, is read and judged as it was', async (old) => {
  expect(await wrongWithOld(old, GOLDEN)).toEqual([]);
});

test.each([
  ['a byte of the timeline', 'timeline.ndjson', (text: string) => text.replace('"atMs":', '"atMs": ')],
  ['another verdict', 'verdicts.json', (text: string) => text.replace('"held"', '"violated"')],
])('what is changed in one is found: %s', async (_, file, change) => {
  const root = mkdtempSync(join(tmpdir(), 'hangup-golden-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(join(GOLDEN, 'passed'), join(root, 'passed'), { recursive: true });
  const path = join(root, 'passed', file);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
  expect(await wrongWith(GOLDENS[0]!, root)).toEqual([expect.stringMatching(`^cannot be read: .*${file} was changed$`)]);
  expect((await wrongWithFolder(root)).length).toBe(GOLDENS.length - 1 + OLD.length);
});

/** Samples that a run took for a snapshot only: around leaves and at the end. */
const isLeaveSnapshot = (seen: Observation): boolean => seen.type === 'sample' && /^(gone|end)(\+|$)/.test(seen.mark ?? '');

test.each(['passed', 'failed'])('%s: the snapshots around the leave are there, and no verdict hangs on them', async (name) => {
  const { timeline, control, resolved, verdicts } = await readBundle(join(GOLDEN, name));
  const marks = pointsOf(timeline).filter(({ kind }) => kind === 'snapshot').map(({ mark }) => mark);
  expect(marks).toEqual(expect.arrayContaining(['baseline', 'gone', 'gone+lease', 'end']));
  const left = createTimeline(timeline.all.filter((seen) => !isLeaveSnapshot(seen)));
  expect(left.all.length).toBeLessThan(timeline.all.length);
  const said = (all: typeof verdicts.verdicts) => all.map(({ id, outcome, class: kind }) => ({ id, outcome, kind }));
  expect(said(judge({ timeline: left, control, ...resolved.judged }))).toEqual(said(verdicts.verdicts));
});
