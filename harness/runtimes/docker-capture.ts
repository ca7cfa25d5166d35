// Packets of a stage of containers: one more container in its namespace, which holds nothing but tcpdump and may do nothing
// but look. What it sees comes over its standard output, so that it is on our disk whatever becomes of the container.
import { createWriteStream } from 'node:fs';
import type { WriteStream } from 'node:fs';
import { once } from 'node:events';
import { within } from '../model/within.ts';
import { countsIn, endWithWholePacket, hasBegun, reasonIn, TCPDUMP } from './capture.ts';
import type { Capture, Captured, CapturePlan } from './capture.ts';
import type { Engine } from './docker.ts';
import { unlessGone } from './docker-engine-errors.ts';
import { labelsOf, nameOf } from './docker-labels.ts';
import { ownContainer } from './docker-owned.ts';
import type { EngineContainer } from './docker-processes.ts';
import type { DockerStage } from './docker-system.ts';
import { ensureDebianImage } from './images-debian.ts';
import type { StagePlan } from './runtime.ts';

const BEGIN_LIMIT_MS = 15_000;
const END_LIMIT_MS = 5_000;

export const ensureCaptureImage = (engine: Engine, progress: (line: string) => void): Promise<string> =>
  ensureDebianImage(engine, { packages: ['tcpdump'], suite: 'bookworm' }, progress);

/** It opens the device as root and is nobody in particular from then on: that change is what the other two rights are for. */
const RIGHTS = ['NET_RAW', 'SETUID', 'SETGID'];

const containerOf = (stage: DockerStage, plan: StagePlan, image: string): Parameters<Engine['createContainer']>[0] => ({
  name: nameOf(plan, 'capture'),
  Image: image,
  Cmd: [...TCPDUMP],
  Labels: labelsOf(plan),
  AttachStdout: true, AttachStderr: true, Tty: false,
  HostConfig: {
    // An init of these few rights could not hand a signal on to whom tcpdump becomes.
    NetworkMode: `container:${stage.owner}`, Init: false, CapDrop: ['ALL'], CapAdd: RIGHTS, ReadonlyRootfs: true,
    RestartPolicy: { Name: 'no' }, AutoRemove: false, ...stage.shares, LogConfig: { Type: 'none', Config: {} },
  },
});

type Seen = { bytes: number; isCut: boolean; words: string };

const sink = (take: (chunk: Buffer) => void): NodeJS.WritableStream =>
  ({ write: (chunk: Buffer) => (take(chunk), true), end: () => {} }) as unknown as NodeJS.WritableStream;

/** Writes what comes until the limit, and then tells the container to end. */
const wire = (engine: Engine, stream: NodeJS.ReadWriteStream, file: WriteStream, limitBytes: number, full: () => void): Seen => {
  const seen: Seen = { bytes: 0, isCut: false, words: '' };
  const take = (chunk: Buffer): void => {
    if (seen.isCut) return;
    const room = limitBytes - seen.bytes;
    file.write(chunk.subarray(0, room));
    seen.bytes += Math.min(room, chunk.length);
    if (chunk.length < room) return;
    seen.isCut = true;
    full();
  };
  engine.modem.demuxStream(stream, sink(take), sink((chunk) => (seen.words += chunk.toString('utf8'))));
  return seen;
};

const begun = async (seen: Seen, stream: NodeJS.ReadWriteStream): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  let poll: NodeJS.Timeout | undefined;
  const work = new Promise<void>((resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`tcpdump did not begin within ${BEGIN_LIMIT_MS} ms`)), BEGIN_LIMIT_MS);
    poll = setInterval(() => hasBegun(seen.words) && resolve(), 10);
    stream.on('end', () => reject(new Error(`tcpdump ended: ${reasonIn(seen.words)}`)));
  });
  await work.finally(() => (clearTimeout(timer), clearInterval(poll)));
};

const stopper = (container: EngineContainer, ended: Promise<unknown>, file: WriteStream, path: string, seen: Seen) => async (): Promise<Captured> => {
  await unlessGone(container.kill({ signal: 'SIGINT' }));
  await within(ended, END_LIMIT_MS, () => {});
  await new Promise((resolve) => file.end(resolve));
  const words = countsIn(seen.words);
  // It always counts at its end: where that is not heard, the connection broke some time before.
  return { bytes: await endWithWholePacket(path), isCut: seen.isCut, words, isBroken: words === '' };
};

/** @throws Error saying why nothing can be captured; the stage goes on without */
export const captureOnDocker = async (stage: DockerStage, ids: StagePlan, image: string, plan: CapturePlan): Promise<Capture> => {
  const { engine } = stage;
  const options = containerOf(stage, ids, image);
  const container = await ownContainer(stage, options.name!).create(options);
  const stream = await container.attach({ stream: true, hijack: true, stdout: true, stderr: true });
  stream.on('error', () => {});
  const file = createWriteStream(plan.file, { flags: 'wx' });
  await once(file, 'open');
  // A disk that is full is told by the bundle's own files.
  file.on('error', () => {});
  const seen = wire(engine, stream, file, plan.limitBytes, () => void unlessGone(container.kill({ signal: 'SIGINT' })).catch(() => {}));
  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) stream.on(event, () => resolve());
  });
  await container.start();
  await begun(seen, stream);
  return { stop: stopper(container, ended, file, plan.file, seen) };
};
