// No call to an engine is waited for without end: one that hangs (its disk stands still, it was stopped) would make the run
// stand with it. It is bounded where all calls pass, so that none can be forgotten.
import type { Engine } from './docker.ts';
import { problem } from '../model/problem.ts';
import { formatMs } from '../model/time.ts';

/** Far more than an engine takes for anything but what is excepted, on a busy machine too. */
export const CALL_LIMIT_MS = 30_000;

/** To make a container may mean to copy all of its image (a driver without layers), to remove something to delete as much, on a slow disk. */
export const LASTING_LIMIT_MS = 300_000;
const LASTING = /^(?:POST \/(?:v[\d.]+\/)?containers\/create|DELETE \/.*)(?:\?|$)/;

/**
 * Those last as long as what they are about: the life of a container, a build, an image from elsewhere. Streams (a log, standard
 * streams, a command beside) are bounded up to their first answer, which an engine gives at once.
 */
const UNBOUNDED = /^\/(?:v[\d.]+\/)?(?:containers\/[^/?]+\/wait|build|images\/(?:create|load)|commit|events)(?:\?|$)/;

type Answered = (error: unknown, data: unknown) => void;
type Call = { readonly path: string; readonly method: string; readonly abortSignal?: AbortSignal };
type Modem = { dial: (call: Call, answered: Answered) => void };

/** The same engine, whose calls reject as `engine-failed` when nothing came in time. */
export const limitCalls = (engine: Engine, shortMs = CALL_LIMIT_MS, lastingMs = LASTING_LIMIT_MS): Engine => {
  const modem = engine.modem as unknown as Modem;
  const dial = modem.dial.bind(modem);
  modem.dial = (call, answered) => {
    const { path, method, abortSignal } = call;
    if (UNBOUNDED.test(path)) return dial(call, answered);
    const limitMs = LASTING.test(`${method} ${path}`) ? lastingMs : shortMs;
    const late = new AbortController();
    let isOver = false;
    const once: Answered = (error, data) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      answered(error, data);
    };
    const timer = setTimeout(() => {
      const message = `the container engine did not answer ${method} ${path.split('?')[0]} within ${formatMs(limitMs)}`;
      once(problem('environment', 'engine-failed', message, { hint: 'hangup doctor asks the engine; its own log says more' }), null);
      late.abort();
    }, limitMs);
    dial({ ...call, abortSignal: abortSignal ? AbortSignal.any([abortSignal, late.signal]) : late.signal }, once);
  };
  return engine;
};
