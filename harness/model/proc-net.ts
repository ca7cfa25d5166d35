// The kernel's socket table as rows: /proc/<pid>/net/tcp and tcp6 of one network namespace. Clients
// prove their own acts by it and the socket probe samples it, so the format is known in one place.
// A read walks the host's whole hash table (2.3 ms even when empty, 36 ms at 5,000 sockets).
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { SocketAddress } from 'node:net';
import { endianness } from 'node:os';
import type { SocketRow, SocketState } from './samples.ts';

/** Numbers of include/net/tcp_states.h. 12 is a request not yet accepted, for us the same as 3. */
const STATES: Readonly<Record<number, SocketState>> = {
  1: 'established', 2: 'syn-sent', 3: 'syn-received', 4: 'fin-wait-1', 5: 'fin-wait-2', 6: 'time-wait',
  7: 'close', 8: 'close-wait', 9: 'last-ack', 10: 'listen', 11: 'closing', 12: 'syn-received',
};

const LITTLE_ENDIAN = endianness() === 'LE';

/** The kernel prints each 32-bit word in the machine's own byte order. */
const bytesOf = (hex: string): readonly number[] => {
  const bytes: number[] = [];
  for (let word = 0; word < hex.length; word += 8) {
    const four = [0, 2, 4, 6].map((at) => Number.parseInt(hex.slice(word + at, word + at + 2), 16));
    bytes.push(...(LITTLE_ENDIAN ? four.reverse() : four));
  }
  return bytes;
};

/** `127.0.0.2`, or `2001:db8::1`; an IPv4 address mapped into IPv6 comes back as the IPv4 one. */
const formatAddress = (hex: string): string => {
  const bytes = bytesOf(hex);
  if (bytes.length === 4) return bytes.join('.');
  const mapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  if (mapped) return bytes.slice(12).join('.');
  const groups = bytes.flatMap((byte, at) => (at % 2 === 0 ? [((byte << 8) | bytes[at + 1]!).toString(16)] : []));
  return new SocketAddress({ address: groups.join(':'), family: 'ipv6' }).address;
};

const endpointOf = (address: string, port: string): string =>
  `${address.includes(':') ? `[${address}]` : address}:${Number.parseInt(port, 16)}`;

/**
 * Rows of one table's text. Columns up to the queues have fixed widths, so a row is cut by position
 * and its addresses are looked up before anything else is made of it: most rows are somebody else's.
 * @param isWanted asked with the local and the remote address of each row; default: all rows
 */
export const parseSocketTable = (text: string, isWanted: (address: string) => boolean = () => true): SocketRow[] => {
  const rows: SocketRow[] = [];
  const known = new Map<string, string>();
  const addressOf = (hex: string): string => {
    const found = known.get(hex) ?? formatAddress(hex);
    known.set(hex, found);
    return found;
  };
  let start = text.indexOf('\n') + 1;
  while (start > 0 && start < text.length) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const at = text.indexOf(': ', start) + 2;
    const width = text.indexOf(':', at) - at;
    const remoteAt = at + width + 6;
    const local = addressOf(text.slice(at, at + width));
    const remote = addressOf(text.slice(remoteAt, remoteAt + width));
    if (width > 0 && at < end && (isWanted(local) || isWanted(remote))) {
      const rest = text.slice(remoteAt + width + 6, end);
      rows.push({
        local: endpointOf(local, text.slice(at + width + 1, at + width + 5)),
        remote: endpointOf(remote, text.slice(remoteAt + width + 1, remoteAt + width + 5)),
        state: STATES[Number.parseInt(rest.slice(0, 2), 16)] ?? 'close',
        sendQueue: Number.parseInt(rest.slice(3, 11), 16),
        receiveQueue: Number.parseInt(rest.slice(12, 20), 16),
        inode: Number(rest.trim().split(/\s+/)[6]),
      });
    }
    start = newline < 0 ? 0 : newline + 1;
  }
  return rows;
};

const BUFFER = Buffer.allocUnsafeSlow(64 * 1024);
/** The kernel fills a page (seq_file.c) with as many whole rows as fit. */
const PAGE_BYTES = 4_096;
/** More than any row has. */
const ROW_BYTES = 256;

/**
 * The text of a table. A page with room for another row was the last one; asking for what follows it
 * would walk the whole hash table once more, which is all that a read costs.
 */
const readTable = (path: string): string => {
  const file = openSync(path, 'r');
  try {
    let text = '';
    for (;;) {
      const size = readSync(file, BUFFER);
      text += BUFFER.toString('latin1', 0, size);
      if (size <= PAGE_BYTES - ROW_BYTES) return text;
    }
  } finally {
    closeSync(file);
  }
};

/** Folders in whose namespace a socket of IPv6 was ever seen: of one that has gone there may be a row left. */
const withSix = new Set<string>();

/** Whether the second table can have rows: the namespace's own count costs next to nothing, the table as much as the first. */
const mayHaveSix = (folder: string): boolean => {
  if (withSix.has(folder)) return true;
  try {
    if (/^TCP6: inuse 0$/m.test(readFileSync(`${folder}/sockstat6`, 'latin1'))) return false;
  } catch {
    // It cannot be told.
  }
  withSix.add(folder);
  return true;
};

/**
 * All TCP sockets of a network namespace that have one of the addresses at either end.
 * Synchronous: the rows are wanted as of one moment, and whoever calls has nothing better to do.
 * @param folder `/proc/<pid>/net` of a process in that namespace
 * @throws Error when the table cannot be read (no /proc)
 */
export const readSocketTable = (isWanted?: (address: string) => boolean, folder = '/proc/self/net'): SocketRow[] => {
  const rows = parseSocketTable(readTable(`${folder}/tcp`), isWanted);
  if (!mayHaveSix(folder)) return rows;
  try {
    rows.push(...parseSocketTable(readTable(`${folder}/tcp6`), isWanted));
  } catch (error) {
    // A kernel without IPv6 has no such file, and then no such sockets.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return rows;
};
