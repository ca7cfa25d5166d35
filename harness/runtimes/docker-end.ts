// How the end of a container is learnt: the engine's wait, which is a request that stands open for as long as the container
// lives. Whatever lies in between may cut it (a forwarder's idle limit, an engine that starts again and lets its containers
// live), and then the container is looked at: a wait that broke says nothing about the system. It may be dropped without a sign,
// too, so the container is looked at now and then in any case.
import { nowMs } from '../model/time.ts';
import { statusOf } from './docker-engine-errors.ts';
import type { EngineContainer } from './docker-processes.ts';
import { exitOf } from './exit.ts';
import type { ExitWatch } from './exit-watch.ts';
import { onOurClock, wallAheadMs } from './wall-clock.ts';

/** Between two waits that were cut. */
const AGAIN_MS = 100;
/** The engine does not answer at all: it may be starting again. */
const SILENT_MS = 1_000;
/** Between two looks at one whose wait is silent, as it is when it was dropped. */
const LOOK_MS = 1_000;

type Seen = 'ended' | 'running' | 'unseen';
type Modem = { readonly dial: (call: object, answered: (error: unknown, answer: AsyncIterable<Buffer>) => void) => void };

export type EndOptions = {
  /** It was not started before; of `nowMs`, and by how much the wall clock was ahead of that. */
  readonly since: { readonly atMs: number; readonly aheadMs: number };
  /** The engine's clock is not ours: when it says the end was is not when that was here. */
  readonly isAway: boolean;
};

/** Keeps nobody alive that has nothing else to do. */
const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref());

/** The engine's own stamp, a wall clock's, on our clock; its answer where it gives none. Never later than that. */
const endedMs = (finishedAt: string | undefined, { since, isAway }: EndOptions): number => {
  const endMs = onOurClock(finishedAt ?? '', since.aheadMs, wallAheadMs());
  const hereMs = nowMs();
  return isAway || !(endMs <= hereMs) || endMs < since.atMs ? hereMs : endMs;
};

type Waited = { readonly StatusCode?: number; readonly Error?: { readonly Message?: string } | null };

/** @returns null where it broke off, or says that it was not waited to the end */
const codeIn = async (answer: AsyncIterable<Buffer>): Promise<number | null> => {
  let text = '';
  for await (const chunk of answer) text += chunk.toString('utf8');
  const { StatusCode, Error: broke } = JSON.parse(text) as Waited;
  return broke?.Message || typeof StatusCode !== 'number' ? null : StatusCode;
};

const WAIT = { method: 'POST', isStream: true, statusCodes: { 200: true, 404: 'no such container' } } as const;

/**
 * An engine answers at once, and says the code when there is one. Read as a stream, since the client library tells nobody of an answer
 * that is cut after its head.
 * @returns the code, or null: the wait broke
 */
const waitFor = ({ modem, id }: EngineContainer): Promise<number | null> =>
  new Promise((resolve) => {
    const dial = (modem as Modem).dial.bind(modem);
    dial({ ...WAIT, path: `/containers/${id}/wait` }, (error, answer) => resolve(error ? null : codeIn(answer).catch(() => null)));
  });

/**
 * Watches until the end.
 * @returns a way to look at once, for when the news may be lost on its way; never rejects
 */
export const watchEnd = (container: EngineContainer, watch: ExitWatch, options: EndOptions): (() => Promise<Seen>) => {
  /** The code that the wait gave, or is about to; null: it broke. */
  let waiting = waitFor(container);
  const settle = (code: number | null, atMs = nowMs()): void => watch.settle({ ...exitOf(code, null), atMs });
  const look = async (): Promise<Seen> => {
    if (watch.hasExited()) return 'ended';
    try {
      const { State } = await container.inspect();
      if (State.Running) return 'running';
      settle(State.ExitCode, endedMs(State.FinishedAt, options));
    } catch (error) {
      if (statusOf(error) !== 404) return 'unseen';
      // Removed, which ends a wait too: how it ended may be on its way still, or nobody can say it any more.
      settle(await Promise.race([waiting, pause(SILENT_MS).then(() => null)]));
    }
    return 'ended';
  };
  const hear = async (): Promise<void> => {
    for (;; waiting = waitFor(container)) {
      const code = await waiting;
      if (code !== null && options.isAway) settle(code);
      const seen = await look();
      // One that is seen running has not ended, whatever is said.
      if (code !== null && seen !== 'running') settle(code);
      if (watch.hasExited()) return;
      await pause(seen === 'running' ? AGAIN_MS : SILENT_MS);
    }
  };
  const keepLooking = async (): Promise<void> => {
    do await pause(LOOK_MS);
    while ((await look()) !== 'ended');
  };
  void hear();
  void keepLooking();
  return look;
};
