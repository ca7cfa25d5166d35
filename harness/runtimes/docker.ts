// The runtime of containers, and the only door to testcontainers, which finds the engine (DOCKER_HOST and
// its own environment variables and properties). Everything else is asked of the engine itself, since
// stages need what testcontainers has no words for: stdin, shared namespaces, own clean-up.
import { existsSync } from 'node:fs';
import { release, totalmem } from 'node:os';
import type { ContainerRuntimeClient } from 'testcontainers';
import { messageOf, problem } from '../model/problem.ts';
import type { Scope } from '../model/scope.ts';
import { within } from '../model/within.ts';
import { PACKAGES_LABEL } from './docker-labels.ts';
import { ensureCaptureImage } from './docker-capture.ts';
import { unspokenHost } from './docker-host.ts';
import { openDockerStage } from './docker-stage.ts';
import { limitCalls } from './engine-limit.ts';
import { imageOf } from './image-of.ts';
import { builtImages } from './images-names.ts';
import { ensureRuntimeImage, quiet } from './images-runtime.ts';
import type { RuntimeImageOptions } from './images-runtime.ts';
import type { Capability, Runtime, Stage, StagePlan } from './runtime.ts';
import type { ActorEntries } from './stage-start.ts';

/** The engine's API, as dockerode speaks it. */
export type Engine = ContainerRuntimeClient['container']['dockerode'];

/** Far more than an engine takes, and short enough for `auto` to go on without one. Loading the library is not counted. */
const ANSWER_LIMIT_MS = 5_000;
const HINT = 'start the engine, or set DOCKER_HOST; --runtime process needs none';

/** Inside a container it would ask for the host's address by starting an image of a registry; we publish no port. */
const keepOffRegistries = (): void => {
  if (existsSync('/.dockerenv')) process.env['TESTCONTAINERS_HOST_OVERRIDE'] ??= 'localhost';
};

/** Where DOCKER_HOST does not answer, testcontainers goes on to the machine's own socket: another engine than was asked for. */
const isOtherThanAsked = (engine: Engine): boolean => {
  const asked = process.env['DOCKER_HOST'];
  const { socketPath } = engine.modem as { readonly socketPath?: string };
  if (asked === undefined || asked === '' || socketPath === undefined) return false;
  const { hostname, pathname } = new URL(asked);
  return hostname !== '' || pathname !== socketPath;
};

const nothingCame = (): never => {
  throw new Error(`nothing came within ${ANSWER_LIMIT_MS} ms`);
};

/** The library says only that it found none of what it tries; what was asked for is the better word. */
const whyNot = (error: unknown): string => {
  const asked = process.env['DOCKER_HOST'];
  const message = messageOf(error);
  return asked && message.includes('runtime strategy') ? `nothing answers at DOCKER_HOST=${asked}` : message;
};

/** What to do about an engine that does not answer. */
const hintNow = (): string => unspokenHost(process.env['DOCKER_HOST'])?.hint ?? HINT;

const findEngine = async (): Promise<Engine> => {
  const unspoken = unspokenHost(process.env['DOCKER_HOST']);
  if (unspoken !== null) throw new Error(unspoken.why);
  keepOffRegistries();
  const { getContainerRuntimeClient } = await import('testcontainers');
  const { container } = await within(getContainerRuntimeClient(), ANSWER_LIMIT_MS, nothingCame);
  const engine = container.dockerode;
  if (isOtherThanAsked(engine)) throw new Error(`nothing answers at DOCKER_HOST=${process.env['DOCKER_HOST']}`);
  return limitCalls(engine);
};

let connecting: Promise<Engine> | undefined;

/**
 * Finds the engine; once a process. The library is loaded at the first call (some 400 ms).
 * @throws ProblemError `engine-unreachable`
 */
export const connectEngine = (): Promise<Engine> =>
  (connecting ??= findEngine().catch((error: unknown) => {
    connecting = undefined;
    throw problem('environment', 'engine-unreachable', `no container engine answers: ${whyNot(error)}`, { hint: hintNow(), cause: error });
  }));

const probe = async (): Promise<Capability> => {
  try {
    const engine = await connectEngine();
    const version = await within(engine.version(), ANSWER_LIMIT_MS, nothingCame);
    if (version.Os !== 'linux') {
      const why = `the engine runs ${version.Os} containers`;
      return { available: false, why, hint: 'switch it to Linux containers', isolation: 'namespace' };
    }
    return { available: true, why: `engine ${version.Version} (API ${version.ApiVersion}) answers`, isolation: 'namespace' };
  } catch (error) {
    return { available: false, why: messageOf(error), hint: hintNow(), isolation: 'namespace' };
  }
};

/** What the images of cards that were built here are, so that the evidence says what was judged. */
const describeBuilt = async (engine: Engine): Promise<Readonly<Record<string, string>>> => {
  const described = await Promise.all(builtImages().map(async ([image, tag]) => {
    // One that somebody has removed since is no part of what runs now.
    const found = await imageOf(engine, tag);
    if (found === null) return [];
    const { Id, Config } = found;
    const packages = Config.Labels?.[PACKAGES_LABEL];
    return [[`image ${tag === Id ? image : tag}`, Id], ...(packages ? [[`packages of ${image}`, packages]] : [])] as const;
  }));
  return Object.fromEntries(described.flat());
};

/** One kernel and as much memory: what is free here is free there. */
const capacity: Runtime['capacity'] = async () => {
  const { MemTotal, NCPU, KernelVersion } = (await (await connectEngine()).info()) as { MemTotal: number; NCPU: number; KernelVersion: string };
  return { memoryBytes: MemTotal, processors: NCPU, isHere: KernelVersion === release() && MemTotal === totalmem() };
};

export type DockerOptions = RuntimeImageOptions & {
  /** Tests: other programs in the place of the actors (their sources are `extra`). */
  readonly entries?: ActorEntries;
};

/** @returns a runtime; the engine is not asked before it is needed */
export const createDockerRuntime = (options: DockerOptions = {}): Runtime => {
  let built: Promise<string> | undefined;
  /** Looked up once: all stages of a process run the same sources. */
  const image = (engine: Engine): Promise<string> =>
    (built ??= ensureRuntimeImage(engine, options).catch((error: unknown) => {
      built = undefined;
      throw error;
    }));
  let captureImage: Promise<string> | undefined;
  const imageForCapture = (): Promise<string> =>
    (captureImage ??= connectEngine().then((engine) => ensureCaptureImage(engine, options.progress ?? quiet)).catch((error: unknown) => {
      captureImage = undefined;
      throw error;
    }));
  const openStage = async (plan: StagePlan, scope: Scope): Promise<Stage> => {
    const engine = await connectEngine();
    return openDockerStage(engine, await image(engine), plan, scope, imageForCapture, options.entries);
  };
  const describe: Runtime['describe'] = async () => {
    const engine = await connectEngine();
    const [version, tag] = await Promise.all([engine.version(), image(engine)]);
    const { Id } = await engine.getImage(tag).inspect();
    const kernel = version.KernelVersion ?? 'unknown';
    return { engine: version.Version, engineApi: version.ApiVersion, kernel, [`image ${tag}`]: Id, ...(await describeBuilt(engine)) };
  };
  return { kind: 'docker', probe, openStage, describe, capacity, prepareCapture: async () => void (await imageForCapture()) };
};
