// A stage of containers: one without a network of its own interfaces but `lo` holds the namespace and
// all actors; systems join it. It survives the death of any system, whatever that still had to send.
import { rm } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Scope } from '../model/scope.ts';
import { namespaceAddresses } from './addresses.ts';
import type { Addresses } from './addresses.ts';
import type { Engine } from './docker.ts';
import { captureOnDocker } from './docker-capture.ts';
import { engineProblem, statusOf, unlessGone } from './docker-engine-errors.ts';
import { labelsOf, nameOf, volumeMount } from './docker-labels.ts';
import { ownContainer, ownVolume } from './docker-owned.ts';
import type { OwnedContainer, Owning } from './docker-owned.ts';
import { startDockerSystem } from './docker-system.ts';
import type { DockerStage } from './docker-system.ts';
import { sharesKernel, systemPids } from './docker-processes.ts';
import { wireActors } from './docker-wire.ts';
import type { Wired } from './docker-wire.ts';
import { marksOf } from './environment.ts';
import { guardOf } from './guard.ts';
import type { Link } from './link.ts';
import { sharesOf } from './priority.ts';
import type { ContainerShares } from './priority.ts';
import type { Stage, StagePlan } from './runtime.ts';
import { makeStageFolder } from './stage-folder.ts';
import { RECEIVE_BUFFERS } from './stage-network.ts';
import { startActors } from './stage-start.ts';
import { waysIntoContainers } from './ways-in.ts';
import type { ActorEntries } from './stage-start.ts';

/** Where the stage's folder is in every container. */
const FOLDER = '/stage';
/** Filled when the image was built. */
const COMPILED = '/hangup/compiled';
const COMMAND = ['node', '--disable-warning=ExperimentalWarning', `/hangup/harness/runtimes/stage-host${extname(import.meta.filename)}`];

type Actors = { readonly image: string; readonly name: string; readonly volume: string; readonly plan: StagePlan };

/**
 * @param isAway the engine's processes are not in our /proc: the actors, one of which looks at processes, see all of the engine's machine
 */
const actorsContainer = ({ image, name, volume, plan }: Actors, shares: ContainerShares, isAway: boolean): Parameters<Engine['createContainer']>[0] => ({
  name,
  Image: image,
  Cmd: COMMAND,
  Env: Object.entries({ ...marksOf(plan.runId, plan.stageId), NODE_COMPILE_CACHE: COMPILED }).map(([name, value]) => `${name}=${value}`),
  Labels: labelsOf(plan),
  OpenStdin: true, StdinOnce: true, AttachStdin: true, AttachStdout: true, AttachStderr: true, Tty: false,
  HostConfig: {
    NetworkMode: 'none',
    Dns: ['127.0.0.1'],
    // None: with the engine's own a name that is known here would be asked for below a domain of somebody's, which is outside.
    DnsSearch: ['.'],
    ...(isAway ? { PidMode: 'host' } : { Init: true }),
    CapDrop: ['ALL'],
    // For addresses on lo; for ports below 1024; for a ledger that belongs to another user.
    CapAdd: ['NET_ADMIN', 'NET_BIND_SERVICE', 'DAC_OVERRIDE', ...(isAway ? ['SYS_PTRACE'] : [])],
    Sysctls: { 'net.ipv4.tcp_rmem': RECEIVE_BUFFERS },
    Mounts: [volumeMount(volume, FOLDER, plan)],
    RestartPolicy: { Name: 'no' },
    AutoRemove: false,
    ...shares,
    // What the actors say goes to us; the engine need not keep it too.
    LogConfig: { Type: 'none', Config: {} },
  },
});

/** Made when it is first asked for. */
export type CaptureImage = () => Promise<string>;

/** Who looks at the system's processes: the harness in its own /proc, else the stage in that of the engine's machine, where it may. */
type ProcessView = Stage['processView'];

