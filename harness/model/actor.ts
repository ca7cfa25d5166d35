// The program side of the protocol: reads commands from stdin, writes replies and facts to stdout.
// Lines are queued in bounded memory and written from their own turn of the loop, so that a slow
// reader never stalls the socket that is observed; what had to be dropped is itself reported.
import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import { Socket } from 'node:net';
import { onLines } from './lines.ts';
import type { Fact } from './observation.ts';
import { messageOf } from './problem.ts';
import type { Command, Handler } from './protocol.ts';
import { nowMs, toMicroseconds } from './time.ts';

const MAXIMUM_QUEUED_BYTES = 8 * 1024 * 1024;
/** By then what is used from the start has been compiled, and nothing of a run is decided yet. */
const KEEP_COMPILED_MS = 1_000;
const LAG_PERIOD_MS = 20;
const LAG_REPORT_MS = 250;

/** Stamps and sends a fact. `atMs` (absolute) only where the moment was noted earlier. */
export type Emit = (actor: string, fact: Fact, atMs?: number) => void;

export type Actor = {
  readonly emit: Emit;
  readonly reply: (line: object) => void;
  /** Writes whole lines of another process as they are; resolves when there is room for more. Nothing is dropped. */
  readonly pass: (lines: Uint8Array) => Promise<void>;
};

type Output = { readonly write: (line: string) => void; readonly pass: Actor['pass'] };

const createOutput = (descriptor: number, onDropped: (count: number) => void): Output => {
  // Not process.stdout: that one writes to pipes synchronously and would stall the loop.
  const stream = new Socket({ fd: descriptor, readable: false, writable: true });
  stream.on('error', () => process.exit(0));
  // Each process that is passed through may wait for room.
  stream.setMaxListeners(0);
  let queue: string[] = [];
  let dropped = 0;
  let scheduled = false;
  const flush = (): void => {
    scheduled = false;
    if (queue.length > 0) stream.write(queue.join(''));
    queue = [];
    if (dropped > 0 && stream.writableLength < MAXIMUM_QUEUED_BYTES / 2) {
      const count = dropped;
      dropped = 0;
      onDropped(count);
    }
  };
  return {
    write: (line) => {
      if (stream.writableLength > MAXIMUM_QUEUED_BYTES) {
        dropped += 1;
        return;
      }
      queue.push(line, '\n');
      if (!scheduled) {
        scheduled = true;
        setImmediate(flush);
      }
    },
    pass: async (lines) => {
      flush();
      if (!stream.write(lines)) await once(stream, 'drain');
    },
  };
};

/** Reports the largest oversleep of a short timer: the process's own scheduling lag. */
const watchLag = (name: string, emit: Emit): void => {
  let dueMs = nowMs() + LAG_PERIOD_MS;
  let largestMs = 0;
  let reportMs = nowMs() + LAG_REPORT_MS;
  const timer = setInterval(() => {
    const now = nowMs();
    largestMs = Math.max(largestMs, now - dueMs);
    dueMs = now + LAG_PERIOD_MS;
    if (now < reportMs) return;
    emit(`lag.${name}`, { type: 'scheduling-lag', process: name, lagMs: toMicroseconds(largestMs) });
    largestMs = 0;
    reportMs = now + LAG_REPORT_MS;
  }, LAG_PERIOD_MS);
  timer.unref();
};

/**
 * Runs an actor on this process's stdin and stdout until stdin ends.
 * @param name the process's name in the stage, e.g. `upstreams`
 * @param start given the actor, returns the handlers by command (`do`)
 * @param forward is shown each command with its line first; true: it belonged to another process and was passed on
 */
export const runActor = (
  name: string,
  start: (actor: Actor) => Readonly<Record<string, Handler>>,
  forward: (command: Command, line: string) => boolean = () => false,
): void => {
  const sequence = new Map<string, number>();
  const emit: Emit = (actor, fact, atMs = nowMs()) => {
    const seq = (sequence.get(actor) ?? 0) + 1;
    sequence.set(actor, seq);
    output.write(JSON.stringify({ at: toMicroseconds(atMs), actor, seq, ...fact }));
  };
  const output = createOutput(1, (count) => emit(`lag.${name}`, { type: 'events-dropped', process: name, count }));
  const reply = (line: object): void => output.write(JSON.stringify(line));
  const handlers: Readonly<Record<string, Handler>> = {
    // The echo by which the harness measures the distance of the clocks.
    ping: () => ({ nowMs: nowMs() }),
    ...start({ emit, reply, pass: output.pass }),
  };
  const run = async (command: Command): Promise<void> => {
    try {
      const handler = handlers[command.do];
      if (!handler) throw new Error(`${name} has no command ${command.do}`);
      reply({ re: command.id, ok: true, value: await handler(command) });
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'failed';
      reply({ re: command.id, ok: false, code, message: messageOf(error) });
    }
  };
  const receive = (line: string): void => {
    const command = JSON.parse(line) as Command;
    if (!forward(command, line)) void run(command);
  };
  onLines(process.stdin, receive, () => process.exit(0));
  watchLag(name, emit);
  // Node keeps it when a process ends by itself; an actor is killed together with its stage. Costs nothing where it is kept already.
  setTimeout(flushCompileCache, KEEP_COMPILED_MS).unref();
};
