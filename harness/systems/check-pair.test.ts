import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadScenarios } from '../scenario/load-scenarios.ts';
import { registries } from '../scenario/registries.ts';
import { testRegistries } from '../scenario/test-registries.ts';
import { scenarioWith } from '../scenario/test-scenario.ts';
import { checkPairs } from './check-pair.ts';
import { loadCard } from './load-card.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hangup-pair-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const check = async (text: string): Promise<readonly string[]> => {
  const file = join(folder, 'a.yaml');
  await writeFile(file, text);
  const card = await loadCard('reference-router');
  const problems = await checkPairs(await loadScenarios([file], { registries: testRegistries }), () => card);
  return problems.map(({ message, hint, location }) => `${location?.line}:${location?.column} ${message}; ${hint}`);
};

test('a scenario that fits its card', async () => {
  expect(await check(scenarioWith({ system: 'system: { card: reference-router, settings: { read: 2s } }' }))).toEqual([]);
});

test('a setting, a request and an upstream that the card and the scenario do not share', async () => {
  const found = await check(
    scenarioWith({
      system: 'system: { card: reference-router, settings: { raed: 2s } }',
      upstreams: 'upstreams: { modell: endless }',
      clients: 'clients: { alice: { account: { balance: 1 }, script: [request: chta, pause] } }',
      expect: 'expect: [clean-shutdown]',
    }),
  );
  expect(found).toEqual([
    expect.stringMatching(/^3:47 the card `reference-router` has no setting `raed`; did you mean `read`\?/),
    expect.stringMatching(/^5:1 the card `reference-router` wants an upstream called `model`/),
    expect.stringMatching(/^6:64 the card `reference-router` has no request `chta`; did you mean `chat`\?/),
  ]);
});

const alone = async (...lines: readonly string[]): Promise<readonly string[]> => {
  const [file, more] = [join(folder, 'alone.yaml'), lines.join('\n')];
  await writeFile(file, `version: 1\nname: alone\nsystem: none\n${more}\nexpect: [script-done]\n`);
  const card = await loadCard('none');
  const problems = await checkPairs(await loadScenarios([file], { registries }), () => card);
  return problems.map(({ message, location }) => `${location?.line}:${location?.column} ${message}`);
};

test('without a system clients need one upstream, or nobody', async () => {
  const asks = 'clients: { alice: { script: [request: chat, wait: 1s] } }';
  expect(await alone(asks, 'upstreams: { model: endless }')).toEqual([]);
  expect(await alone(asks, 'upstreams: { model: endless, other: endless }')).toEqual([expect.stringMatching(/^5:\d+ without a system clients talk to the only upstream/)]);
  expect(await alone(asks)).toEqual([
    expect.stringMatching(/^4:\d+ there is neither a system nor an upstream, so nobody whom `request` could mean/),
  ]);
  expect(await alone('clients: { alice: { script: [wait: 1s] } }')).toEqual([]);
});

test('what every cell of a matrix has is told once', async () => {
  const text = scenarioWith({
    matrix: 'matrix: { n: [1, 2, 3] }',
    name: 'name: n ${n}',
    system: 'system: { card: reference-router, settings: { raed: 2s } }',
  });
  expect(await check(text)).toHaveLength(1);
});

test('a range whose ends are the wrong way round only on this card, in its place', async () => {
  const faults = (wait: string): string => scenarioWith({ faults: `faults: [{ after: gone, wait: ${wait}, signal: SIGTERM }]` });
  expect(await check(faults('1 renewal..1 lease'))).toEqual([]);
  expect(await check(faults('1 lease..1 renewal'))).toEqual([
    expect.stringMatching(/^7:31 on the card `reference-router` the range begins at \d\S* m?s and ends at \d\S* m?s; give the shorter length first/),
  ]);
});
