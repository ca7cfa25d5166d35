// D3: a relay that swallows closes stands in the way of the path control. What is then not seen to be
// closed proves nothing, on whichever leg it stands.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBundle } from '../bundle/read.ts';
import { createSecrets } from '../bundle/secrets.ts';
import { harnessVersion } from '../cli/harness-version.ts';
import { loadCells } from '../cli/load-cells.ts';
import type { CellResult } from '../plan/run-cell.ts';
import { runPlan } from '../plan/run-plan.ts';
import { createSchedule } from '../plan/schedule.ts';
import { selectCells } from '../plan/select.ts';
import { reportOf } from '../reports/report-md.ts';
import type { PathDetour } from '../run/path-control.ts';
import { createProcessRuntime } from '../runtimes/process.ts';
import { FIXTURES, temporaryFolder } from './test-kit.ts';

let folder: string;
const sockets: Socket[] = [];
const relays: Server[] = [];

/** Passes bytes on and keeps every close to itself, until the tests are over. */
const swallow: NonNullable<PathDetour['client']> = async ({ address, port }) => {
  const own = (socket: Socket): Socket => {
    sockets.push(socket);
    return socket.on('error', () => {});
  };
  const onward = own(connect({ host: address, port, allowHalfOpen: true }));
  await once(onward, 'connect');
  const relay = createServer({ allowHalfOpen: true }, (socket) => own(socket).on('data', (chunk) => void onward.write(chunk))).listen(
    0,
    '127.0.0.1',
  );
  await once(relay, 'listening');
  relays.push(relay);
  return { address: '127.0.0.1', port: (relay.address() as AddressInfo).port, peer: `${onward.localAddress}:${onward.localPort}` };
};

/** In plain loopback, where a relay of ours can stand in the way. */
const run = async (name: string, detour: PathDetour): Promise<CellResult> => {
  const loaded = await loadCells([join(FIXTURES, 'leaves.yaml')], {}, null, folder);
  const cells = selectCells(loaded, { runtime: 'process', isolation: 'loopback', defects: [], tags: [], where: {}, secrets: {} });
  const [result] = await runPlan({
    cells,
    repeat: 1,
    schedule: createSchedule({ jobs: 2 }),
    session: {
      runId: randomBytes(5).toString('hex'),
      runtime: createProcessRuntime({ isolation: 'loopback' }),
      output: join(folder, name),
      stages: join(folder, `stages-${name}`),
      installed: new Map(),
      signal: new AbortController().signal,
      secrets: {},
      hidden: createSecrets(),
      timelines: new Set(),
      onPhase: () => {},
      manifest: { argv: [], harness: harnessVersion(), versions: {} },
      detour,
    },
    scenarioText: (cell) => readFileSync(cell.scenario.file, 'utf8'),
    report: reportOf,
    onResult: () => {},
  });
  return result!;
};

const results = new Map<string, CellResult>();

beforeAll(async () => {
  folder = temporaryFolder(true);
  const detours: Readonly<Record<string, PathDetour>> = { client: { client: swallow }, upstream: { upstream: swallow }, none: {} };
  await Promise.all(Object.entries(detours).map(async ([name, detour]) => results.set(name, await run(name, detour))));
}, 90_000);

afterAll(() => {
  for (const relay of relays) relay.close();
  for (const socket of sockets) socket.destroy();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

const closedOf = (name: string) => results.get(name)!.verdicts.find(({ claim }) => claim === 'upstream-closed');

test.each(['client', 'upstream'] as const)('D3 closes on the %s leg are swallowed', (leg) => {
  const { verdicts, outcome, problems } = results.get(leg)!;
  expect(problems).toEqual([]);
  expect(outcome).toBe('inconclusive');
  expect(closedOf(leg)).toMatchObject({
    outcome: 'inconclusive',
    reason: expect.stringMatching(new RegExp(`^path hides closes: a direct (FIN|RST) on the ${leg} leg was not seen$`)),
  });
  expect(verdicts.find(({ claim }) => claim === 'process-alive')!.outcome).toBe('held');
});

test('without the relay every close is seen, and nothing is said of the path', async () => {
  const { folder: bundle, problems } = results.get('none')!;
  const { timeline } = await readBundle(bundle);
  expect(problems).toEqual([]);
  expect(timeline.of('path-control').map(({ leg, how, seen }) => `${leg} ${how} ${seen}`)).toEqual([
    'client fin true',
    'client rst true',
    'upstream fin true',
    'upstream rst true',
  ]);
  expect(closedOf('none')!.reason).not.toContain('path hides closes');
});
