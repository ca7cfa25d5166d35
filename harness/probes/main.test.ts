// The probes' process as the stage runs it: commands in, replies and facts out.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, createConnection } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { onLines } from '../model/lines.ts';
import type { LedgerValue, SocketsValue } from '../model/samples.ts';
import { createLedger, QUERIES, temporaryFolder, until } from './fixture.ts';

type Line = {
  re?: number; ok?: boolean; value?: unknown; message?: string; code?: string;
  type?: string; probe?: string; mark?: string; actor?: string; error?: string;
};

const startProbes = (): { ask: (command: object) => Promise<Line>; lines: Line[] } => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: Line[] = [];
  onLines(child.stdout, (line) => void lines.push(JSON.parse(line) as Line));
  onTestFinished(async () => {
    const exit = once(child, 'exit');
    child.stdin.end();
    await exit;
  });
  let id = 0;
  const ask = async (command: object): Promise<Line> => {
    id += 1;
    const own = id;
    child.stdin.write(`${JSON.stringify({ id: own, to: 'probes', ...command })}\n`);
    await until(`the reply to ${JSON.stringify(command)}`, () => lines.some((line) => line.re === own));
    return lines.find((line) => line.re === own)!;
  };
  return { ask, lines };
};

it('samples a ledger at a mark and by the clock, as replies and as facts', async () => {
  const { ask, lines } = startProbes();
  const { path } = createLedger('wal');
  expect(await ask({ do: 'configure', probe: 'ledger', config: { path, queries: QUERIES, terminal: ['charged'] } }))
    .toMatchObject({ ok: true, value: { marksOnly: false } });
  const reply = await ask({ do: 'sample', probe: 'ledger', mark: 'baseline' });
  expect((reply.value as LedgerValue).reservations[0]!.id).toBe('7');
  const fact = lines.find((line) => line.type === 'sample');
  expect(fact).toMatchObject({ actor: 'probe.ledger', seq: 1, mark: 'baseline', value: reply.value });
  await ask({ do: 'start', probe: 'ledger', everyMs: 10 });
  await until('samples by the clock', () => lines.filter((line) => line.type === 'sample' && line.mark === undefined).length >= 3);
  const statements = [{ sql: "UPDATE reservations SET state = 'charged'" }];
  expect(await ask({ do: 'sql', path, statements })).toMatchObject({ value: { changes: [1] } });
  const after = await ask({ do: 'sample', probe: 'ledger' });
  expect((after.value as LedgerValue).reservations[0]!.terminal).toBe(true);
  expect(await ask({ do: 'halt', probe: 'ledger' })).toMatchObject({ ok: true });
});

it.each([['delete', 0], ['wal', 1]] as const)('a look that must be harmless: of a ledger in journal mode %s %i samples', async (journal, count) => {
  const { ask, lines } = startProbes();
  const { path } = createLedger(journal);
  await ask({ do: 'configure', probe: 'ledger', config: { path, queries: QUERIES, terminal: ['charged'] } });
  expect(await ask({ do: 'sample', probe: 'ledger', mark: 'gone', onlyHarmless: true })).toMatchObject({ ok: true });
  expect(lines.filter((line) => line.type === 'sample')).toHaveLength(count);
});

it('keeps other probes going while a writer waits for the ledger', async () => {
  const { ask, lines } = startProbes();
  const { path, database } = createLedger('wal');
  database.exec('BEGIN IMMEDIATE');
  const waiting = ask({ do: 'sql', path, statements: [{ sql: 'DELETE FROM reservations' }] });
  await ask({ do: 'configure', probe: 'process', config: { roots: { me: process.pid } } });
  for (let round = 0; round < 3; round += 1) expect(await ask({ do: 'sample', probe: 'process' })).toMatchObject({ ok: true });
  expect(lines.some((line) => line.re === 1)).toBe(false);
  database.exec('ROLLBACK');
  expect(await waiting).toMatchObject({ ok: true, value: { changes: [1] } });
});

it('sees both ends of a connection of the address that was asked for, and no other', async () => {
  const { ask } = startProbes();
  const listener = createServer().listen(0, '127.7.7.7');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const client = createConnection({ port, host: '127.7.7.7', localAddress: '127.7.7.8' });
  onTestFinished(() => {
    client.destroy();
    listener.close();
  });
  await once(client, 'connect');
  await ask({ do: 'configure', probe: 'sockets', config: { addresses: ['127.7.7.7'] } });
  const { rows } = (await ask({ do: 'sample', probe: 'sockets' })).value as SocketsValue;
  const own = { local: `127.7.7.7:${port}`, remote: `127.7.7.8:${client.localPort}`, state: 'established' };
  expect(rows).toContainEqual(expect.objectContaining(own));
  expect(rows).toContainEqual(expect.objectContaining({ ...own, local: own.remote, remote: own.local }));
  expect(rows.every((row) => row.local.startsWith('127.7.7.7:') || row.remote.startsWith('127.7.7.7:'))).toBe(true);
});

it('answers a failing sample with its error, and states it as a fact', async () => {
  const { ask, lines } = startProbes();
  await ask({ do: 'configure', probe: 'ledger', config: { path: '/nowhere/ledger.db', queries: QUERIES, terminal: [] } });
  const reply = await ask({ do: 'sample', probe: 'ledger', mark: 'gone' });
  expect(reply).toMatchObject({ ok: false, message: 'no database at /nowhere/ledger.db' });
  expect(lines.find((line) => line.type === 'sample')).toMatchObject({ mark: 'gone', error: 'no database at /nowhere/ledger.db' });
});

it('refuses what it does not know by name, and writes files of the stage', async () => {
  const { ask } = startProbes();
  expect(await ask({ do: 'configure', probe: 'weather' }))
    .toMatchObject({ ok: false, message: 'no probe weather; there are ledger, sockets, process, http' });
  expect(await ask({ do: 'sample', probe: 'http' })).toMatchObject({ ok: false, message: 'probe http has not been configured' });
  await ask({ do: 'configure', probe: 'process', config: { roots: {} } });
  expect(await ask({ do: 'start', probe: 'process', everyMs: 0 })).toMatchObject({ ok: false });
  expect(await ask({ do: 'http', url: 'http://127.0.0.1:1/' })).toMatchObject({ ok: false, code: 'ECONNREFUSED' });
  const path = join(temporaryFolder(), 'made/config.yaml');
  await ask({ do: 'write', path, text: 'port: 1\n' });
  expect(readFileSync(path, 'utf8')).toBe('port: 1\n');
  await ask({ do: 'write', path, text: Buffer.from([0, 255, 10]).toString('base64'), encoding: 'base64' });
  expect([...readFileSync(path)]).toEqual([0, 255, 10]);
});
