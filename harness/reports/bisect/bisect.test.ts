// What people see of a search: the page that follows it, the line on the terminal, the report. Texts of strangers stay texts.
import { describe, expect, test } from 'vitest';
import { markdownText } from '../text.ts';
import { bisectMarkdown } from './markdown.ts';
import { renderBisect } from './page.ts';
import { probeLine, resultText, statusLine } from './text.ts';
import { percent } from './view.ts';
import type { BisectResult, BisectView, VersionStanding } from './view.ts';

const NASTY = '</script><img src=x onerror=alert(1)>\u001b[2K|`';

const version = (value: string, over: Partial<VersionStanding> = {}): VersionStanding =>
  ({ value, about: '', good: 0, bad: 0, other: 0, unclear: 0, untestable: null, likely: 0, role: null, ...over });

const result: BisectResult = {
  word: 'found', sentence: `The first bad version is 1.2: 1.1 is good. ${NASTY}`, culprit: { version: '1.2' }, possible: ['1.2'], width: [], confidence: 0.97,
  rates: { good: 0, bad: 0.3 }, good: { role: 'last good', at: 'version=1.1', about: '', runs: 7, bad: 0, evidence: 'a run/x[how=fin]' }, alsoGood: [], bad: { role: 'first bad', at: 'version=1.2', about: 'close | <img> nothing', runs: 4, bad: 2, evidence: 'b' },
};

const view = (over: Partial<BisectView> = {}): BisectView => ({
  scenario: 'disconnect/endless[how=fin]', system: 'their-proxy', runtime: 'process', isBackwards: false, from: 'version=1.0', to: 'version=1.4', phase: 'searching version',
  symptom: { words: `upstream-closed (${NASTY})`, fingerprint: 'upstream-closed@12345678' }, wantedConfidence: 0.95,
  probes: [{ number: 1, at: 'version=1.0', about: 'one | <img>\u001b[2K', answer: 'good', why: NASTY, page: 'a run/x[how=fin]/report.html', tookMs: 2_500, endedAt: '2026-01-01T00:00:00.000Z' }],
  running: [{ at: 'version=1.3', phase: 'drive' }],
  grid: null,
  line: {
    axis: 'version', range: { from: 0, to: 3 },
    versions: [version('1.0', { good: 1, about: 'begin <b>', role: 'good end' }), version('1.1', { likely: 0.2 }), version('1.2', { likely: 0.5 }), version('1.3', { likely: 0.3, untestable: NASTY }), version('1.4', { bad: 2, role: 'bad end' })],
  },
  maxProbes: 300, startedAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:01:00.000Z', result: null, commands: [], ...over,
});

describe('the page', () => {
  test('is read again while it is live, and not when it is over', () => {
    expect(renderBisect(view(), true)).toMatch(/<meta http-equiv="refresh" content="\d+">/);
    expect(renderBisect(view({ result }), false)).not.toContain('http-equiv="refresh"');
  });

  test('holds no script, and whatever a system says is text', () => {
    for (const page of [renderBisect(view(), true), renderBisect(view({ result }), false)]) {
      expect(page).toContain("script-src 'none'");
      expect(page).not.toContain('<script');
      expect(page).not.toContain('<img');
      expect(page).not.toContain('\u001b');
    }
  });

  test('has what a value is called beside it, wherever the value is', () => {
    const page = renderBisect(view({ result }), false);
    for (const shown of ['1.0 (begin &lt;b&gt;)</th>', '<td>version=1.2 (close | &lt;img&gt; nothing)</td>', 'version=1.0 (one | &lt;img&gt;)</a>'])
      expect(page).toContain(shown);
  });

  test('leads to the bundles, also where their names would end an address', () => {
    expect(renderBisect(view({ result }), false)).toContain('href="a%20run/x%5Bhow%3Dfin%5D/report.html"');
  });

  test('of a thousand values is small', () => {
    const versions = Array.from({ length: 1_024 }, (_, index) => version(`1.${index}`, { likely: 1 / 1_024, role: 'possible' }));
    const page = renderBisect(view({ line: { axis: 'version', range: { from: 0, to: 1_023 }, versions } }), true);
    expect(page.length).toBeLessThan(200_000);
    expect(page).toContain('1024 values more, never run.');
  });
});

test('the line says what is left, what is likely and what runs', () => {
  expect(statusLine(view())).toBe('searching version: 3 values of version left (1.1 .. 1.3), 50 % that it is 1.2; 1 run of at most 300; now version=1.3 (drive)');
});

test('a run that has ended is one line', () => {
  const line = probeLine(view().probes[0]!);
  expect(line).toMatch(/^1 {2}good {7}version=1\.0 \(one \| <img>.*\) {2}2\.5 s/);
  expect(line).not.toMatch(/[\n\u001b]/);
});

test('what came of it: the answer, how sure, how often, and where the evidence is', () => {
  const text = resultText(view({ result, commands: [{ what: 'both beside each other', command: 'hangup open e/comparison.html' }] }), 'e');
  expect(text).toContain('The first bad version is 1.2');
  expect(text).toContain('confidence 97 % (asked for: 95 %)');
  expect(text).toContain('version=1.2 (close | <img> nothing): 2 of 4 runs bad  e/b');
  expect(text).toContain('hangup open e/comparison.html');
  const markdown = bisectMarkdown(view({ result }), 'a ``` b');
  expect(markdown).toContain(`| first bad | ${markdownText('version=1.2 (close | <img> nothing)')} | 4 | 2 | \`b\` |`);
  expect(markdown).not.toMatch(/(?<!\\)<img|\u001b/);
});

test('nothing is certain before it is', () => {
  expect([0.9996, 0.5, 0.004, 1, 0].map(percent)).toEqual(['99.9 %', '50 %', '0.4 %', '100 %', '0.0 %']);
});
