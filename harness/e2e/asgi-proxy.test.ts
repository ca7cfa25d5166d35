// One neighbouring pair of docs/asgi-disconnect.md, run for real: the same proxy, client and Starlette, and two versions of
// the server, between which a leave that nobody notices becomes one that is noticed.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ScenarioSummary } from '../reports/summary.ts';
import { ROOT, endOf, hangup } from './fixtures/real-systems-grid.ts';

const LIMIT_MS = 240_000;
const SCENARIO = join(ROOT, 'images', 'asgi-proxy', 'leaves', 'endless.yaml');

describe('the ASGI proxy, along its axis version', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hangup-asgi-')));
  let summaries: readonly ScenarioSummary[];
  let said: string;

  beforeAll(async () => {
    const wanted = [SCENARIO, '--where', 'how=rst', '--axis', 'version=0.32.0,0.32.1', '--runtime', 'process'];
    const { code, stdout, stderr } = await hangup(['run', ...wanted, '--output', folder, '--reporter', 'json'], folder);
    said = `exit code ${code}\n${stderr}`;
    summaries = endOf(stdout).summaries;
  }, LIMIT_MS);
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));

  const outcomesAt = (version: string): Readonly<Record<string, string>> => {
    const at = summaries.filter(({ scenario }) => scenario === `leaves/endless[how=rst,version=${version}]`);
    expect(at, said).toHaveLength(1);
    return Object.fromEntries(at[0]!.rows.map(({ claim, outcome }) => [claim, outcome]));
  };

  test('0.32.0 says ASGI 2.4 and drops what is sent to nobody: the upstream stays open and its reservation is renewed', () => {
    expect(outcomesAt('0.32.0')).toMatchObject({
      'upstream-closed': 'violated', 'billing-terminal': 'violated', 'renewal-stopped': 'violated', refundable: 'violated',
      'process-alive': 'held',
    });
  });

  test('0.32.1 says 2.3, Starlette listens for the leave, and everything is closed and settled', () => {
    const outcomes = outcomesAt('0.32.1');
    expect(Object.keys(outcomes)).toHaveLength(7);
    expect(new Set(Object.values(outcomes)), JSON.stringify(outcomes)).toEqual(new Set(['held']));
  });
});
