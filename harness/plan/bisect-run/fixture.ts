// For the tests of searches: one with its state in a folder of its own, which goes when the test ends, and what its runs show.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { runSearch } from './outcome.ts';
import type { SearchOutcome } from './outcome.ts';
import type { SearchAxis } from './question.ts';
import { numberOf, tableSearch } from './test-search.ts';
import type { Over, Shown, Tried } from './test-search.ts';

export const testSearch = (axes: readonly SearchAxis[], show: Parameters<typeof tableSearch>[1], over: Over = {}): Tried => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-bisect-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return tableSearch(axes, show, join(folder, 'bisect.json'), over);
};

export const leak: Shown = { violated: ['upstream-closed'] };

/** From this value of the first axis on. */
export const from = (first: number, shown: Shown = leak, else_: Shown = {}) => ([value]: readonly string[]): Shown => (numberOf(value) >= first ? shown : else_);

export const search = (tried: Tried, findsGood = false): Promise<SearchOutcome> => runSearch(tried, findsGood, () => {});
