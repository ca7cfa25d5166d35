// An address for everybody in a stage. In a namespace all stages can use the same ones; under
// plain loopback each stage has its own, and the system a port that nobody else has.
import { readFileSync } from 'node:fs';
import { problem } from '../model/problem.ts';

export type Addresses = {
  readonly all: Readonly<Record<string, string>>;
  /** @throws ProblemError `unknown-name`: a mistake of the harness */
  readonly of: (name: string) => string;
};

/** The system has an address whether it was named or not. */
const withSystem = (names: readonly string[]): readonly string[] => [...new Set(['system', ...names])];

const addressesOf = (all: Readonly<Record<string, string>>): Addresses => ({
  all,
  of: (name) => {
    const address = all[name];
    if (address === undefined) throw problem('harness', 'unknown-name', `${name} has no address in this stage`);
    return address;
  },
});

/** `10.213.0.1` and on: from a private range, the same in every namespace. */
export const namespaceAddresses = (names: readonly string[]): Addresses =>
  addressesOf(Object.fromEntries(withSystem(names).map((name, index) => [name, `10.213.${(index + 1) >> 8}.${(index + 1) & 255}`])));

let loopbackStages = 0;

/** `127.x.y.z`: x and y from this process and the count of its stages, so that two harnesses rarely meet. */
export const loopbackAddresses = (names: readonly string[]): Addresses => {
  const block = (process.pid * 64 + loopbackStages++) % (250 * 250);
  const prefix = `127.${2 + Math.floor(block / 250)}.${2 + (block % 250)}`;
  return addressesOf(Object.fromEntries(withSystem(names).map((name, index) => [name, `${prefix}.${index + 1}`])));
};

const FIRST_PORT = 12_000;
const DEFAULT_EPHEMERAL_PORT = 32_768;

const firstEphemeralPort = (): number => {
  try {
    return Number(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').trim().split(/\s+/)[0]);
  } catch {
    return DEFAULT_EPHEMERAL_PORT;
  }
};

/** Local ports that any socket of this network namespace holds, whatever its state. */
const portsInUse = (): ReadonlySet<number> => {
  const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => {
    try {
      return readFileSync(file, 'latin1').split('\n').slice(1);
    } catch {
      return [];
    }
  });
  return new Set(rows.map((row) => Number.parseInt(/^\s*\d+: [0-9A-F]+:([0-9A-F]{4})/.exec(row)?.[1] ?? '0', 16)));
};

const given = new Set<number>();

/**
 * A port that is free on all addresses (a system may listen on 0.0.0.0), below the ephemeral range, so that no
 * outgoing connection can take it in between. Never given twice by this process.
 */
export const takeFreePort = (): number => {
  const end = firstEphemeralPort();
  const used = portsInUse();
  const size = Math.max(1, end - FIRST_PORT);
  const offset = (process.pid * 97) % size;
  for (let step = 0; step < size; step += 1) {
    const port = FIRST_PORT + ((offset + step) % size);
    if (used.has(port) || given.has(port)) continue;
    given.add(port);
    return port;
  }
  throw problem('environment', 'no-free-port', `no free port between ${FIRST_PORT} and ${end}`, {
    hint: 'run where network namespaces can be made (hangup doctor says why they cannot), or with --runtime docker',
  });
};
