// The path control's listener: it must see a FIN and a RST as they came, before or after it is asked.
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { nowMs } from '../harness/model/time.ts';
import { createControl } from './control.ts';
import { until } from './fixture.ts';

const dial = async (port: number): Promise<{ readonly socket: Socket; readonly local: string }> => {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  await until('the control connection', () => socket.readyState === 'open');
  return { socket, local: `127.0.0.1:${socket.localPort}` };
};

it.each([
  ['fin', (socket: Socket) => socket.end()],
  ['rst', (socket: Socket) => socket.resetAndDestroy()],
] as const)('sees a %s, whether asked before or after', async (how, leave) => {
  const control = createControl();
  const port = await control.listen('127.0.0.1');
  const [first, second] = [await dial(port), await dial(port)];
  const asked = control.await(port, first.local, 10_000);
  const beforeMs = nowMs();
  leave(first.socket);
  leave(second.socket);
  const seen = await asked;
  expect(seen).toMatchObject({ seen: true, how });
  expect(seen.atMs).toBeGreaterThanOrEqual(beforeMs - 0.001);
  expect(await control.await(port, second.local, 10_000)).toMatchObject({ seen: true, how });
  control.close();
});

it('says so when nothing was seen in time, and when there is no such listener', async () => {
  const control = createControl();
  const port = await control.listen('127.0.0.1');
  const { socket, local } = await dial(port);
  expect(await control.await(port, local, 20)).toEqual({ seen: false, how: null, atMs: null });
  await expect(control.await(1, local, 20)).rejects.toMatchObject({ code: 'unknown-control' });
  socket.destroy();
  control.close();
});
