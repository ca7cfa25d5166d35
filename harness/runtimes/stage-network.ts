// The stage's own network: one loopback device that behaves like a real link, an address for
// everybody. Runs inside the namespace (as PID 1's module), so it uses Node and `ip` only.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

/** MTU of an Ethernet link: with the loopback's own 64 KiB a sender blocks only after megabytes. */
const LINK_MTU_BYTES = 1500;
/** Minimum, default and maximum receive buffer, bytes: "stop reading" is felt after some 130 KB. */
export const RECEIVE_BUFFERS = '4096 16384 16384';

const run = (args: readonly string[], input = ''): string => {
  const done = spawnSync('ip', args, { input, encoding: 'utf8' });
  if (done.error) throw done.error;
  if (done.status !== 0) throw new Error(`ip ${args.join(' ')}: ${(done.stderr || done.stdout).trim()}`);
  return done.stdout;
};

/** In one go where `ip` is that of iproute2; that of busybox knows no batches. */
const ip = (commands: readonly string[]): void => {
  const { stdout } = spawnSync('ip', ['-V'], { encoding: 'utf8' });
  if (stdout?.includes('iproute2')) run(['-batch', '-'], `${commands.join('\n')}\n`);
  else for (const command of commands) run(command.split(' '));
};

const receiveBuffers = (): string => readFileSync('/proc/sys/net/ipv4/tcp_rmem', 'utf8').trim().replaceAll(/\s+/g, ' ');

export type NetworkPlan = {
  readonly addresses: readonly string[];
  readonly system: string;
  /** Addresses that the system connects to. */
  readonly upstreams: readonly string[];
};

/** Who connects without choosing an address of its own would get the one that it connects to; this route says otherwise. */
const fromSystem = ({ system, upstreams }: NetworkPlan): readonly string[] =>
  upstreams.map((upstream) => `route replace local ${upstream}/32 dev lo table local proto kernel scope host src ${system}`);

/**
 * Brings `lo` up with the addresses (each a /32), so that the system's connections to upstreams come from its own.
 * @returns what could not be set and why; the stage is usable all the same
 * @throws Error with the words of `ip` when the device or an address cannot be set
 */
export const raiseNetwork = (plan: NetworkPlan): readonly string[] => {
  ip([
    `link set lo mtu ${LINK_MTU_BYTES} up`,
    ...plan.addresses.map((address) => `addr add ${address}/32 dev lo`),
    ...fromSystem(plan),
  ]);
  try {
    // An engine has set them already, and does not let a container write here.
    if (receiveBuffers() !== RECEIVE_BUFFERS) writeFileSync('/proc/sys/net/ipv4/tcp_rmem', RECEIVE_BUFFERS);
    return [];
  } catch (error) {
    return [`receive buffers stay large: ${error instanceof Error ? error.message : String(error)}`];
  }
};

/** @throws Error with the words of `ip` */
export const addAddress = (address: string): void => ip([`addr add ${address}/32 dev lo`]);

/** The peer sees nothing of it: no FIN, no RST, and its connection stays established. */
export const removeAddress = (address: string): void => {
  ip([`addr del ${address}/32 dev lo`]);
  // The kernel removes the route that it made with the address, but not one that was put in its place.
  spawnSync('ip', ['route', 'del', 'local', `${address}/32`, 'dev', 'lo', 'table', 'local']);
};
