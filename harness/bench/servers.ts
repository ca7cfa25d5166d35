// The servers that are measured, each in a process of its own: our upstreams, spoken to by the
// protocol as in a stage, and the bare ones of peer.ts.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Emitted } from '../model/protocol.ts';
import { createLink } from '../runtimes/link.ts';
import { within } from './measure.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const QUIET = '--disable-warning=ExperimentalWarning';
const START_LIMIT_MS = 20_000;

export type Server = { readonly port: number; readonly pid: number } & AsyncDisposable;

/** Ends a child that we started, and waits until it has ended. */
const ending = (child: ChildProcess) => async (): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'exit');
  child.kill('SIGKILL');
  await closed;
};

/** @param onFact is told of every fact of the upstream */
export const startOurs = async (behaviour: { kind: string; options?: object }, onFact: (fact: Emitted) => void = () => {}): Promise<Server> => {
  const child = spawn(process.execPath, [QUIET, join(ROOT, 'upstreams/main.ts')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const link = createLink((line) => child.stdin.write(`${line}\n`), onFact, () => {});
  child.stdout.on('data', (chunk: Buffer) => link.feed(chunk));
  child.on('exit', () => link.end('the upstreams have ended'));
  const plan = { do: 'listen', upstream: 'model', address: '127.0.0.1', port: 0, behaviour: { options: {}, ...behaviour } };
  const { port } = (await link.send('upstreams', plan, START_LIMIT_MS)) as { readonly port: number };
  return { port, pid: child.pid!, [Symbol.asyncDispose]: ending(child) };
};

export type Peer = Server & {
  /** Sends a message and waits for the answer. */
  readonly ask: (message: object, limitMs: number) => Promise<unknown>;
};

export const startPeer = async (kind: 'close' | 'silent' | 'flood'): Promise<Peer> => {
  const child = spawn(process.execPath, [QUIET, join(import.meta.dirname, 'peer.ts'), kind], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const answer = async (limitMs: number, what: string): Promise<unknown> => {
    const [message] = (await within(once(child, 'message'), limitMs, what)) as unknown[];
    return message;
  };
  const { port } = (await answer(START_LIMIT_MS, `the bare server (${kind})`)) as { readonly port: number };
  return {
    port,
    pid: child.pid!,
    ask: (message, limitMs) => {
      const answered = answer(limitMs, `the bare server's answer (${kind})`);
      child.send(message);
      return answered;
    },
    [Symbol.asyncDispose]: ending(child),
  };
};

/** Resident memory of a process, bytes. @throws Error where there is no /proc */
export const residentBytes = (pid: number): number => {
  const match = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
  if (!match) throw new Error(`/proc/${pid}/status tells no resident memory`);
  return Number(match[1]) * 1024;
};

/** Most files that a child may open; Node raises its own soft limit to the hard one when it starts. */
export const openFilesLimit = (): number => {
  const match = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'));
  return match ? Number(match[1]) : Number.POSITIVE_INFINITY;
};
