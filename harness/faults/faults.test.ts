// Each fault against what it is done to: a real process, a real listener, a real ledger.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import type { Facts } from '../model/facts.ts';
import { createLiveTimeline } from '../model/live.ts';
import type { FaultContext, LedgerRow } from './fault.ts';
import { faults } from './registry.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const refuse = (what: string) => () => Promise.reject(new Error(`${what} is not part of this test`));

const createContext = (over: Partial<FaultContext> = {}): FaultContext => ({
  facts: {
    system: { listen: '', address: '', main: 'router', instances: [] },
    ledger: { hasReservations: true, hasCharges: true },
  } as unknown as Facts,
  timeline: createLiveTimeline(() => {}),
  signalSystem: refuse('signalSystem'),
  upstream: refuse('upstream'),
  writeRows: refuse('writeRows'),
  endSystem: refuse('endSystem'),
  startSystem: refuse('startSystem'),
  beside: refuse('beside'),
  cutAddress: refuse('cutAddress'),
  healAddress: refuse('healAddress'),
  ledgerPath: null,
  signal: new AbortController().signal,
  accountOf: (client) => (client === 'alice' ? 'account-1' : null),
  ...over,
});

const fire = (kind: string, context: FaultContext, options: object): Promise<string> =>
  faults.get(kind)!.fire(context, options as never);

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

describe('ledger-rows', () => {
  const openLedger = (): DatabaseSync => {
    const folder = mkdtempSync(join(tmpdir(), 'hangup-faults-'));
    const ledger = new DatabaseSync(join(folder, 'ledger.db'));
    cleanUps.push(
      () => rmSync(folder, { recursive: true }),
      () => ledger.close(),
    );
    ledger.exec('CREATE TABLE accounts (id TEXT PRIMARY KEY, reserved INTEGER CHECK (reserved <= 600))');
    ledger.exec(
      'CREATE TABLE reservations (id TEXT PRIMARY KEY, account TEXT, amount INTEGER, lease_at INTEGER, started_at INTEGER)',
    );
    ledger.exec("INSERT INTO accounts VALUES ('account-1', 5)");
    return ledger;
  };
  const writerTo =
    (ledger: DatabaseSync) =>
    async (rows: readonly LedgerRow[]): Promise<void> => {
      ledger.exec('BEGIN IMMEDIATE');
      try {
        for (const row of rows) {
          ledger
            .prepare('INSERT INTO reservations VALUES (?, ?, ?, ?, ?)')
            .run(row.id, row.account, row.amount, row.leaseAtMs, row.startedAtMs);
          ledger.prepare('UPDATE accounts SET reserved = reserved + ? WHERE id = ?').run(row.amount, row.account);
        }
        ledger.exec('COMMIT');
      } catch (error) {
        ledger.exec('ROLLBACK');
        throw error;
      }
    };
  const OPTIONS = { account: 'alice', amount: 250, 'lease-age': 30_000, count: 2 };

  it('adds stale rows and their aggregate, and names them', async () => {
    const ledger = openLedger();
    const context = createContext({ writeRows: writerTo(ledger) });
    const before = Date.now();
    expect(await fire('ledger-rows', context, OPTIONS)).toBe(
      "2 reservations of 250 added to alice's account, lease 30000 ms old",
    );
    const rows = ledger.prepare('SELECT * FROM reservations ORDER BY id').all() as {
      id: string;
      account: string;
      lease_at: number;
      started_at: number;
    }[];
    expect(rows.map(({ account }) => account)).toEqual(['account-1', 'account-1']);
    for (const row of rows) {
      expect(row.lease_at).toBeGreaterThanOrEqual(before - 30_000);
      expect(row.lease_at).toBeLessThanOrEqual(Date.now() - 30_000);
      expect(row.started_at).toBe(row.lease_at);
    }
    expect(ledger.prepare('SELECT reserved FROM accounts').get()).toEqual({ reserved: 505 });
    expect(context.timeline.seal().of('ledger-rows')).toMatchObject([
      { account: 'account-1', reservations: rows.map(({ id }) => id) },
    ]);
    await fire('ledger-rows', createContext({ writeRows: writerTo(ledger) }), {
      ...OPTIONS,
      count: 1,
      amount: 1,
      'started-age': 90_000,
    });
    expect(ledger.prepare('SELECT count(*) AS count, max(lease_at - started_at) AS age FROM reservations').get()).toEqual({
      count: 3,
      age: 60_000,
    });
  });

  it('names nothing where the ledger refused, and nothing is left of it', async () => {
    const ledger = openLedger();
    const context = createContext({ writeRows: writerTo(ledger) });
    await expect(fire('ledger-rows', context, { ...OPTIONS, count: 3 })).rejects.toThrow('CHECK constraint');
    expect(ledger.prepare('SELECT count(*) AS count FROM reservations').get()).toEqual({ count: 0 });
    expect(context.timeline.observations).toEqual([]);
  });

  it('refuses a client without an account, and a ledger without reservations', async () => {
    await expect(fire('ledger-rows', createContext(), { ...OPTIONS, account: 'bob' })).rejects.toThrow('bob has no account');
    const facts = { ledger: { hasReservations: false, hasCharges: true } } as unknown as Facts;
    await expect(fire('ledger-rows', createContext({ facts }), OPTIONS)).rejects.toThrow('no reservations');
  });
});
