// Each fault against what it is done to: a real process, a real listener.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { FaultContext } from './fault.ts';
import { createContext, fire } from './fixture.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

describe('signal', () => {
  const startSystem = async (): Promise<{ context: FaultContext; exited: Promise<unknown[]> }> => {
    const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    cleanUps.push(() => child.kill('SIGKILL'));
    const exited = once(child, 'exit');
    await once(child.stdout, 'data');
    const signalSystem: FaultContext['signalSystem'] = async (signal, name) => {
      if (name !== undefined) throw new Error(`the card runs no "${name}"`);
      if (!child.kill(signal as NodeJS.Signals)) throw new Error('router had already ended');
    };
    return { context: createContext({ signalSystem }), exited };
  };

  it('reaches the main process', async () => {
    const { context, exited } = await startSystem();
    expect(await fire('signal', context, { signal: 'SIGTERM' })).toBe('SIGTERM to router');
    expect(await exited).toEqual([null, 'SIGTERM']);
    await expect(fire('signal', context, { signal: 'SIGTERM' })).rejects.toThrow('already ended');
  });

  it('refuses an unknown process, and the main one by name', async () => {
    const { context } = await startSystem();
    await expect(fire('signal', context, { signal: 'SIGTERM', process: 'store' })).rejects.toThrow('runs no "store"');
    await expect(fire('signal', context, { signal: 'SIGTERM', process: 'router' })).rejects.toThrow('leave "process" out');
  });
});

describe('upstream-stop and upstream-finish', () => {
  it('have the named upstream do it, and say how much that was', async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanUps.push(() => server.close());
    const { port } = server.address() as { port: number };
    const client = connect(port, '127.0.0.1');
    const reset = once(client, 'error');
    await Promise.all([once(client, 'connect'), once(server, 'connection')]);
    const upstream: FaultContext['upstream'] = async (command, name) => {
      if (name !== 'model') throw new Error(`no upstream ${name}`);
      if (command === 'finish') return { count: 0 };
      for (const socket of sockets) socket.resetAndDestroy();
      server.close();
      return { count: sockets.length };
    };
    expect(await fire('upstream-finish', createContext({ upstream }), { upstream: 'model' })).toBe(
      'model finished 0 open exchanges',
    );
    expect(await fire('upstream-stop', createContext({ upstream }), { upstream: 'model' })).toBe(
      'model stopped, 1 connections reset',
    );
    expect((await reset)[0]).toMatchObject({ code: 'ECONNRESET' });
    await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED');
    await expect(fire('upstream-stop', createContext({ upstream }), { upstream: 'other' })).rejects.toThrow('no upstream other');
  });

  it('did nothing that is known where the answer does not say so', async () => {
    await expect(
      fire('upstream-stop', createContext({ upstream: async () => undefined }), { upstream: 'model' }),
    ).rejects.toThrow('did not say');
  });
});
