// What a container prints, followed from its start and kept: the engine forgets it with the container. A connection that is cut
// while the engine has more to say is made anew, and what has come already is passed over: the engine says again all that it has
// still, which need not be all there was where it throws away what is old. So it is asked to stamp what it says. One that was dropped
// without a sign looks like a system that prints nothing, so of a silent one the engine is asked for its last line.
import { within } from '../model/within.ts';
import type { Engine } from './docker.ts';
import { statusOf } from './docker-engine-errors.ts';
import type { EngineContainer } from './docker-processes.ts';

const KEPT_BYTES = 4 * 1024 * 1024;
const END_LIMIT_MS = 2_000;
const AGAIN_MS = 100;
/** Nothing came for so long; and not for so much longer although the engine has more, which might have been on its way. */
const QUIET_MS = 5_000;
const ON_ITS_WAY_MS = 1_000;

export type KeptLog = {
  /** The last `bytes`; both streams, in the order in which they came. */
  readonly read: (bytes: number) => string;
  /** All that came, what is no longer kept included. */
  readonly bytes: () => number;
  /** Resolves when the engine has sent all there was; bounded, since it may never say so. */
  readonly complete: () => Promise<void>;
};

type Kept = Pick<KeptLog, 'read' | 'bytes'> & { readonly take: (chunk: Buffer) => void };

const createKept = (): Kept => {
  let chunks: Buffer[] = [];
  let size = 0;
  let came = 0;
  return {
    take: (chunk) => {
      chunks.push(Buffer.from(chunk));
      size += chunk.length;
      came += chunk.length;
      if (size <= 2 * KEPT_BYTES) return;
      chunks = [Buffer.concat(chunks).subarray(-KEPT_BYTES)];
      size = KEPT_BYTES;
    },
    bytes: () => came,
    read: (bytes) => {
      const all = Buffer.concat(chunks);
      const text = all.subarray(-bytes).toString('utf8');
      return all.length <= bytes ? text : text.slice(text.indexOf('\n') + 1);
    },
  };
};

type Stream = NodeJS.ReadableStream & { readonly complete?: boolean; readonly destroy: () => void };

/** Stands in the log where what is before it and what is after it may not have followed each other. */
export const MAY_BE_MISSING = '[hangup: the connection to the engine broke here, and the engine no longer had all of what came next]\n';

/** Without the zone, which is the same in all of them: how they sort, also where zeros at their ends are left out. */
const STAMP = /^(\d{4}-\d\d-\d\dT[\d:.]+)(?:Z|[+-]\d\d:\d\d) /;
const STAMP_BYTES = 40;
/** In front of each that an engine says: of which stream it is, and how long. */
const HEAD_BYTES = 8;

/** Up to where an engine's words are known: the last stamp and how many had it, and the latest one, should its clock be put back. */
type Known = { stamp: string; times: number; latest: string; /** All that came, what was known already too. */ frames: number };

const stampOf = (frame: Buffer): { readonly stamp: string; readonly bytes: number } => {
  const [all = '', stamp = ''] = STAMP.exec(frame.subarray(0, STAMP_BYTES).toString('latin1')) ?? [];
  return { stamp, bytes: all.length };
};

/** Whether one that is said is new; all that come after a new one are. */
const createSieve = (known: Known): ((stamp: string) => 'new' | 'known' | 'after a gap') => {
  const last = { ...known };
  let isNew = last.times === 0;
  let times = 0;
  return (stamp) => {
    if (isNew) return 'new';
    if (stamp === last.stamp) isNew = (times += 1) === last.times;
    else if (stamp > last.latest) {
      isNew = true;
      // What was thrown away is the oldest: where one of the last ones is there yet, all that came next is.
      return times > 0 ? 'new' : 'after a gap';
    }
    return 'known';
  };
};

/** Keeps nobody alive that has nothing else to do. */
const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref());

/** Whether the engine's last line is another than the last that came. */
const isBehind = async (container: EngineContainer, known: Known): Promise<boolean> => {
  const said = Buffer.from(await container.logs({ follow: false, stdout: true, stderr: true, timestamps: true, tail: 1 }));
  const { stamp } = stampOf(said.subarray(HEAD_BYTES));
  return stamp !== '' && stamp !== known.stamp;
};

/** Resolves when more was said than comes, or never. */
const dropped = async (container: EngineContainer, known: Known, isOver: () => boolean): Promise<void> => {
  while (!isOver()) {
    const { frames } = known;
    await pause(QUIET_MS);
    if (known.frames > frames || isOver() || !(await isBehind(container, known).catch(() => false))) continue;
    await pause(ON_ITS_WAY_MS);
    if (known.frames === frames) return;
  }
  return new Promise(() => {});
};

/** Takes what is new. @returns whether the engine had said all, once the stream has ended */
const drain = async (engine: Engine, stream: Stream, kept: Kept, known: Known): Promise<boolean> => {
  const sieve = createSieve(known);
  // One frame at a time.
  const write = (frame: Buffer): boolean => {
    known.frames += 1;
    const { stamp, bytes } = stampOf(frame);
    const which = sieve(stamp);
    if (which === 'known') return true;
    if (which === 'after a gap') kept.take(Buffer.from(MAY_BE_MISSING));
    kept.take(frame.subarray(bytes));
    known.times = stamp === known.stamp ? known.times + 1 : 1;
    known.stamp = stamp;
    if (stamp > known.latest) known.latest = stamp;
    return true;
  };
  const sink = { write, end: () => {} } as unknown as NodeJS.WritableStream;
  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) stream.on(event, () => resolve());
  });
  engine.modem.demuxStream(stream, sink, sink);
  await ended;
  return stream.complete !== false;
};

/** Follows both streams of a container that has been started. */
export const followLog = async (engine: Engine, container: EngineContainer): Promise<KeptLog> => {
  const kept = createKept();
  const known: Known = { stamp: '', times: 0, latest: '', frames: 0 };
  const open = async (): Promise<Stream> =>
    (await container.logs({ follow: true, stdout: true, stderr: true, timestamps: true })) as Stream;
  const first = await open();
  /** Breaks off what may have been dropped: it is then made anew. */
  let renew = (): void => {};
  const drainOrRenew = async (stream: Stream): Promise<boolean> => {
    let isOver = false;
    renew = () => stream.destroy();
    void dropped(container, known, () => isOver).then(() => stream.destroy());
    return drain(engine, stream, kept, known).finally(() => (isOver = true));
  };
  const follow = async (): Promise<void> => {
    for (let stream: Stream | null = first; ;) {
      if (stream !== null && (await drainOrRenew(stream))) return;
      await pause(AGAIN_MS);
      try {
        stream = await open();
      } catch (error) {
        // Removed: nobody has any more of it. Else the engine may be starting again.
        if (statusOf(error) === 404) return;
        stream = null;
      }
    }
  };
  const ended = follow().then(() => true);
  const isComplete = (): Promise<boolean> => within(ended, END_LIMIT_MS, () => false);
  const completeAnew = async (): Promise<void> => {
    renew();
    await isComplete();
  };
  /** Once, since an engine may never say that there is no more. */
  let anew: Promise<void> | undefined;
  return {
    bytes: kept.bytes,
    read: kept.read,
    complete: async () => {
      if (!(await isComplete())) await (anew ??= completeAnew());
    },
  };
};
