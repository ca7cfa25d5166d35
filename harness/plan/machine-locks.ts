// Locks by name across invocations on one machine. A lock is a socket in the kernel's own space of names: only one can
// have it, it is gone the moment its process is, and whoever connects to it hears that at once. No file is left behind.
// Whoever waits says since when, by the clock that all processes share, and the one that has waited longest is next.
import { createServer, connect } from 'node:net';
import type { Server, Socket } from 'node:net';
import { setTimeout as pass } from 'node:timers/promises';
import { nowMs } from '../model/time.ts';

/** `freed` resolves when it is worth trying again. */
export type Refused = { readonly name: string; readonly holder: string; readonly freed: Promise<void> };
export type Taken = { readonly release: () => void };

export type MachineLocks = {
  /**
   * All of them, or none. Runs of this process share what it holds, unless somebody elsewhere has waited longer.
   * @param sinceMs when it was first asked for, `nowMs()`: who tries again keeps the place
   */
  readonly take: (names: readonly string[], signal?: AbortSignal, sinceMs?: number) => Promise<Taken | Refused>;
};

type Held = {
  count: number;
  readonly server: Server;
  /** Who waits elsewhere, since when. */
  readonly peers: Map<Socket, number>;
  readonly over: PromiseWithResolvers<void>;
  isOver: boolean;
};

/** Whoever is next hears of it, looks for room, and binds: so long nobody else tries. */
const THEIR_TURN_MS = 500;

/** A holder says at once who it is, as long as it runs. */
const ANSWER_MS = 2_000;

/** To those who wait, when the lock is given back; first of all they are told whose it is. */
const WORDS = { next: 'next\n', later: 'later\n' } as const;

const addressOf = (name: string): string => `\0hangup-lock-${name}`;

/** Null: another process has it. @throws Error where no such socket can be made at all */
const bind = (name: string): Promise<Held | null> =>
  new Promise((resolve, reject) => {
    const peers = new Map<Socket, number>();
    const server = createServer((peer) => {
      peers.set(peer, nowMs());
      peer.unref();
      peer.on('error', () => {});
      peer.on('close', () => peers.delete(peer));
      peer.once('data', (since: Buffer) => {
        const sinceMs = Number.parseFloat(since.toString('latin1'));
        if (sinceMs < nowMs()) peers.set(peer, sinceMs);
        // Then it has its place, and may be told that it waits.
        peer.write(`${process.pid}\n`);
      });
    });
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(null) : reject(error)));
    server.listen(addressOf(name), () => {
      server.unref();
      resolve({ count: 0, server, peers, over: Promise.withResolvers(), isOver: false });
    });
  });

/** Resolves with either; whoever is interrupted waits for nothing more. */
const orAborted = (work: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      signal?.removeEventListener('abort', done);
      resolve();
    };
    signal?.addEventListener('abort', done, { once: true });
    if (signal?.aborted) done();
    else void work.then(done, done);
  });

type Awaited = Pick<Refused, 'holder' | 'freed'>;

/** Waits at the holder's socket until that closes; one that has just closed refuses, which is the same. */
const awaitFreed = (name: string, sinceMs: number, signal: AbortSignal | undefined): Promise<Awaited> =>
  new Promise((resolve) => {
    const peer = connect(addressOf(name));
    let said = '';
    const closed = new Promise<void>((done) => peer.once('close', () => done()));
    const freed = orAborted(closed.then(() => (said.includes(WORDS.later) ? orAborted(pass(THEIR_TURN_MS), signal) : undefined)), signal);
    const answer = (more = ''): void => {
      clearTimeout(silent);
      resolve({ holder: `another hangup on this machine${more}`, freed });
    };
    // One that was stopped, in a terminal or a debugger, holds it as well: whoever waits keeps no place meanwhile.
    const silent = setTimeout(answer, ANSWER_MS, ' (it does not answer)');
    void freed.then(() => peer.destroy());
    peer.on('error', () => {});
    peer.write(`${sinceMs}\n`);
    peer.on('data', (text: Buffer) => {
      said += text.toString('latin1');
      // One that gives it back just then says no more than that.
      const [pid] = /^\d+/.exec(said) ?? [];
      if (pid !== undefined) answer(`, process ${pid}`);
    });
    void closed.then(() => answer());
    if (signal?.aborted) peer.destroy();
  });

/** Its name is free before anybody is told; then the one that has waited longest, and the others. */
const giveUp = (held: Held): void => {
  held.isOver = true;
  held.server.close();
  const waiting = [...held.peers].sort(([, a], [, b]) => a - b).map(([peer]) => peer);
  for (const [place, peer] of waiting.entries()) peer.end(place === 0 ? WORDS.next : WORDS.later);
  held.over.resolve();
};

/** For one process; null where the system has no such names, and invocations do not hear of each other. */
export const createMachineLocks = (platform: NodeJS.Platform = process.platform): MachineLocks | null => {
  if (platform !== 'linux') return null;
  const all = new Map<string, Promise<Held | null>>();
  const theirsUntilMs = new Map<string, number>();

  const forget = (name: string, asked: Promise<Held | null> | undefined): void => {
    if (all.get(name) === asked) all.delete(name);
  };

  const release = (name: string, held: Held): void => {
    held.count -= 1;
    if (held.count > 0) return;
    all.delete(name);
    if (held.peers.size > 0) theirsUntilMs.set(name, nowMs() + THEIR_TURN_MS);
    giveUp(held);
  };

  const bindInTurn = async (name: string): Promise<Held | null> => {
    const waitMs = (theirsUntilMs.get(name) ?? 0) - nowMs();
    theirsUntilMs.delete(name);
    if (waitMs > 0) await pass(waitMs);
    return bind(name);
  };

  /** Null: it is elsewhere. `isOurs` false: it is held here, and somebody elsewhere comes first: else runs that overlap would keep it for ever. */
  const takeOne = async (name: string, sinceMs: number): Promise<{ readonly held: Held; readonly isOurs: boolean } | null> => {
    for (;;) {
      const asked = all.get(name) ?? bindInTurn(name);
      all.set(name, asked);
      const held = await asked.catch((error: unknown) => {
        forget(name, asked);
        throw error;
      });
      if (held === null) {
        forget(name, asked);
        return null;
      }
      // It was given back while we came to it.
      if (held.isOver) continue;
      const isOurs = held.count === 0 || [...held.peers.values()].every((theirsMs) => theirsMs >= sinceMs);
      if (isOurs) held.count += 1;
      return { held, isOurs };
    }
  };

  const take: MachineLocks['take'] = async (names, signal, sinceMs = nowMs()) => {
    const got: [string, Held][] = [];
    const giveBack = (): void => got.splice(0).forEach(([name, held]) => release(name, held));
    // In one order: of two who want the same two, the first refused holds nothing of the other's.
    for (const name of [...names].sort()) {
      const one = await takeOne(name, sinceMs).catch((error: unknown) => {
        giveBack();
        throw error;
      });
      if (one?.isOurs) {
        got.push([name, one.held]);
        continue;
      }
      giveBack();
      if (one === null) return { name, ...(await awaitFreed(name, sinceMs, signal)) };
      return { name, holder: 'runs of this one, after which it is the turn of another hangup on this machine', freed: orAborted(one.held.over.promise, signal) };
    }
    return { release: giveBack };
  };
  return { take };
};
