// What this machine can do for a run, as data: each check says what it found and, where that is not
// enough, what to do. Nothing is changed and nothing outside the machine is asked.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { messageOf } from '../model/problem.ts';
import { connectEngine, createDockerRuntime } from './docker.ts';
import { findFakeTime } from './fake-time.ts';
import { complaintOf, findIsolation } from './isolation.ts';

export type Check = {
  readonly name: string;
  /** `poor`: runs are possible, but not all of them, or not as they should be. */
  readonly state: 'ok' | 'poor' | 'missing';
  readonly detail: string;
  readonly hint?: string;
};

const MINIMUM_NODE = 24;
const MINIMUM_FILES = 4_096;
const MINIMUM_DISK_BYTES = 1024 ** 3;

const node = (): Check => {
  const major = Number(process.versions.node.split('.')[0]);
  return major >= MINIMUM_NODE
    ? { name: 'node', state: 'ok', detail: process.version }
    : { name: 'node', state: 'missing', detail: process.version, hint: `Node ${MINIMUM_NODE} or newer is needed; npm install brings one` };
};

const program = (name: string, args: readonly string[], hint: string): Check => {
  const complaint = complaintOf(name, args);
  return complaint === null ? { name, state: 'ok', detail: 'found' } : { name, state: 'poor', detail: complaint, hint };
};

const namespaces = (): Check => {
  const { kind, why, hint } = findIsolation();
  const detail = kind === 'namespace' ? why : `${why}; whom a system asks for outside is neither refused nor seen`;
  return { name: 'namespaces', state: kind === 'namespace' ? 'ok' : 'poor', detail, ...(hint === undefined ? {} : { hint }) };
};

/** The soft limit counts: it is what sockets run into. */
const openFiles = (): Check => {
  const limit = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
  const count = limit === 'unlimited' ? Infinity : Number(limit);
  const found = { name: 'open files', detail: `at most ${limit}` };
  if (count >= MINIMUM_FILES) return { ...found, state: 'ok' };
  return { ...found, state: 'poor', hint: `ulimit -n ${MINIMUM_FILES} (rows with many clients need as many sockets)` };
};

const disk = async (): Promise<Check> => {
  const { bavail, bsize } = await statfs(tmpdir());
  const free = bavail * bsize;
  const found = { name: 'disk', detail: `${(free / 1024 ** 3).toFixed(1)} GiB free in ${tmpdir()}` };
  return free >= MINIMUM_DISK_BYTES ? { ...found, state: 'ok' } : { ...found, state: 'poor', hint: 'make room, or set TMPDIR' };
};

/** Whether socket tables of stages can be kept small; without it each look at the sockets costs 3.5 ms. */
const socketTables = (): Check => {
  try {
    readFileSync('/proc/sys/net/ipv4/tcp_child_ehash_entries');
    return { name: 'socket tables', state: 'ok', detail: 'can be kept small' };
  } catch {
    const hint = 'a kernel of 6.1 or newer samples sockets faster';
    return { name: 'socket tables', state: 'poor', detail: 'cannot be kept small', hint };
  }
};

/** Scenarios with an instance whose clock is wrong do not apply without it. */
const wrongClocks = (): Check => {
  const { library, why, hint } = findFakeTime();
  const name = 'wrong clocks';
  return library === null ? { name, state: 'poor', detail: why, hint } : { name, state: 'ok', detail: library };
};

const engine = async (): Promise<readonly Check[]> => {
  const { available, why, hint } = await createDockerRuntime().probe();
  if (!available) return [{ name: 'engine', state: 'poor', detail: why, ...(hint === undefined ? {} : { hint }) }];
  return [{ name: 'engine', state: 'ok', detail: why }, await sameKernel()];
};

/** On one kernel all stamps come from one clock; else its distance is measured in each run. */
const sameKernel = async (): Promise<Check> => {
  try {
    const { KernelVersion } = await (await connectEngine()).version();
    const own = readFileSync('/proc/sys/kernel/osrelease', 'utf8').trim();
    if (KernelVersion === own) return { name: 'clock', state: 'ok', detail: `the engine runs on this kernel, ${own}` };
    const hint = 'the distance of the clocks is measured in each run; processes of the system are looked at from beside it';
    return { name: 'clock', state: 'poor', detail: `the engine runs on ${KernelVersion}, this is ${own}`, hint };
  } catch (error) {
    return { name: 'clock', state: 'poor', detail: messageOf(error) };
  }
};

/** All checks, in the order in which to read them. None throws. */
export const examine = async (): Promise<readonly Check[]> => {
  if (process.platform !== 'linux') {
    const hint = 'plain processes need Linux; use --runtime docker';
    return [node(), { name: 'platform', state: 'poor', detail: process.platform, hint }, await disk(), ...(await engine())];
  }
  return [
    node(),
    program('unshare', ['--version'], 'install util-linux, so that a stage can have a network of its own'),
    program('setpriv', ['--pdeathsig', 'KILL', 'true'], 'install util-linux, so that the kernel ends a stage with the harness'),
    program('ip', ['-V'], 'install iproute2, so that a stage can have addresses'),
    namespaces(),
    socketTables(),
    wrongClocks(),
    program('tcpdump', ['--version'], 'install tcpdump, so that --pcap can keep the packets of plain processes'),
    openFiles(),
    await disk(),
    ...(await engine()),
  ];
};
