// A budget of so many runs is enough for the shortest search, and one less is not.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fewestRuns } from './fewest-runs.ts';
import { runSearch } from './outcome.ts';
import { tableSearch, versions } from './test-search.ts';

test.each([[1, 0.95], [1, 0.999], [2, 0.95]])('along %i axis or axes, %f sure', async (count, confidence) => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-fewest-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const axes = [versions(2), versions(2, 'starlette')].slice(0, count);
  const fewest = fewestRuns({ axes: count, confidence, endRuns: 10 });
  const wordOf = async (maxProbes: number): Promise<string> => {
    const tried = tableSearch(axes, (place) => (place.every((value) => value === 'v1') ? { violated: ['upstream-closed'] } : {}), join(folder, `${maxProbes}.json`), { confidence, maxProbes, endRuns: 10 });
    return (await runSearch(tried, false, () => {})).word;
  };
  expect([await wordOf(fewest), await wordOf(fewest - 1)]).toEqual(['found', 'budget']);
});
