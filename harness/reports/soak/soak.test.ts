// The morning's page from made-up nights: it says what is new and where to look first, asks the network for nothing, and runs nothing that
// strangers have written.
import { expect, test } from 'vitest';
import type { SoakCell, SoakNight, Trend } from '../../model/soak.ts';
import { looksFirst } from './looks.ts';
import { soakMarkdown } from './markdown.ts';
import { soakPage } from './page.ts';
import { soakText } from './text.ts';
import { headline } from './words.ts';

const STRANGER = `<script>alert(1)</script>" onload="x`;

const cell = (name: string, changed: Partial<SoakCell> = {}): SoakCell => ({
  cell: name, runs: 40, outcomes: { passed: 40 }, notPassed: { count: 0, of: 40, low: 0, high: 0.088 }, before: null, change: null, known: 0, medianMs: 6_000, medianBeforeMs: null,
  fixed: [], symptoms: [], gone: [], kept: [], ...changed,
});

const trend = (changed: Partial<Trend>): Trend => ({
  of: 'hangup', how: 'its own process, all night', measure: 'memory', outcome: 'flat', why: '0 MiB an hour', perHour: { slope: 0, low: -1, high: 1 }, p: 1, readings: 400,
  points: Array.from({ length: 400 }, (_, at) => ({ at: at * 1_000, value: 8e7 + (at % 7) * 1e5 })), fromMs: 100_000, ...changed,
});

const night = (changed: Partial<SoakNight> = {}): SoakNight => ({
  format: 1, night: '20261130-220000-aa', startedAt: '2026-11-30T22:00:00.000Z', budgetMs: 28_800_000, tookMs: 28_810_000, seed: 7, runtime: 'process', why: 'namespaces', version: '0.1.0',
  jobs: 4, endedEarly: null, rounds: 9, runs: 80, cells: [cell('disconnect/silent'), cell('disconnect/finite')], notReached: [], doesNotApply: [], trends: [trend({})], noLife: null,
  outages: [], disk: { limitBytes: 2 ** 31, keptBytes: 2 ** 24, largestBytes: 2 ** 25, removed: [] }, history: { nights: 3, note: null }, exitCode: 0, ...changed,
});

const broken = night({
  cells: [
    cell('disconnect/endless[how=rst]', {
      outcomes: { passed: 30, failed: 10 }, notPassed: { count: 10, of: 40, low: 0.14, high: 0.4 }, before: { count: 1, of: 200, nights: 3, low: 0.0001, high: 0.03 }, change: 'more often',
      symptoms: [{ words: `upstream-closed (${STRANGER})`, fingerprint: 'upstream-closed@1', outcome: 'violated', count: 10, since: '20261130-220000-aa', isNew: true, bundle: 'runs/00007/disconnect-endless', bundleBytes: 5 }],
      gone: ['charged-once (an old one)'],
    }),
    cell('disconnect/finite'),
  ],
  trends: [trend({}), trend({ of: 'router', measure: 'fds', outcome: 'grows', why: 'by 4.00 an hour (3.60 to 4.40)' })],
  notReached: ['disconnect/late'], endedEarly: 'it was told to stop', history: { nights: 3, note: 'left out: 1 line' }, exitCode: 1,
  disk: { limitBytes: 2 ** 31, keptBytes: 2 ** 24, largestBytes: 2 ** 25, removed: [{ what: 'passed', count: 12, bytes: 2 ** 26 }] },
});

test('what is new comes first, then what grows, then what is more often', () => {
  for (const text of [soakPage(broken), soakMarkdown(broken), soakText(broken, '/nights/last')]) {
    const at = ['new tonight', '4.00 an hour', 'more often', 'told to stop'].map((word) => text.indexOf(word));
    expect(at.every((index) => index > 0), text).toBe(true);
    expect(at.slice(0, 2).toSorted((a, b) => a - b)).toEqual(at.slice(0, 2));
    expect(text).toContain('12 passed (64 MiB)');
    expect(text).toMatch(/10 of 40 \(14 % to 40 %\)/);
  }
  expect(soakPage(broken)).toContain('href="runs/00007/disconnect-endless/report.html"');
  expect(soakText(broken, '/nights/last')).toContain('/nights/last/runs/00007/disconnect-endless');
});

test('what only looks like more than before is not called so: chance is weighed where all scenarios are known', () => {
  const one = night({ cells: [cell('disconnect/rare', { notPassed: { count: 1, of: 30, low: 0.006, high: 0.17 }, before: { count: 0, of: 3_000, nights: 3, low: 0, high: 0.0013 } })], exitCode: 1 });
  for (const text of [soakPage(one), soakMarkdown(one), soakText(one, '/nights/last')]) {
    expect(text).not.toMatch(/more often|less often/i);
    expect(text).toContain('1 of 30 (0.6 % to 17 %)');
  }
  expect(soakPage(broken)).toContain('More often, less often: more than chance');
});

