// Stopping a container's system where it stands, whether its pid can be seen from here or not.
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { nowMs } from '../model/time.ts';
import { connectEngine, createDockerRuntime } from './docker.ts';
import type { Engine } from './docker.ts';
import { mainPid } from './docker-processes.ts';
import { watchEnd } from './docker-end.ts';
import { createDelivery } from './docker-signals.ts';
import { createExitWatch } from './exit-watch.ts';
import { ensureBaseImage } from './images-runtime.ts';
import { wallAheadMs } from './wall-clock.ts';

const { available, why } = await createDockerRuntime().probe();
if (!available && process.env['CI'] === 'true') throw new Error(`these tests need the engine: ${why}`);

const TICKS = "setInterval(() => console.log('tick'), 20)";
type Container = ReturnType<Engine['getContainer']>;
const containers: Container[] = [];
afterEach(async () => {
  for (const container of containers.splice(0)) await container.remove({ force: true, v: true });
});

describe.skipIf(!available)(`docker (${why})`, () => {
  let engine: Engine;
  let image = '';
  beforeAll(async () => {
    engine = await connectEngine();
    image = await ensureBaseImage(engine);
  });
  const start = async (script = TICKS): Promise<Container> => {
    const Labels = { 'hangup.run': `signals-${process.pid}` };
    const container = await engine.createContainer({ Image: image, Cmd: ['node', '-e', script], Labels, HostConfig: { Init: true, NetworkMode: 'none' } });
    containers.push(container);
    await container.start();
    return container;
  };
  const ticksOf = async (container: Container): Promise<number> => {
    const log = (await container.logs({ stdout: true, stderr: true })) as unknown as Buffer;
    return log.toString('latin1').split('tick').length - 1;
  };
  const ticks = (container: Container): Promise<void> =>
    expect.poll(async () => (await ticksOf(container)) > 0, { message: 'the system to tick', timeout: 10_000 }).toBe(true);
  const goesOn = async (container: Container): Promise<void> => {
    const before = await ticksOf(container);
    await expect.poll(async () => (await ticksOf(container)) > before, { message: 'the system to go on', timeout: 10_000 }).toBe(true);
  };
  /** Looked at until two looks agree, and then once more: what was on its way to the log is there by then. */
  const standsStill = async (container: Container): Promise<void> => {
    let last = -1;
    await expect.poll(async () => last === (last = await ticksOf(container)), { message: 'the ticks to stop', timeout: 10_000, interval: 200 }).toBe(true);
    const before = await ticksOf(container);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await ticksOf(container)).toBe(before);
  };

  test.each([['seen', false], ['not seen', true]])('its pid is %s', async (_, isBlind) => {
    const container = await start();
    await ticks(container);
    const system = { container, init: true };
    const pid = isBlind ? null : await mainPid(system);
    const deliver = createDelivery(system, createExitWatch(), pid);
    await deliver('SIGSTOP');
    await standsStill(container);
    expect((await container.inspect()).State.Paused).toBe(pid === null);
    await deliver('SIGCONT');
    await goesOn(container);
    await deliver('SIGSTOP');
    await deliver('SIGKILL');
    await deliver('SIGCONT');
    await expect.poll(async () => (await container.inspect()).State.Running, { message: 'the container to end', timeout: 10_000 }).toBe(false);
    for (const signal of ['SIGTERM', 'SIGKILL', 'SIGSTOP', 'SIGCONT']) expect(await deliver(signal), `${signal} reached nobody`).toBe(false);
  });

  test('a crash of which nobody has heard yet is no work of the signal that comes after it', async () => {
    const container = await start("setTimeout(() => process.exit(3), 100)");
    const watch = createExitWatch();
    const since = { atMs: nowMs(), aheadMs: wallAheadMs() };
    // Nobody follows: as if the engine's answer were still on its way.
    const { wait, inspect, kill } = container;
    const modem = { dial: () => {} };
    const silent = { id: container.id, modem, inspect: inspect.bind(container), kill: kill.bind(container) } as unknown as Container;
    const look = watchEnd(silent, watch, { since, isAway: false });
    await wait.call(container);
    const sentMs = nowMs();
    expect(await createDelivery({ container: silent, init: true }, watch, null, look)('SIGKILL')).toBe(false);
    const { code, atMs } = await watch.exited;
    expect(code).toBe(3);
    expect(atMs).toBeLessThan(sentMs);
    expect(atMs).toBeGreaterThan(since.atMs - 1);
  });

  test('one that has ended hears nothing more, and that is no error', async () => {
    const container = await start();
    await ticks(container);
    const deliver = createDelivery({ container, init: true }, { ...createExitWatch(), hasExited: () => true }, null);
    await deliver('SIGSTOP');
    await goesOn(container);
  });
});
