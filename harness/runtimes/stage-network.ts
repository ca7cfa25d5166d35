// The stage's own network: one loopback device that behaves like a real link, an address for
// everybody. Runs inside the namespace (as PID 1's module), so it uses Node and `ip` only. It never
// waits for `ip` with the loop standing still: the lines of all actors pass through this process.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { messageOf } from '../model/problem.ts';

/** MTU of an Ethernet link: with the loopback's own 64 KiB a sender blocks only after megabytes. */
const LINK_MTU_BYTES = 1500;
/** Minimum, default and maximum receive buffer, bytes: "stop reading" is felt after some 130 KB. */
export const RECEIVE_BUFFERS = '4096 16384 16384';

/** @throws Error with the words of `ip` */
const run = (args: readonly string[], input = ''): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = execFile('ip', [...args], { encoding: 'utf8' }, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const words = (stderr || stdout).trim();
      reject(words === '' ? error : new Error(`ip ${args.join(' ')}: ${words}`));
    });
    // One that could not be started, or reads nothing, tells of itself by its end.
    child.stdin!.on('error', () => {});
    child.stdin!.end(input);
  });

let knowsBatches: Promise<boolean> | undefined;

/** In one go where `ip` is that of iproute2; that of busybox knows no batches. */
export const ip = async (commands: readonly string[]): Promise<void> => {
  knowsBatches ??= run(['-V']).then((version) => version.includes('iproute2'), () => false);
  if (await knowsBatches) await run(['-batch', '-'], `${commands.join('\n')}\n`);
  else for (const command of commands) await run(command.split(' '));
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
export const raiseNetwork = async (plan: NetworkPlan): Promise<readonly string[]> => {
  await ip([
    `link set lo mtu ${LINK_MTU_BYTES} up`,
    ...plan.addresses.map((address) => `addr add ${address}/32 dev lo`),
    ...fromSystem(plan),
  ]);
  try {
    // An engine has set them already, and does not let a container write here.
    if (receiveBuffers() !== RECEIVE_BUFFERS) writeFileSync('/proc/sys/net/ipv4/tcp_rmem', RECEIVE_BUFFERS);
    return [];
  } catch (error) {
    return [`receive buffers stay large: ${messageOf(error)}`];
  }
};

/** The peer sees nothing of it: no FIN, no RST, and its connection stays established. */
export const removeAddress = async (address: string): Promise<void> => {
  await ip([`addr del ${address}/32 dev lo`]);
  // The kernel removes the route that it made with the address, but not one that was put in its place.
  await run(['route', 'del', 'local', `${address}/32`, 'dev', 'lo', 'table', 'local']).catch(() => {});
};
