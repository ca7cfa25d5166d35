// What the tests of real systems claim of each, on whatever runtime it was run.
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ScenarioSummary } from '../reports/summary.ts';
import { BILLING, cellsOf, hangup, runGrid } from './real-systems-grid.ts';
import type { Grid } from './real-systems-grid.ts';

const LIMIT_MS = 300_000;

const rowOf = (summary: ScenarioSummary | undefined, claim: string) => summary?.rows.find((row) => row.claim === claim);

/** Runs the grid of one card once, and compares every verdict with what is known. */
export const claimRealSystem = (card: string, runtime: string): void => {
  describe(`${card} (${runtime})`, () => {
    let grid: Grid;
    const summaryOf = (scenario: string): ScenarioSummary | undefined => grid.end.summaries.find((summary) => summary.scenario === scenario);

    beforeAll(async () => {
      grid = await runGrid(card, runtime);
    }, LIMIT_MS);
    afterAll(() => grid && rmSync(grid.folder, { recursive: true, force: true }));

    test('closes its upstream, or does not, exactly as is known of it', () => {
      const cells = cellsOf(card);
      const seen = cells.map(({ scenario, known }) => {
        const row = rowOf(summaryOf(scenario), 'upstream-closed');
        const outcome = known === 'recorded' && (row?.outcome === 'held' || row?.outcome === 'violated') ? 'recorded' : row?.outcome;
        // What was expected needs no reason; anything else shows its own.
        return { scenario, outcome, ...(outcome === known ? {} : { reason: row?.reason ?? 'it was not run' }) };
      });
      expect(seen).toEqual(cells.map(({ scenario, known }) => ({ scenario, outcome: known })));
      expect(grid.end.summaries).toHaveLength(cells.length);
    });

    test('says of the money that there is none to judge, and judges the rest', () => {
      for (const summary of grid.end.summaries) {
        const rows = summary.rows.filter((row) => row.claim !== 'upstream-closed');
        expect(Object.fromEntries(rows.map((row) => [row.claim, row.outcome])), summary.scenario).toEqual({
          ...Object.fromEntries(BILLING.map((claim) => [claim, 'does-not-apply'])), 'process-alive': 'held', 'clean-shutdown': 'held',
        });
        expect(new Set(rows.filter((row) => row.outcome === 'does-not-apply').map((row) => row.reason))).toEqual(new Set(['the card has no ledger']));
      }
    });

    test('is excused what its card lists, and nothing else', async () => {
      const violated = grid.end.summaries.filter((summary) => summary.counts.violated > 0);
      expect(violated.filter((summary) => summary.counts.known !== summary.counts.violated).map(({ scenario }) => scenario)).toEqual([]);
      expect(grid.end.summaries.filter((summary) => summary.counts.fixed > 0).map(({ scenario }) => scenario)).toEqual([]);
      expect(grid.code).toBe(0);
      for (const { folder } of [...violated.slice(0, 1), ...grid.end.summaries.filter((summary) => summary.outcome === 'passed').slice(0, 1)]) {
        const isKnown = folder === violated[0]?.folder;
        const [lenient, strict] = await Promise.all([hangup(['judge', folder!], grid.folder), hangup(['judge', folder!, '--strict'], grid.folder)]);
        expect([lenient.code, strict.code], lenient.stderr).toEqual([0, isKnown ? 1 : 0]);
        expect(lenient.stdout).toContain('byte for byte');
      }
    });
  });
};
