// Faults that last: done on real upstreams and a real ledger, undone when their time is over, and when the run is ended.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chat, MARKER, openPeer, OTHER_MARKER } from '../../upstreams/fixture.ts';
import { createLiveTimeline } from '../model/live.ts';
import { createHolds } from '../probes/holds.ts';
import type { FaultContext } from './fault.ts';
import { createContext, fire, startModel } from './fixture.ts';

const edgesOf = (context: FaultContext): readonly string[] =>
  context.timeline.seal().of('fault-held').map(({ fault, edge }) => `${fault} ${edge}`);

const heldBegan = (context: FaultContext): Promise<unknown> =>
  context.timeline.waitFor((seen) => seen.some(({ type }) => type === 'fault-held') || undefined, 10_000);

describe('upstream-reset and upstream-finish of one client', () => {
  it('reset what is open, and say how much that was', async () => {
    const { port, context } = await startModel();
    const [alice, bob] = [openPeer(port, chat()), openPeer(port, chat({ user: OTHER_MARKER }))];
    await Promise.all([alice.awaitText(MARKER), bob.awaitText(OTHER_MARKER)]);
    expect(await fire('upstream-reset', context, { upstream: 'model', client: 'alice' })).toBe('model reset 1 open exchanges of alice');
    expect(await alice.awaitEnd()).toBe('rst');
    expect(bob.ended()).toBeNull();
    expect(await fire('upstream-finish', context, { upstream: 'model', client: 'bob' })).toBe('model finished 1 open exchanges of bob');
    await bob.awaitText('[DONE]');
    await openPeer(port, chat()).awaitText(MARKER);
    expect(await fire('upstream-reset', context, { upstream: 'model' })).toBe('model reset 1 open exchanges');
  });

  it('fail where there is nothing to reset: then nothing was provoked', async () => {
    const { context } = await startModel();
    await expect(fire('upstream-reset', context, { upstream: 'model' })).rejects.toThrow('model had no open exchange');
    await expect(fire('upstream-reset', context, { upstream: 'other' })).rejects.toThrow('there is no upstream other');
  });
});

describe('upstream-refuse', () => {
  const attempt = async (port: number): Promise<void> => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
  };

  it('lets nobody in until its time is over', async () => {
    const { port, context } = await startModel();
    const fired = fire('upstream-refuse', context, { upstream: 'model', for: 300 });
    await heldBegan(context);
    await expect(attempt(port)).rejects.toThrow('ECONNREFUSED');
    expect(await fired).toBe('model refused connections for 300 ms');
    await attempt(port);
    expect(edgesOf(context)).toEqual(['upstream-refuse begin', 'upstream-refuse end']);
  });

  it('is undone when the run is ended, and did not last then', async () => {
    const interrupt = new AbortController();
    const { port, context } = await startModel({ signal: interrupt.signal });
    const fired = fire('upstream-refuse', context, { upstream: 'model', for: 600_000 });
    await heldBegan(context);
    interrupt.abort();
    await expect(fired).rejects.toThrow('the run was ended');
    await attempt(port);
    await expect(fire('upstream-refuse', context, { upstream: 'model', for: 1 }), 'one that comes later does nothing').rejects.toThrow('abort');
    expect(edgesOf(context)).toHaveLength(2);
  });
});

describe('partition', () => {
  it('cuts the named one off and heals it, once each', async () => {
    const calls: string[] = [];
    const context = createContext({
      cutAddress: async (name) => void calls.push(`cut ${name}`),
      healAddress: async (name) => void calls.push(`heal ${name}`),
    });
    expect(await fire('partition', context, { client: 'alice', for: 20 })).toBe('client.alice was cut off for 20 ms');
    await fire('partition', context, { upstream: 'model', for: 1 });
    expect(calls).toEqual(['cut client.alice', 'heal client.alice', 'cut upstream.model', 'heal upstream.model']);
    expect(edgesOf(context)).toEqual(Array(2).fill(['partition begin', 'partition end']).flat());
  });

  it('heals nothing that was not cut', async () => {
    const cutAddress = (): Promise<never> => Promise.reject(new Error('client.alice is cut off already'));
    const context = createContext({ cutAddress });
    await expect(fire('partition', context, { client: 'alice', for: 20 })).rejects.toThrow('cut off already');
    expect(edgesOf(context)).toEqual([]);
  });
});

describe.each(['ledger-lock', 'ledger-unavailable'])('%s', (fault) => {
  const start = (over: Partial<FaultContext> = {}): { context: FaultContext; ledger: DatabaseSync } => {
    const folder = mkdtempSync(join(tmpdir(), 'hangup-faults-'));
    const ledgerPath = join(folder, 'ledger.db');
    const ledger = new DatabaseSync(ledgerPath);
    ledger.exec('PRAGMA journal_mode = wal; CREATE TABLE accounts (id TEXT)');
    onTestFinished(() => {
      ledger.close();
      rmSync(folder, { recursive: true });
    });
    const timeline = createLiveTimeline(() => {});
    const holds = createHolds((actor, fact) => void timeline.note(fact, actor));
    const beside: FaultContext['beside'] = (command, options) =>
      command === 'ledger-hold' ? holds.hold(String(options.fault), String(options.path)) : holds.letGo(String(options.fault));
    return { ledger, context: createContext({ timeline, beside, ledgerPath, ...over }) };
  };
  const write = (ledger: DatabaseSync): void => ledger.exec("INSERT INTO accounts VALUES ('a')");

  it('is in the way of the system until its time is over', async () => {
    const { ledger, context } = start();
    const fired = fire(fault, context, { for: 300 });
    await heldBegan(context);
    expect(() => write(ledger)).toThrow(/locked|unavailable/);
    expect(await fired).toMatch(/^the ledger was (locked|unavailable) for 300 ms$/);
    write(ledger);
    expect(edgesOf(context)).toEqual([`${fault} begin`, `${fault} end`]);
  });

  it('is undone when the run is ended', async () => {
    const interrupt = new AbortController();
    const { ledger, context } = start({ signal: interrupt.signal });
    const fired = fire(fault, context, { for: 600_000 });
    await heldBegan(context);
    interrupt.abort();
    await expect(fired).rejects.toThrow('the run was ended');
    write(ledger);
  });

  it('fails by name where it cannot be: twice at once, or without a ledger', async () => {
    const { ledger, context } = start();
    const first = fire(fault, context, { for: 300 });
    await heldBegan(context);
    await expect(fire(fault, context, { for: 1 })).rejects.toThrow('is held already');
    expect(() => write(ledger), 'the first goes on').toThrow(/locked|unavailable/);
    await first;
    await expect(fire(fault, createContext(), { for: 1 })).rejects.toThrow('the card has no ledger');
  });
});
