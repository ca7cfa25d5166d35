// The stage's own network: one loopback device that behaves like a real link, an address for
// everybody. Runs inside the namespace (as PID 1's module), so it uses Node and `ip` only.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

/** MTU of an Ethernet link: with the loopback's own 64 KiB a sender blocks only after megabytes. */
const LINK_MTU_BYTES = 1500;
/** Minimum, default and maximum receive buffer, bytes: "stop reading" is felt after some 130 KB. */
const RECEIVE_BUFFERS = '4096 16384 16384';

const ip = (lines: readonly string[]): void => {
  const run = spawnSync('ip', ['-batch', '-'], { input: `${lines.join('\n')}\n`, encoding: 'utf8' });
  if (run.error) throw run.error;
  if (run.status !== 0) throw new Error(`ip ${lines[0]}: ${(run.stderr || run.stdout).trim()}`);
};

/**
 * Brings `lo` up with the addresses (each a /32).
 * @returns what could not be set and why; the stage is usable all the same
 * @throws Error with the words of `ip` when the device or an address cannot be set
 */
export const raiseNetwork = (addresses: readonly string[]): readonly string[] => {
  ip([`link set lo mtu ${LINK_MTU_BYTES} up`, ...addresses.map((address) => `addr add ${address}/32 dev lo`)]);
  try {
    writeFileSync('/proc/sys/net/ipv4/tcp_rmem', RECEIVE_BUFFERS);
    return [];
  } catch (error) {
    return [`receive buffers stay large: ${error instanceof Error ? error.message : String(error)}`];
  }
};

/** @throws Error with the words of `ip` */
export const addAddress = (address: string): void => ip([`addr add ${address}/32 dev lo`]);

/** The peer sees nothing of it: no FIN, no RST, and its connection stays established. */
export const removeAddress = (address: string): void => ip([`addr del ${address}/32 dev lo`]);
