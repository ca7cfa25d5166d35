// Several instances of one card: their names, what they take, why they cannot be had; and clocks that this
// machine cannot set wrong.
import { describe, expect, test } from 'vitest';
import type { FakeTime } from '../runtimes/fake-time.ts';
import { controlKey } from './control-cell.ts';
import { cardWith, cellWith, METERED, scenarioWith } from './fixture.ts';
import { addressNameOf, processNamesOf, weightOf, whyNoInstances } from './instances.ts';

const TWO = { system: 'system: { card: small, instances: 2 }' };
const told = (env: string, more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({
  ...METERED,
  run: `run: [ { name: proxy, process: { command: [node], env: { ${env} } }, docker: { image: proxy } } ]`,
  ...more,
});
const ADDRESS = 'HOST: "${system.address}"';
const LATE = { system: 'system: { card: small, instances: 2, clocks: { 2: { ahead: 1h } } }' };
const found: FakeTime = { library: '/lib/x.so', why: null, hint: null };
const missing: FakeTime = { library: null, why: 'libfaketime is not installed', hint: 'apt-get install libfaketime' };
const reasons = (cell: ReturnType<typeof cellWith>): readonly (string | null)[] => cell.claims.map(({ notApplicable }) => notApplicable);

test('the first one has the plain names, further ones their number', () => {
  expect(processNamesOf(cardWith(), scenarioWith({ system: 'system: { card: small, instances: 3 }' }))).toEqual(['proxy', 'proxy.2', 'proxy.3']);
  expect([1, 2].map(addressNameOf)).toEqual(['system', 'system.2']);
  expect(cellWith(TWO).facts.system.instances!.map(({ process }) => process)).toEqual(['proxy', 'proxy.2']);
});

test('they weigh as much as they are', () => {
  const card = cardWith({ weight: 'weight: { cpu: 0.5, memory: 100MiB }' });
  expect(weightOf({ card, scenario: scenarioWith(TWO) })).toEqual({ cpu: 1, memoryBytes: 200 * 1024 * 1024 });
  expect(weightOf({ card, scenario: scenarioWith() })).toEqual(card.weight);
});

describe('a card that cannot have several', () => {
  const why = (card: Readonly<Record<string, string>>, scenario = TWO, runtime: 'process' | 'docker' = 'process'): string | null =>
    whyNoInstances(cardWith(card), scenarioWith(scenario), runtime);

  test('each must be told its address, in what is its own', () => {
    expect(why(told(''))).toMatch(/small cannot be told their addresses: .* of proxy has \$\{system\.address\}/);
    expect(why(told(ADDRESS))).toBeNull();
    expect(why({ run: 'run: [ { name: proxy, process: { command: [node, "${system.address}"] } } ]' })).toBeNull();
    expect(why(told(ADDRESS), TWO, 'docker'), 'told to plain processes only').toMatch(/cannot be told/);
    expect(why(told(ADDRESS, { files: 'files: { a.conf: "listen ${system.address}" }' }))).toMatch(/share the file a\.conf/);
  });

  test('one needs none of that', () => {
    expect(why(told(''), { system: 'system: small' })).toBeNull();
  });

  test('nothing of the scenario applies there, by that reason', () => {
    expect(reasons(cellWith(TWO, told('')))).toEqual([expect.stringMatching(/cannot be told/), expect.stringMatching(/cannot be told/)]);
    expect(reasons(cellWith(TWO, told(ADDRESS)))).toEqual([null, null]);
  });
});

describe('wrong clocks', () => {
  test('apply where they can be set, and say what is missing where not', () => {
    expect(reasons(cellWith(LATE, told(ADDRESS), { fakeTime: () => found }))).toEqual([null, null]);
    expect(reasons(cellWith(LATE, told(ADDRESS), { fakeTime: () => missing }))[0]).toBe(
      'no clock can be set wrong here: libfaketime is not installed (apt-get install libfaketime)',
    );
    expect(reasons(cellWith(LATE, told(ADDRESS), { fakeTime: () => found, isolation: 'loopback' }))[0]).toMatch(/no namespace/);
    expect(cellWith(LATE, told(ADDRESS), { fakeTime: () => found }).facts.system.instances!.map(({ clockAheadMs }) => clockAheadMs)).toEqual([0, 3_600_000]);
  });

  test('are not asked for by a scenario that has none', () => {
    const never = (): FakeTime => {
      throw new Error('was looked for');
    };
    expect(reasons(cellWith(TWO, told(ADDRESS), { fakeTime: never }))).toEqual([null, null]);
  });
});

test('a control is that of the same instances and clocks', () => {
  const key = (scenario: Readonly<Record<string, string>>): string => controlKey(cellWith(scenario, told(ADDRESS), { fakeTime: () => found }));
  const bob = { ...TWO, clients: 'clients: { alice: { account: { balance: 10 }, instance: 2, script: [ request: chat, { disconnect: fin, mark: gone } ] } }' };
  expect(new Set([key({}), key(TWO), key(LATE), key(bob)]).size).toBe(4);
  expect(key(TWO)).toBe(key({ ...TWO, watch: 'watch: 2s' }));
});
