// Locks by name across invocations on one machine. A lock is a socket in the kernel's own space of names: only one can
// have it, it is gone the moment its process is, and whoever connects to it hears that at once. No file is left behind.
import { createServer, connect } from 'node:net';
import type { Server, Socket } from 'node:net';
import { setTimeout as pass } from 'node:timers/promises';
import { nowMs } from '../model/time.ts';

/** `freed` resolves when it is worth trying again. */
export type Refused = { readonly name: string; readonly holder: string; readonly freed: Promise<void> };
export type Taken = { readonly release: () => void };

export type MachineLocks = {
  /** All of them, or none. Runs of this process share what it holds. */
  readonly take: (names: readonly string[], signal?: AbortSignal) => Promise<Taken | Refused>;
};

type Held = { count: number; readonly server: Server; readonly peers: Set<Socket> };

/** Whoever has waited hears of it, looks for room, and binds: so long we do not take it again ourselves. */
const THEIR_TURN_MS = 500;

const addressOf = (name: string): string => `\0hangup-lock-${name}`;

/** Null: another process has it. @throws Error where no such socket can be made at all */
const bind = (name: string): Promise<Held | null> =>
  new Promise((resolve, reject) => {
    const peers = new Set<Socket>();
    const server = createServer((peer) => {
      peers.add(peer);
      peer.unref();
      peer.on('error', () => {});
      peer.on('close', () => peers.delete(peer));
      peer.write(String(process.pid));
    });
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(null) : reject(error)));
    server.listen(addressOf(name), () => {
      server.unref();
      resolve({ count: 0, server, peers });
    });
  });

/** Waits at the holder's socket until that closes; one that has just closed refuses, which is the same. */
const awaitFreed = (name: string, signal: AbortSignal | undefined): Promise<{ readonly holder: string; readonly freed: Promise<void> }> =>
  new Promise((resolve) => {
    const peer = connect(addressOf(name));
    const stop = (): void => void peer.destroy();
    const freed = new Promise<void>((done) => peer.once('close', () => done()));
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    peer.on('error', () => {});
    peer.once('data', (pid: Buffer) => resolve({ holder: `another hangup on this machine, process ${pid.toString('latin1')}`, freed }));
    peer.once('close', () => {
      signal?.removeEventListener('abort', stop);
      resolve({ holder: 'another hangup on this machine', freed });
    });
  });

/** For one process; null where the system has no such names, and invocations do not hear of each other. */
export const createMachineLocks = (platform: NodeJS.Platform = process.platform): MachineLocks | null => {
  if (platform !== 'linux') return null;
  const all = new Map<string, Promise<Held | null>>();
  const theirsUntilMs = new Map<string, number>();

  const release = (name: string, held: Held): void => {
    held.count -= 1;
    if (held.count > 0) return;
    all.delete(name);
    if (held.peers.size > 0) theirsUntilMs.set(name, nowMs() + THEIR_TURN_MS);
    held.server.close();
    for (const peer of held.peers) peer.destroy();
  };

  const bindInTurn = async (name: string): Promise<Held | null> => {
    const waitMs = (theirsUntilMs.get(name) ?? 0) - nowMs();
    theirsUntilMs.delete(name);
    if (waitMs > 0) await pass(waitMs);
    return bind(name);
  };

  const takeOne = async (name: string): Promise<Held | null> => {
    const asked = all.get(name) ?? bindInTurn(name);
    all.set(name, asked);
    const held = await asked.catch((error: unknown) => {
      all.delete(name);
      throw error;
    });
    if (held === null) all.delete(name);
    else held.count += 1;
    return held;
  };

  const take: MachineLocks['take'] = async (names, signal) => {
    const got: [string, Held][] = [];
    const giveBack = (): void => got.splice(0).forEach(([name, held]) => release(name, held));
    // In one order: of two who want the same two, the first refused holds nothing of the other's.
    for (const name of [...names].sort()) {
      const held = await takeOne(name).catch((error: unknown) => {
        giveBack();
        throw error;
      });
      if (held !== null) {
        got.push([name, held]);
        continue;
      }
      giveBack();
      return { name, ...(await awaitFreed(name, signal)) };
    }
    return { release: giveBack };
  };
  return { take };
};
