// The harness's end of the protocol: commands down, replies and facts up, over whatever carries
// the lines. A command whose actor has gone is told so instead of waiting for its limit.
import type { Emitted, Send, UpLine } from '../model/protocol.ts';

const DEFAULT_LIMIT_MS = 30_000;

export type Link = {
  readonly send: Send;
  /** Bytes from the stage, cut anywhere. */
  readonly feed: (chunk: Uint8Array) => void;
  /** Rejects what still waits for that actor. */
  readonly fail: (process: string, message: string) => void;
  /** The stage has ended: rejects everything, now and later. */
  readonly end: (message: string) => void;
};

type Pending = {
  readonly to: string;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
};

/** An actor's own error, with its code (`EADDRINUSE`) where it gave one. */
const errorOf = (code: string, message: string): Error => Object.assign(new Error(message), { code });

/**
 * @param write takes one line without its end
 * @param onBroken is told of a line that is not the protocol's
 */
export const createLink = (
  write: (line: string) => void,
  onFact: (fact: Emitted) => void,
  onBroken: (line: string) => void,
): Link => {
  const pending = new Map<number, Pending>();
  const decoder = new TextDecoder();
  let rest = '';
  let nextId = 1;
  let ended: string | null = null;

  const settle = (id: number, how: (one: Pending) => void): void => {
    const one = pending.get(id);
    pending.delete(id);
    if (one) how(one);
  };

  const send: Send = (to, command, limitMs = DEFAULT_LIMIT_MS) =>
    new Promise((resolve, reject) => {
      if (ended !== null) return reject(errorOf('stage-ended', `${to} ${command.do}: ${ended}`));
      const id = nextId++;
      const timer = setTimeout(() => {
        settle(id, (one) => one.reject(errorOf('no-reply', `${to} did not answer ${command.do} within ${limitMs} ms`)));
      }, limitMs);
      const clear = <T>(then: (value: T) => void) => (value: T): void => {
        clearTimeout(timer);
        then(value);
      };
      pending.set(id, { to, resolve: clear(resolve), reject: clear(reject) });
      write(JSON.stringify({ id, to, ...command }));
    });

  const receive = (line: string): void => {
    let up: UpLine;
    try {
      up = JSON.parse(line) as UpLine;
    } catch {
      return onBroken(line);
    }
    if (!('re' in up)) return onFact(up);
    settle(up.re, (one) => (up.ok ? one.resolve(up.value) : one.reject(errorOf(up.code, up.message))));
  };

  const rejectWhere = (matches: (one: Pending) => boolean, error: Error): void => {
    for (const [id, one] of [...pending]) if (matches(one)) settle(id, () => one.reject(error));
  };

  return {
    send,
    feed: (chunk) => {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) receive(line);
    },
    fail: (process, message) => rejectWhere((one) => one.to === process, errorOf('actor-ended', `${process}: ${message}`)),
    end: (message) => {
      ended ??= message;
      rejectWhere(() => true, errorOf('stage-ended', ended));
    },
  };
};
