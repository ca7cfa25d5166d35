// The acts of leaving, and what each really put on the wire: a close with unread data is an RST,
// whatever it was called, so the kernel is asked before and after.
import { setImmediate } from 'node:timers/promises';
import type { FactOf } from '../model/observation.ts';
import { nowMs } from '../model/time.ts';
import type { Connection } from './connection.ts';
import type { LeaveHow } from './session.ts';
import { countAbortsOnClose } from './socket-proof.ts';
import type { SocketLook } from './step.ts';

export type Left = { readonly fact: FactOf<'left'>; readonly atMs: number };

const DRAIN_LIMIT_MS = 250;
const SHUTDOWN_LIMIT_MS = 2_000;

/** States in which our own FIN has not been sent yet. */
const BEFORE_FIN: readonly string[] = ['established', 'close-wait'];

/** Lets the reading go on until nothing is unread, so that a close is a FIN. A flood never gets there. */
const drain = async (connection: Connection): Promise<SocketLook> => {
  const untilMs = nowMs() + DRAIN_LIMIT_MS;
  let look = connection.look();
  while (look.unreadBytes > 0 && !connection.isPaused() && !connection.isClosed() && nowMs() < untilMs) {
    await setImmediate();
    look = connection.look();
  }
  return look;
};

const closeWire = (before: SocketLook, after: SocketLook, aborts: number | null): 'fin' | 'rst' | 'nothing' => {
  const isReset = after.state === 'gone' && (aborts === null ? before.unreadBytes > 0 : aborts > 0);
  if (isReset) return 'rst';
  return BEFORE_FIN.includes(before.state) ? 'fin' : 'nothing';
};

const limited = (work: Promise<void>, limitMs: number): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, limitMs);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
};

/**
 * Leaves by close(2), close(2) with RST or shutdown(2).
 * @param beforeAct called in the same turn of the loop as the act: sets the mark
 */
export const leave = async (connection: Connection, how: LeaveHow, beforeAct: () => void): Promise<Left> => {
  const marker = connection.answer()?.marker ?? null;
  const before = how === 'fin' ? await drain(connection) : connection.look();
  const left = (wire: 'fin' | 'rst' | 'nothing', after: SocketLook, atMs: number): Left => ({
    atMs,
    fact: {
      type: 'left',
      how,
      wire,
      marker,
      unreadBytes: before.unreadBytes,
      socket: { before: before.state, after: after.state },
    },
  });
  if (connection.isClosed()) {
    beforeAct();
    return left('nothing', before, nowMs());
  }
  if (how === 'half-close') {
    beforeAct();
    const atMs = nowMs();
    const done = connection.shutdown();
    await limited(done, SHUTDOWN_LIMIT_MS);
    const after = connection.look();
    return left(BEFORE_FIN.includes(before.state) && after.state !== before.state ? 'fin' : 'nothing', after, atMs);
  }
  const abortsBefore = countAbortsOnClose();
  beforeAct();
  // Stamped before, so that no peer can have seen it earlier. Until the second look nothing else of
  // this process can run.
  const atMs = nowMs();
  if (how === 'rst') connection.reset();
  else connection.close();
  const after = connection.look();
  if (how === 'rst') return left(before.state !== 'gone' && after.state === 'gone' ? 'rst' : 'nothing', after, atMs);
  const abortsAfter = countAbortsOnClose();
  return left(
    closeWire(before, after, abortsBefore === null || abortsAfter === null ? null : abortsAfter - abortsBefore),
    after,
    atMs,
  );
};
