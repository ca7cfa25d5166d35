// What the kernel says about one socket of this process: the proof of a client's act.
import { readFileSync } from 'node:fs';
import { readSocketTable } from '../model/proc-net.ts';
import type { SocketRow } from '../model/samples.ts';
import type { SocketLook } from './step.ts';

/** In these states the peer's FIN is in the queue or behind it, and the kernel counts it as one byte. */
const AFTER_FIN: readonly string[] = ['close-wait', 'last-ack', 'closing', 'time-wait'];

/** `127.0.0.2:8000`, as the socket table writes it. */
export const endpointOf = (address: string, port: number): string =>
  `${address.includes(':') ? `[${address}]` : address}:${port}`;

let rowsOfTurn: readonly SocketRow[] | null = null;

/** The socket table, read once in a turn of the loop however many ask. */
export const rowsOfThisTurn = (): readonly SocketRow[] => {
  if (rowsOfTurn === null) {
    rowsOfTurn = readSocketTable();
    setImmediate(() => (rowsOfTurn = null));
  }
  return rowsOfTurn;
};

/** The state of the row with these ends, or `gone`, and the bytes that nobody has read. */
export const lookAt = (
  local: string,
  peer: string,
  localAddress: string,
  rows: readonly SocketRow[] = readSocketTable((address) => address === localAddress),
): SocketLook => {
  const row = rows.find((each) => each.local === local && each.remote === peer);
  if (!row) return { local, state: 'gone', unreadBytes: 0 };
  const fin = AFTER_FIN.includes(row.state) && row.receiveQueue > 0 ? 1 : 0;
  return { local, state: row.state, unreadBytes: row.receiveQueue - fin };
};

/**
 * How often a close in this namespace sent RST because data was unread (TCPAbortOnClose of
 * /proc/net/netstat). Null where the kernel does not say. A closed socket whose row has gone may
 * have sent either; this tells which.
 */
export const countAbortsOnClose = (): number | null => {
  try {
    const lines = readFileSync('/proc/self/net/netstat', 'latin1')
      .split('\n')
      .filter((line) => line.startsWith('TcpExt:'));
    const at = lines[0]?.split(' ').indexOf('TCPAbortOnClose') ?? -1;
    return at < 0 ? null : Number(lines[1]?.split(' ')[at]);
  } catch {
    return null;
  }
};