const stageOf = (stage: DockerStage, plan: StagePlan, addresses: Addresses, link: Link, processView: ProcessView, captureImage: CaptureImage): Stage => ({
  isolation: 'namespace',
  addressOf: addresses.of,
  portFor: (wanted) => wanted,
  systemFolder: FOLDER,
  probesFolder: FOLDER,
  send: link.send,
  startSystem: (system) => startDockerSystem(stage, plan, system),
  removeAddress: async (name) => void (await link.send('stage', { do: 'address-remove', address: addresses.of(name) })),
  cutAddress: async (name) => void (await link.send('stage', { do: 'address-cut', address: addresses.of(name) })),
  healAddress: async (name) => void (await link.send('stage', { do: 'address-heal', address: addresses.of(name) })),
  capture: async (capturePlan) => captureOnDocker(stage, plan, await captureImage(), capturePlan),
  killActor: async (process) => {
    await link.send('stage', { do: 'kill-actor', process });
    link.fail(process, 'was killed');
  },
  waysIn: () => waysIntoContainers(stage),
  systemProcesses: () => systemPids(stage.systems),
  processView,
});

/** By engine, once that is known, where its processes are not in our /proc: who looks at them instead. */
const away = new WeakMap<Engine, Exclude<ProcessView, 'harness'>>();

type Opened = Wired & { readonly stage: DockerStage; readonly container: ReturnType<Engine['getContainer']> };

const openActors = async ({ engine, scope, guard }: Owning, own: OwnedContainer, actors: Actors, isAway: boolean): Promise<Opened> => {
  const { volume, plan } = actors;
  const shares = await sharesOf(engine);
  const container = await own.create(actorsContainer(actors, shares, isAway));
  const stream = await container.attach({ stream: true, hijack: true, stdin: true, stdout: true, stderr: true });
  const stage: DockerStage = { engine, scope, guard, owner: container.id, volume, folder: FOLDER, shares, isAway, systems: [], logs: new Map() };
  const wired = wireActors(engine, stream, plan);
  try {
    await container.start();
  } catch (error) {
    wired.facts.closing();
    throw error;
  }
  return { ...wired, stage, container };
};

/** The status of what the engine refuses or fails at. Throws where it did not answer: that says nothing about what it allows. */
const orRefused = (error: unknown): number => {
  const status = statusOf(error);
  if (status === undefined) throw error;
  return status;
};

/**
 * Opens a stage. Everything is named by us and owned by the scope before it is asked for.
 * @param image the actors' image
 * @throws ProblemError `stage-not-opened`
 */
export const openDockerStage = async (
  engine: Engine,
  image: string,
  plan: StagePlan,
  scope: Scope,
  captureImage: CaptureImage,
  entries?: ActorEntries,
): Promise<Stage> => {
  const guard = guardOf(plan.runId);
  guard.useEngine(engine);
  const noted = guard.addFolder(plan.folder);
  scope.own(`folder ${plan.stageId}`, async () => {
    await rm(plan.folder, { recursive: true, force: true, maxRetries: 3 });
    noted.forget();
  });
  makeStageFolder(plan);
  const owning = { engine, scope, guard };
  const volume = nameOf(plan, 'volume');
  const createVolume = ownVolume(owning, volume);
  const name = nameOf(plan, 'actors');
  let closing = async (): Promise<void> => {};
  const own = ownContainer(owning, name, () => closing());
  const open = async (isAway: boolean): Promise<Opened> => {
    const opened = await openActors(owning, own, { image, name, volume, plan }, isAway);
    closing = () => opened.hearOut().finally(opened.facts.closing);
    return opened;
  };
  const openSeeing = async (): Promise<readonly [Opened, ProcessView]> => {
    const known = away.get(engine);
    const first = await open(known === 'stage');
    if (known !== undefined) return [first, known];
    if (await sharesKernel(first.container)) return [first, 'harness'];
    // Others take its place, that can see; an engine may refuse those, and then nobody looks at processes.
    const removeIt = (): Promise<void> => unlessGone(engine.getContainer(name).remove({ force: true }));
    first.facts.closing();
    await removeIt();
    const second = await open(true).catch(orRefused);
    // What it failed at this once it may do next time.
    if (typeof second !== 'number' || second < 500) away.set(engine, typeof second === 'number' ? 'none' : 'stage');
    if (typeof second !== 'number') return [second, 'stage'];
    await removeIt();
    return [await open(false), 'none'];
  };
  try {
    await createVolume(labelsOf(plan));
    const [{ stage, link }, view] = await openSeeing();
    const addresses = namespaceAddresses(plan.names);
    await startActors(plan, 'namespace', addresses, link.send, entries);
    return stageOf(stage, plan, addresses, link, view, captureImage);
  } catch (error) {
    if (error instanceof Error && 'problems' in error) throw error;
    throw engineProblem('stage-not-opened', 'the engine did not start the stage', error, 'hangup doctor shows the state of the engine');
  }
};
