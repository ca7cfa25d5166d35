// The index as text: what it must say of each kind of outcome, that it names no place but its own folder, and that hostile
// names stay text. How it looks and works is tried in a browser, beside the other pages (harness/e2e).
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RESOLVED, VERDICTS } from '../bundle/fixture.ts';
import type { Verdicts } from '../bundle/format.ts';
import { processorMs } from '../model/test-processor.ts';
import { renderIndex } from './index-page.ts';
import type { RunEnd } from './reporter.ts';
import { summarise } from './summary.ts';
import type { ScenarioSummary } from './summary.ts';

const ROOT = '/runs/20260102';

const held: Verdicts = { ...VERDICTS, outcome: 'passed', verdicts: VERDICTS.verdicts.filter(({ outcome }) => outcome === 'held') };

const summaryOf = (cell: string, verdicts: Verdicts, over: Partial<ScenarioSummary> = {}): ScenarioSummary => ({
  ...summarise({ verdicts: { ...verdicts, scenario: cell }, run: RESOLVED.run, tookMs: 4200, folder: join(ROOT, cell.replaceAll(/[/[\]=]/g, '-')) }),
  cell, pages: ['report.md', 'report.html'], ...over,
});

const endOf = (summaries: readonly ScenarioSummary[], over: Partial<RunEnd> = {}): RunEnd => ({ summaries, exitCode: 1, tookMs: 61_000, folder: ROOT, ...over });

/** The table's row of that cell. */
const rowOf = (page: string, cell: string): string => page.split('\n').find((line) => line.startsWith('<tr ') && line.includes(`>${cell}<`)) ?? '';

describe('each scenario', () => {
  const page = renderIndex(endOf([summaryOf('pool/clean', held), summaryOf('disconnect/endless[how=fin]', VERDICTS)]));

  test('has its outcome, its claims, why, how long it took and its report; the worst is first', () => {
    const failed = rowOf(page, 'disconnect/endless[how=fin]');
    expect(failed).toContain('data-outcome="failed"');
    expect(failed).toContain('data-open="upstream-closed renewal-stopped billing-terminal"');
    expect(failed).toContain('<a href="disconnect-endless-how-fin-/report.html">');
    expect(failed).toContain('<a href="disconnect-endless-how-fin-/report.html#claim-1">renewal-stopped</a> [renewing]: the lease of reservation 7 moved');
    expect(failed).toContain('2 violated, 1 inconclusive, 1 held, 1 not applicable');
    expect(failed).toContain('4.2 s');
    const passed = rowOf(page, 'pool/clean');
    expect(passed).toContain('data-open=""');
    expect(passed).not.toContain('<ul class="why">');
    expect(page.indexOf(failed)).toBeLessThan(page.indexOf(passed));
  });

  test('is counted once, and claims that are open can be chosen', () => {
    expect(page).toContain('<h1>2 scenarios: 1 failed, 1 passed</h1>');
    expect(page).toContain('<option value="upstream-closed">upstream-closed (1)</option>');
    expect(page).not.toContain('<option value="clean-shutdown">');
    expect(page).toContain('Claims: 2 held, 2 violated, 1 inconclusive, 1 not applicable.');
  });

  test('says on which system it was, where there are several; the page says so of all', () => {
    expect(page).toContain(', on reference-router with seed-main, exit code 1');
    expect(rowOf(page, 'pool/clean')).not.toContain('reference-router');
    const other = renderIndex(endOf([summaryOf('a', held), summaryOf('b', held, { system: 'theirs', version: '1.2.3', planted: [] })]));
    expect(other).toContain(', on reference-router with seed-main; theirs 1.2.3, exit code 1');
    expect(rowOf(other, 'b')).toContain('<br><span class="soft">theirs 1.2.3</span>');
  });

  test('without a page has no link, and without a folder none at all', () => {
    const bare = renderIndex(endOf([summaryOf('pool/clean', held, { pages: [] }), summaryOf('pool/other', held, { folder: null })], { folder: null }));
    expect(bare).not.toContain('<a ');
    const plain = renderIndex(endOf([summaryOf('pool/clean', VERDICTS, { pages: ['report.md'] })]));
    expect(plain).toContain('href="pool-clean/report.md"');
    expect(plain).not.toContain('#claim-');
  });
});

