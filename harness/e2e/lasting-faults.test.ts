// Faults that last, in whole runs: what is seen of them while they hold, and that it is over when they say so.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bundle } from '../bundle/read.ts';
import type { LedgerValue } from '../model/samples.ts';
import { findIsolation } from '../runtimes/isolation.ts';
import { bundlesOf, nothingLeft, runCli, temporaryFolder } from './test-kit.ts';
import type { Finished } from './test-kit.ts';

/** Alice reads from before the fault until after it; what she has is money and a stream. */
const scenario = (fault: string): string => `version: 1
name: one that lasts
about: What happens to a stream and its money while a fault holds.
source: the harness's own tests
tags: []
system: reference-router
tests: none
upstreams:
  model: { endless: { every: 50ms } }
clients:
  alice:
    account: { balance: 10000 }
    script:
      - request: chat
      - receive: { events: 3, or-after: 5s }
        mark: going
      - await: { mark: over, within: 20s }
      - receive: { events: 10, or-after: 10s }
        mark: after
      - disconnect: { how: rst }
        mark: gone
faults: [ { after: going, ${fault}, mark: over } ]
watch: 1s
expect: [ nothing-reserved: { client: alice }, process-alive ]
`;

const FAULTS: Readonly<Record<string, string>> = {
  'ledger-lock': 'ledger-lock: 1s',
  'ledger-unavailable': 'ledger-unavailable: 700ms',
  'upstream-refuse': 'upstream-refuse: { upstream: model, for: 700ms }',
  'partition-upstream': 'partition: { upstream: model, for: 1s }',
  'partition-client': 'partition: { client: alice, for: 1s }',
};

let folder: string;
let finished: Finished;
let bundles: ReadonlyMap<string, Bundle>;
beforeAll(async () => {
  folder = temporaryFolder(true);
  const files = Object.entries(FAULTS).map(([name, fault]) => {
    writeFileSync(join(folder, `${name}.yaml`), scenario(fault));
    return join(folder, `${name}.yaml`);
  });
  finished = await runCli(files, { folder });
  bundles = await bundlesOf(folder);
}, 180_000);
afterAll(async () => {
  await nothingLeft(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}, 30_000);

const timelineOf = (name: string): Bundle['timeline'] => {
  const found = [...bundles].find(([id]) => id.endsWith(`/${name}`))?.[1].timeline;
  if (!found) throw new Error(`no bundle of ${name} in ${[...bundles.keys()].join(', ')}\n${finished.output}`);
  return found;
};

/** When it held, ms. */
const heldIn = (name: string): { readonly fromMs: number; readonly toMs: number; readonly isIn: (moment: { atMs: number }) => boolean } => {
  const held = timelineOf(name).of('fault-held');
  expect(held.map(({ edge }) => edge), finished.output).toEqual(['begin', 'end']);
  const [fromMs, toMs] = held.map(({ atMs }) => atMs) as [number, number];
  return { fromMs, toMs, isIn: ({ atMs }) => atMs > fromMs && atMs < toMs };
};

type Look = { readonly atMs: number; readonly value?: LedgerValue; readonly error?: string };

/** Looks at the ledger that lay wholly in the time in which the fault held. */
const looksIn = (name: string): readonly Look[] => {
  const { fromMs, toMs } = heldIn(name);
  const samples = timelineOf(name).of('sample').flatMap((seen) => (seen.probe === 'ledger' ? [seen] : []));
  return samples.filter(({ atMs, tookMs }) => atMs - tookMs > fromMs && atMs < toMs);
};

/** What arrived at alice while it held, events. The first moments are for what was on its way. */
const receivedIn = (name: string): number => {
  const { fromMs, toMs } = heldIn(name);
  const counts = timelineOf(name).of('received').filter(({ atMs }) => atMs > fromMs + 200 && atMs < toMs).map(({ events }) => events);
  return counts.length === 0 ? 0 : counts.at(-1)! - counts[0]!;
};

const needsNamespace = findIsolation().kind !== 'namespace';
const names = Object.keys(FAULTS).filter((name) => !needsNamespace || !name.startsWith('partition'));

test.each(names)('%s: it is done, is over before its mark, and the stream goes on', (name) => {
  const timeline = timelineOf(name);
  expect(timeline.of('fault'), finished.output).toMatchObject([{ edge: 'fired' }]);
  expect(timeline.mark('over')!.atMs).toBeGreaterThanOrEqual(heldIn(name).toMs);
  expect(timeline.of('step').filter((step) => step.edge === 'end' && step.outcome === 'failed')).toEqual([]);
  const events = timeline.of('received').filter(({ atMs }) => atMs < timeline.mark('gone')!.atMs).at(-1)!.events;
  expect(events, 'what came before it, and after it').toBeGreaterThanOrEqual(13);
  expect(timeline.of('answer-ended').filter(({ by }) => by === 'fault')).toEqual([]);
});

describe('the ledger', () => {
  test('locked: read all the while, and nobody writes', () => {
    const looks = looksIn('ledger-lock');
    expect(looks.length).toBeGreaterThan(2);
    expect(looks.filter(({ error }) => error !== undefined)).toEqual([]);
    // A lease is renewed every 500 ms, so that a second without a renewal is one in which nobody could.
    expect(new Set(looks.map(({ value }) => JSON.stringify([value!.accounts, value!.reservations]))).size).toBe(1);
    expect(receivedIn('ledger-lock')).toBeGreaterThan(0);
  });

  test('unavailable: no look at it succeeds, and afterwards all is there', () => {
    const looks = looksIn('ledger-unavailable');
    expect(looks.length).toBeGreaterThan(2);
    for (const { error } of looks) expect(error).toContain('the ledger is unavailable');
    const last = timelineOf('ledger-unavailable').of('sample').findLast(({ probe }) => probe === 'ledger') as Look;
    expect(last.value?.accounts).toHaveLength(1);
  });
});

test('refused: who was in stays in', () => {
  expect(receivedIn('upstream-refuse')).toBeGreaterThan(0);
});

describe.skipIf(needsNamespace)('a partition', () => {
  test.each(['partition-upstream', 'partition-client'])('%s: nothing gets through, and nobody is told', (name) => {
    expect(receivedIn(name)).toBe(0);
    const { isIn } = heldIn(name);
    const ends = [...timelineOf(name).of('peer-closed'), ...timelineOf(name).of('response-ended')];
    expect(ends.filter(isIn)).toEqual([]);
  });
});