test('a night without anything says so, and needs no script', () => {
  const page = soakPage(night());
  expect(page).toContain('nothing new, all passed');
  expect(page).toContain('<p>Nowhere: everything passed.</p>');
  expect(page).not.toMatch(/<script|https?:\/\/|url\(|@import/);
  expect(page).toContain("script-src 'none'");
  expect(page.length).toBeLessThan(60_000);
});

test.each([
  ['error', 3, { outcomes: { error: 4 }, notPassed: { count: 0, of: 0, low: 0, high: 1 } }, /^nothing new, nothing was judged, 4 runs in error$/],
  ['violated', 1, { outcomes: { failed: 4 }, notPassed: { count: 4, of: 4, low: 0.5, high: 1 } }, /^nothing new, 1 scenario not always passed$/],
] as const)('what goes on as %s is said, and no page says that all is well', (outcome, exitCode, changed, head) => {
  const going = cell('disconnect/late', {
    ...changed, before: { count: 40, of: 40, nights: 3, low: 0.91, high: 1 },
    symptoms: [{ words: 'run-too-long', fingerprint: 'run-too-long@1', outcome, count: 4, since: '20261129-220000-aa', isNew: false, bundle: null, bundleBytes: null }],
  });
  const one = night({ cells: [going], exitCode });
  expect(headline(one)).toMatch(head);
  for (const text of [soakPage(one), soakMarkdown(one), soakText(one, '/nights/last')]) {
    expect(text).not.toMatch(/everything passed/);
    expect(text).toContain(`as before: ${outcome}: disconnect/late: run-too-long, 4 times`);
  }
  expect(soakText(night({ exitCode }), '/nights/last')).not.toMatch(/everything passed/);
});

test('how long it took and since when something is known is on both pages, beside what it was before', () => {
  const known = { words: 'run-too-long', fingerprint: 'run-too-long@1', outcome: 'violated', count: 4, since: '20261129-220000-aa', isNew: false, bundle: null, bundleBytes: null } as const;
  const late = cell('disconnect/late', {
    notPassed: { count: 4, of: 4, low: 0.5, high: 1 }, before: { count: 40, of: 40, nights: 3, low: 0.91, high: 1 }, medianMs: 6_400, medianBeforeMs: 5_100,
    symptoms: Array.from({ length: 9 }, (_, index) => ({ ...known, fingerprint: `run-too-long@${index}` })),
  });
  const one = night({ cells: [late], exitCode: 1 });
  for (const text of [soakPage(one), soakMarkdown(one)])
    for (const said of ['6.4 s', 'before 5.1 s', 'since 20261129-220000-aa', 'before 40 of 40 (91 % to 100 %) in 3 nights', 'no bundle left', 'Compared with 3 earlier nights.']) expect(text).toContain(said);
  expect(soakPage(one)).toContain('and 3 more');
  expect(soakMarkdown(one)).toContain('  - and 4 more');
  const first = night({ cells: [{ ...late, before: null, medianBeforeMs: null }], history: { nights: 0, note: null }, exitCode: 1 });
  for (const text of [soakPage(first), soakMarkdown(first)]) {
    expect(text).toContain('nothing to compare with yet');
    expect(text).not.toMatch(/since 2026|before \d/);
  }
});

test('what strangers have written stays text', () => {
  expect(soakPage(broken)).not.toMatch(/<script|" onload="x/);
  expect(soakMarkdown(broken)).not.toContain('<script>');
});

test('a scenario that had no turn is in the title, and by name where to look first', () => {
  const one = night({ cells: [cell('disconnect/silent')], notReached: ['disconnect/late', 'pool/busy'], exitCode: 2 });
  expect(headline(one)).toBe('nothing new, all that was judged passed, 2 scenarios had no turn');
  for (const text of [soakPage(one), soakMarkdown(one), soakText(one, '/nights/last')]) {
    expect(text).toContain('nothing is known of 2 scenarios that had no turn: disconnect/late, pool/busy');
    expect(text).not.toMatch(/all passed|everything passed/);
  }
});

test('what passed but for known violations is counted aloud, and what was never judged has not passed each time', () => {
  const one = night({ cells: [cell('disconnect/silent', { outcomes: { failed: 40 }, known: 40 }), cell('disconnect/cut', { outcomes: { interrupted: 1 }, notPassed: { count: 0, of: 0, low: 0, high: 1 } })] });
  expect(headline(one)).toBe('nothing new, all passed, known violations in 1 scenario');
  expect(soakPage(one)).toMatch(/Passed each time \(1\)<.*disconnect\/silent: 0 of 40 \(0 % to 8.8 %\), known violations in 40 runs.*Begun and never judged \(1\)<.*disconnect\/cut</s);
});

test('what is listed as known and was not seen once is told, so that the list can be shortened', () => {
  const one = night({ cells: [cell('disconnect/silent', { fixed: ['upstream-closed'] }), cell('disconnect/finite')] });
  expect(headline(one)).toBe('nothing new, all passed, 1 known violation not seen once');
  for (const text of [soakPage(one), soakMarkdown(one), soakText(one, '/nights/last')]) expect(text).toContain('listed as known, and held each time: upstream-closed');
  expect(soakMarkdown(night())).not.toContain('listed as known');
});

test('one fault that shows in many scenarios is one line, with its smallest bundle; another fault is another', () => {
  const since = '20261130-220000-aa';
  const shows = (name: string, fingerprint: string, count: number, bundleBytes: number | null) =>
    cell(name, {
      before: { count: 0, of: 40, nights: 3, low: 0, high: 1 },
      symptoms: [{ words: `upstream-closed (${fingerprint})`, fingerprint, outcome: 'violated', count, since, isNew: true, bundle: bundleBytes === null ? null : `runs/00001/${name}`, bundleBytes }],
    });
  const one = night({ cells: [shows('other', 'b', 9, 5), shows('large', 'a', 2, 900), shows('gone', 'a', 3, null), shows('small', 'a', 1, 30)], exitCode: 1 });
  expect(looksFirst(one)).toEqual([
    { what: 'new tonight: upstream-closed (a), 6 times in 3 scenarios: large, gone, small', bundle: 'runs/00001/small' },
    { what: 'new tonight: other: upstream-closed (b), 9 times', bundle: 'runs/00001/other' },
  ]);
  expect(headline(one)).toMatch(/^2 new, /);
});
