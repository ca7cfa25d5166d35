// The acts of leaving, and what each really put on the wire: a close with unread data is an RST,
// whatever it was called, so the kernel is asked before and after. Who leaves in the same turn of the loop leaves
// together: a look costs more than an act, and a crowd that looked one by one would leave one by one.
import { setImmediate } from 'node:timers/promises';
import type { FactOf } from '../model/observation.ts';
import { readSocketTable } from '../model/proc-net.ts';
import { nowMs } from '../model/time.ts';
import type { Connection } from './connection.ts';
import type { LeaveHow } from './session.ts';
import { countAbortsOnClose, rowsOfThisTurn } from './socket-proof.ts';
import type { SocketLook } from './step.ts';

export type Left = { readonly fact: FactOf<'left'>; readonly atMs: number };
type Wire = FactOf<'left'>['wire'];

const DRAIN_LIMIT_MS = 250;
const SHUTDOWN_LIMIT_MS = 2_000;

/** States in which our own FIN has not been sent yet. */
const BEFORE_FIN: readonly string[] = ['established', 'close-wait'];

/** Lets the reading go on until nothing is unread, so that a close is a FIN. A flood never gets there. */
const drain = async (connection: Connection): Promise<void> => {
  const untilMs = nowMs() + DRAIN_LIMIT_MS;
  const isUnread = (): boolean => connection.look(rowsOfThisTurn()).unreadBytes > 0;
  while (isUnread() && !connection.isPaused() && !connection.isClosed() && nowMs() < untilMs) await setImmediate();
};

/** @param aborts closes that sent RST because of unread data; null where it is not known whose they were */
const wireOf = (how: LeaveHow, before: SocketLook, after: SocketLook, aborts: number | null): Wire => {
  if (how === 'rst') return before.state !== 'gone' && after.state === 'gone' ? 'rst' : 'nothing';
  if (how === 'half-close') return BEFORE_FIN.includes(before.state) && after.state !== before.state ? 'fin' : 'nothing';
  const isReset = after.state === 'gone' && (aborts === null ? before.unreadBytes > 0 : aborts > 0);
  if (isReset) return 'rst';
  return BEFORE_FIN.includes(before.state) ? 'fin' : 'nothing';
};

const limited = (work: Promise<void>, limitMs: number): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, limitMs);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
};

type Leaver = {
  readonly connection: Connection;
  readonly how: LeaveHow;
  readonly beforeAct: () => void;
  readonly left: (left: Left | Promise<Left>) => void;
};

/** What one has done, as far as it is known at once. */
type Act = Leaver & {
  readonly before: SocketLook;
  readonly atMs: number;
  readonly shutdown: Promise<void> | null;
  /** The system had ended it before. */
  readonly wasClosed: boolean;
};

const act = (leaver: Leaver, before: SocketLook): Act => {
  const { connection, how, beforeAct } = leaver;
  const wasClosed = connection.isClosed();
  beforeAct();
  // Stamped before, so that no peer can have seen it earlier.
  const atMs = nowMs();
  if (how === 'half-close' && !wasClosed) return { ...leaver, before, atMs, wasClosed, shutdown: connection.shutdown() };
  if (!wasClosed) (how === 'rst' ? connection.reset : connection.close)();
  return { ...leaver, before, atMs, wasClosed, shutdown: null };
};

const leftBy = ({ connection, how, before, atMs, wasClosed }: Act, after: SocketLook, aborts: number | null): Left => ({
  atMs,
  fact: {
    type: 'left',
    how,
    wire: wasClosed ? 'nothing' : wireOf(how, before, after, aborts),
    marker: connection.answer()?.marker ?? null,
    unreadBytes: before.unreadBytes,
    socket: { before: before.state, after: after.state },
  },
});

const shutDown = async (done: Act): Promise<Left> => {
  await limited(done.shutdown!, SHUTDOWN_LIMIT_MS);
  return leftBy(done, done.connection.look(), null);
};

let crowd: Leaver[] = [];

/** Until the second look nothing else of this process can run. */
const leaveTogether = (): void => {
  const leavers = crowd;
  crowd = [];
  const rowsBefore = readSocketTable();
  const abortsBefore = countAbortsOnClose();
  const acts = leavers.map((leaver) => act(leaver, leaver.connection.look(rowsBefore)));
  const rowsAfter = readSocketTable();
  const abortsAfter = countAbortsOnClose();
  const aborts = abortsBefore === null || abortsAfter === null ? null : abortsAfter - abortsBefore;
  // Of several it is known only that none was a reset.
  const known = acts.length === 1 || aborts === 0 ? aborts : null;
  for (const done of acts) done.left(done.shutdown ? shutDown(done) : leftBy(done, done.connection.look(rowsAfter), known));
};

/**
 * Leaves by close(2), close(2) with RST or shutdown(2), at the end of this turn of the loop.
 * @param beforeAct called in the same turn of the loop as the act: sets the mark
 */
export const leave = async (connection: Connection, how: LeaveHow, beforeAct: () => void): Promise<Left> => {
  if (how === 'fin') await drain(connection);
  const { promise, resolve } = Promise.withResolvers<Left>();
  crowd.push({ connection, how, beforeAct, left: resolve });
  if (crowd.length === 1) void setImmediate().then(leaveTogether);
  return promise;
};
