// What a container prints, followed from its start and kept: the engine forgets it with the container. A connection that is cut
// while the engine has more to say is made anew, and what has come already is passed over: the engine says all of it again.
import type { Engine } from './docker.ts';
import { statusOf } from './docker-engine-errors.ts';
import type { EngineContainer } from './docker-processes.ts';

const KEPT_BYTES = 4 * 1024 * 1024;
const END_LIMIT_MS = 2_000;
const AGAIN_MS = 100;

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

type Stream = NodeJS.ReadableStream & { readonly complete?: boolean };

/** Takes what is new. @returns whether the engine had said all, once the stream has ended */
const drain = async (engine: Engine, stream: Stream, kept: Kept): Promise<boolean> => {
  let known = kept.bytes();
  const write = (chunk: Buffer): boolean => {
    const fresh = chunk.subarray(Math.min(known, chunk.length));
    known -= chunk.length - fresh.length;
    if (fresh.length > 0) kept.take(fresh);
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
  const open = async (): Promise<Stream> => await container.logs({ follow: true, stdout: true, stderr: true });
  const first = await open();
  const follow = async (): Promise<void> => {
    for (let stream: Stream | null = first; ;) {
      if (stream !== null && (await drain(engine, stream, kept))) return;
      await new Promise<void>((resolve) => void setTimeout(resolve, AGAIN_MS).unref());
      try {
        stream = await open();
      } catch (error) {
        // Removed: nobody has any more of it. Else the engine may be starting again.
        if (statusOf(error) === 404) return;
        stream = null;
      }
    }
  };
  const ended = follow();
  return {
    bytes: kept.bytes,
    read: kept.read,
    complete: async () => {
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([ended, new Promise((resolve) => (timer = setTimeout(resolve, END_LIMIT_MS)))]);
      clearTimeout(timer);
    },
  };
};
