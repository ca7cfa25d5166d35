// The compose playground as a person uses it: brought up, asked with curl's own requests, its money looked at,
// and brought down again. It must be reachable from this machine only.
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { behaviours } from '../../upstreams/behaviours/registry.ts';
import { createDockerRuntime } from '../runtimes/docker.ts';
import { eventually } from '../runtimes/fixtures/wait.ts';
import { findCompose, must, openPlayground, outerAddresses } from './fixtures/compose-kit.ts';
import type { Playground } from './fixtures/compose-kit.ts';

const { available, why } = await createDockerRuntime().probe();
const compose = findCompose();
const missing = available ? (compose ? null : 'there is no docker-compose') : why;
if (missing !== null && process.env['CI'] === 'true') throw new Error(`these tests need the engine and docker-compose: ${missing}`);

const LIMIT_MS = 240_000;
const QUESTION = JSON.stringify({ model: 'gpt-test', stream: true, stream_options: { include_usage: true }, messages: [] });

type Status = { readonly live: readonly { readonly events: number }[]; readonly ended: Readonly<Record<string, number>> };
type Config = { readonly services: Readonly<Record<string, { readonly environment?: Readonly<Record<string, string>> }>> };

describe.skipIf(missing !== null)(`the playground (${missing ?? why})`, () => {
  let playground: Playground;
  let services: Config['services'] = {};
  /** Services that are upstreams. */
  const upstreams = (): readonly string[] =>
    Object.keys(services).filter((name) => services[name]!.environment?.['BEHAVIOUR'] !== undefined);
  const router = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${playground.routerPort}${path}`, { ...init, signal: AbortSignal.timeout(20_000) });
  const ask = (key: string): Promise<Response> =>
    router('/v1/chat/completions', { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: QUESTION });
  const leave = async (): Promise<void> => {
    const reader = (await ask('sk-playground')).body!.getReader();
    await reader.read();
    await reader.cancel();
  };
  const status = async (): Promise<Status> => (await router('/status')).json() as Promise<Status>;
  const isReady = async (): Promise<boolean> => (await router('/v1/models').catch(() => null))?.ok ?? false;
  /** What each upstream answers at its own port, by its name; null: nothing yet. `refused` never does. */
  const answers = async (): Promise<Readonly<Record<string, number | null>>> =>
    Object.fromEntries(await Promise.all(upstreams().filter((kind) => kind !== 'refused').map(async (kind) => {
      const port = (await playground.run(['port', kind, '9000'])).trim().split(':')[1];
      const answer = await fetch(`http://127.0.0.1:${port}/v1/models`, { signal: AbortSignal.timeout(20_000) }).catch(() => null);
      return [kind, answer?.status ?? null] as const;
    })));
  const ledger = (): Promise<string> => playground.run(['exec', '-T', 'router', 'node', 'account.ts', 'show']);
  const containers = async (): Promise<readonly string[]> =>
    (await must('docker', ['ps', '-aq', '--filter', `label=com.docker.compose.project=${playground.project}`])).split('\n').filter(Boolean);

  beforeAll(async () => {
    await must(process.execPath, ['harness/tools/images.ts']);
    playground = await openPlayground(compose!);
    services = (parse(await playground.run(['config'])) as Config).services;
    await playground.run(['up', '-d']);
    await eventually('the router of the playground', isReady);
    // Nobody waits for its upstreams: they start beside it.
    await eventually('every upstream of the playground', async () => Object.values(await answers()).every((status) => status !== null));
  }, LIMIT_MS);
  afterAll(async () => {
    await playground?.run(['down', '-v', '--timeout', '5']);
  }, LIMIT_MS);

  test('has a router, its account, and an upstream of every behaviour, each named after it', async () => {
    expect(upstreams().filter((name) => services[name]!.environment!['BEHAVIOUR'] !== name)).toEqual([]);
    expect(upstreams().filter((name) => !behaviours.kinds.includes(name))).toEqual([]);
    expect(upstreams().length).toBeGreaterThanOrEqual(9);
    expect(Object.keys(services)).toEqual(expect.arrayContaining(['router', 'account']));
    const running = (await playground.run(['ps', '--services', '--filter', 'status=running'])).split('\n').filter(Boolean);
    expect(running.sort()).toEqual([...upstreams(), 'router'].sort());
  });

  test('streams a finite answer through the router, for money', async () => {
    const answer = await ask('sk-playground');
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text.match(/"content":/g)).toHaveLength(5);
    expect(text.trimEnd()).toMatch(/data: \[DONE\]$/);
    await eventually('the charge of five events', async () => (await ledger()).includes('"balance":99995,"reserved":0,"spent":5'));
    expect((await ask('sk-somebody-else')).status).toBe(401);
  });

  test('has each upstream at a port of its own', async () => {
    const indexOf = Object.fromEntries(await Promise.all(upstreams().map(async (kind) =>
      [kind, Number((await playground.run(['port', kind, '9000'])).trim().split(':')[1]) - playground.routerPort] as const)));
    expect(Object.values(indexOf).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(Object.entries(await answers()).filter(([, status]) => status !== 200)).toEqual([]);
  });

  test('is bound to this machine alone', async () => {
    const format = '{{range $port, $all := .NetworkSettings.Ports}}{{range $all}}{{.HostIp}} {{end}}{{end}}';
    const bound = (await must('docker', ['inspect', '--format', format, ...(await containers())])).split(/\s+/).filter(Boolean);
    expect(bound.length).toBe(upstreams().length + 1);
    expect(new Set(bound)).toEqual(new Set(['127.0.0.1']));
    // The engine's own bridge is one of them, so there is always one to try.
    expect(outerAddresses().length).toBeGreaterThan(0);
    const tried = outerAddresses().map((host) => new Promise<string>((answer) => {
      const socket = connect({ host, port: playground.routerPort }, () => answer(`${host} is open`));
      socket.on('connect', () => socket.destroy()).on('error', (error) => answer((error as NodeJS.ErrnoException).code ?? error.message));
    }));
    expect(new Set(await Promise.all(tried))).toEqual(new Set(['ECONNREFUSED']));
  });

  test('takes another upstream, and a planted defect, by a variable', async () => {
    await playground.run(['up', '-d', 'router'], { UPSTREAM: 'endless', DEFECTS: 'ignores-disconnect' });
    await eventually('the router with its endless upstream', isReady);
    await leave();
    const [left] = (await status()).live;
    await eventually('what nobody reads any more to go on', async () => ((await status()).live[0]?.events ?? 0) > left!.events + 1);
    await playground.run(['up', '-d', 'router'], { UPSTREAM: 'endless' });
    await eventually('the router without the defect', isReady);
    await leave();
    await eventually('the end of what nobody reads', async () => (await status()).ended['client-left'] === 1);
    expect((await status()).live).toEqual([]);
    // The ledger outlives the router that was replaced.
    expect(await ledger()).toContain('"id":"alice"');
  });

  test('goes without leaving anything', async () => {
    await playground.run(['down', '-v', '--timeout', '5']);
    expect(await containers()).toEqual([]);
    expect(await must('docker', ['volume', 'ls', '-q', '--filter', `name=${playground.project}`])).toBe('');
  });
});
