// What a container prints, followed from its start and kept: the engine forgets it with the container.
import type { Engine } from './docker.ts';
import type { EngineContainer } from './docker-processes.ts';

const KEPT_BYTES = 4 * 1024 * 1024;
const END_LIMIT_MS = 2_000;

export type KeptLog = {
  /** The last `bytes`; both streams, in the order in which they came. */
  readonly read: (bytes: number) => string;
  /** All that came, what is no longer kept included. */
  readonly bytes: () => number;
  /** Resolves when the engine has sent all there was; bounded, since it may never say so. */
  readonly complete: () => Promise<void>;
};

/** Follows both streams of a container that has been started. */
export const followLog = async (engine: Engine, container: EngineContainer): Promise<KeptLog> => {
  const stream = await container.logs({ follow: true, stdout: true, stderr: true });
  let chunks: Buffer[] = [];
  let size = 0;
  let came = 0;
  const sink = {
    write: (chunk: Buffer): boolean => {
      chunks.push(Buffer.from(chunk));
      size += chunk.length;
      came += chunk.length;
      if (size > 2 * KEPT_BYTES) {
        chunks = [Buffer.concat(chunks).subarray(-KEPT_BYTES)];
        size = KEPT_BYTES;
      }
      return true;
    },
    end: (): void => {},
  } as unknown as NodeJS.WritableStream;
  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) stream.on(event, () => resolve());
  });
  engine.modem.demuxStream(stream, sink, sink);
  return {
    bytes: () => came,
    read: (bytes) => {
      const all = Buffer.concat(chunks);
      const text = all.subarray(-bytes).toString('utf8');
      return all.length <= bytes ? text : text.slice(text.indexOf('\n') + 1);
    },
    complete: async () => {
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([ended, new Promise((resolve) => (timer = setTimeout(resolve, END_LIMIT_MS)))]);
      clearTimeout(timer);
    },
  };
};
