// D15: a system that calls a host outside is named, and nothing is concluded that it could have to do with. Only in a stage
// with a network of its own: elsewhere the name would be looked up for real.
import { expect, test } from 'vitest';
import { join } from 'node:path';
import { findIsolation } from '../runtimes/isolation.ts';
import { bundlesOf, claimsOf, FIXTURES, runCli, temporaryFolder } from './test-kit.ts';

test.skipIf(findIsolation().kind !== 'namespace')('D15 the system called an outside host without a stand-in', async () => {
  const folder = temporaryFolder();
  const { code, output } = await runCli([join(FIXTURES, 'outside-host.yaml')], { folder });
  expect(code, output).toBe(0);
  expect(output).toMatch(/1 rightly inconclusive/);
  const { timeline, verdicts } = (await bundlesOf(folder)).get('fixtures/outside-host')!;
  expect(timeline.of('foreign-host').map(({ name, answered }) => ({ name, answered }))).toEqual([
    { name: 'prices.hangup.example', answered: false },
  ]);
  expect(verdicts!.outcome).toBe('inconclusive');
  expect(claimsOf(verdicts!)['process-alive']!.outcome).toBe('held');
}, 60_000);