test('attempts of one scenario are one row; those that differ are flaky, whatever came last', () => {
  const attempts = [VERDICTS, held].map((verdicts, at) => summaryOf('pool/odd', verdicts, { attempt: at + 1, scenario: `pool/odd (attempt ${at + 1} of 2)` }));
  const page = renderIndex(endOf(attempts, { flaky: [{ scenario: 'pool/odd', outcomes: ['failed', 'passed'] }] }));
  expect(page.match(/<tr data-/g)).toHaveLength(1);
  expect(rowOf(page, 'pool/odd')).toContain('data-outcome="flaky"');
  expect(rowOf(page, 'pool/odd')).toContain('>attempt 1</a>: <span class="failed">failed</span>');
  expect(rowOf(page, 'pool/odd')).toContain('>attempt 2</a>: <span class="passed">passed</span>');
  expect(page).toContain('<h1>1 scenario: 1 flaky</h1>');
});

test('what is known is told apart, with a link only to the web', () => {
  const listed = (issue: string): string => {
    const run = { ...RESOLVED.run, known: [{ violates: ['upstream-closed', 'renewal-stopped'], issue }] };
    return renderIndex(endOf([{ ...summarise({ verdicts: VERDICTS, run, tookMs: 1, folder: null }) }]));
  };
  expect(listed('https://example.org/issues/1')).toContain('(<a href="https://example.org/issues/1">issue</a>)');
  expect(listed('https://example.org/issues/1')).toContain('<span class="word known">known</span>');
  expect(listed('javascript:alert(1)')).not.toContain('href="javascript');
});

test('problems are told with their code', () => {
  const problems = [{ family: 'environment', code: 'not-ready', message: 'it was not ready', hint: 'see its log' }] as const;
  const page = renderIndex(endOf([summaryOf('pool/broken', { ...held, outcome: 'error', verdicts: [], problems })]));
  expect(page).toContain('<code>not-ready</code>: it was not ready; hint: see its log');
  expect(page).toContain('data-outcome="error"');
});

test('hostile text stays text, in names, reasons and addresses', () => {
  const evil = '"><script>alert(1)</script><b x=\'';
  const page = renderIndex(endOf([summaryOf(evil, { ...VERDICTS, verdicts: VERDICTS.verdicts.map((each) => ({ ...each, id: evil, reason: `${evil}\u202e\u0007` })) })]));
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page).not.toContain('<b x');
  expect(page).not.toMatch(/[\u0007\u202e]/);
});

test('nothing but what is in the page may run, and nothing is fetched', () => {
  const page = renderIndex(endOf([summaryOf('pool/clean', held)]));
  expect(page).toMatch(/Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[\w+/=]+'; script-src 'sha256-[\w+/=]+';/);
  expect(page).not.toMatch(/\b(?:src|href)="(?:https?:)?\/\//);
  expect(page).not.toContain('unsafe');
});

test('no runs are said to be none', () => {
  const page = renderIndex(endOf([], { exitCode: 5 }));
  expect(page).toContain('<h1>Nothing was run</h1>');
  expect(page).not.toContain('<table');
  expect(page).toContain('No scenario matched');
});

test('what was not run is named where nothing else was either', () => {
  const page = renderIndex(endOf([], { exitCode: 130, notRun: [{ scenario: 'pool/clean', why: 'it was interrupted' }] }));
  expect(page).toContain('<p>Not run: 1 run, since it was interrupted: pool/clean</p>');
  expect(page).not.toContain('No scenario matched');
});

test('five hundred scenarios stay below a megabyte and come quickly', () => {
  const summaries = Array.from({ length: 500 }, (_, at) => summaryOf(`disconnect/endless[n=${at}]`, at % 5 === 0 ? VERDICTS : held));
  const beganMs = processorMs();
  const page = renderIndex(endOf(summaries));
  expect(processorMs() - beganMs).toBeLessThan(5_000);
  expect(Buffer.byteLength(page)).toBeLessThan(1_000_000);
  expect(renderIndex(endOf(summaries.toReversed()))).toBe(page);
});
