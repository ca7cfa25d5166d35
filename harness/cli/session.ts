// What every command that runs cells does alike: a folder for the bundles, stages that a guard watches over, the
// harness's own lag watched, and whatever was begun ended however it ends.
import { randomBytes } from 'node:crypto';
import { rm, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { messageOf } from '../model/problem.ts';
import { anySeed } from '../model/random.ts';
import { runPlan } from '../plan/run-plan.ts';
import type { Plan } from '../plan/run-plan.ts';
import type { CellResult } from '../plan/run-cell.ts';
import { capacityOf } from '../plan/capacity.ts';
import type { Jobs } from '../plan/jobs.ts';
import { createMachineLocks } from '../plan/machine-locks.ts';
import { createSchedule } from '../plan/schedule.ts';
import type { Schedule } from '../plan/schedule.ts';
import { readCardTexts } from '../plan/asked.ts';
import type { Asked } from '../plan/asked.ts';
import { createSecrets } from '../bundle/secrets.ts';
import type { Secrets } from '../bundle/secrets.ts';
import { makeOutput } from '../plan/session.ts';
import type { Session } from '../plan/session.ts';
import { pagesOf } from '../reports/pages.ts';
import { watchHarnessLag } from '../run/harness-lag.ts';
import { guardOf } from '../runtimes/guard.ts';
import { stepAhead } from '../runtimes/priority.ts';
import type { Runtime, RuntimeKind } from '../runtimes/runtime.ts';
import type { Selected } from '../runtimes/select.ts';
import { stagesFolder } from '../runtimes/stage-folder.ts';
import { sweepDead } from '../runtimes/sweep-dead.ts';
import { readSelfContained } from '../scenario/self-contained.ts';
import type { Cell } from '../systems/cell.ts';
import { debianVersions } from '../systems/debian-versions.ts';
import { harnessVersion } from './harness-version.ts';
import { createProvider } from './provide.ts';
import type { Provider } from './provide.ts';
import { rightIn } from './right-of.ts';
import type { RunOptions } from './run-options.ts';

/** What a command that people wait for has beside the number: the engine's memory is asked for, and who waits is told. */
export type ScheduleSurroundings = {
  readonly runtime?: Runtime;
  readonly signal?: AbortSignal;
  readonly tell?: (line: string) => void;
};

export const scheduleOf = (kind: RuntimeKind, jobs: Jobs, { runtime, ...told }: ScheduleSurroundings = {}): Schedule =>
  createSchedule({ jobs, runtime: kind, capacity: () => capacityOf(runtime), machine: createMachineLocks(), ...told });

const stamp = (): string => new Date().toISOString().replace(/\..*/, '').replace(/[-:]/g, '').replace('T', '-');

const pointLatest = async (root: string, folder: string): Promise<void> => {
  const link = join(root, 'latest');
  await rm(link, { force: true }).catch(() => {});
  await symlink(basename(folder), link).catch(() => {});
};

export type SessionInput = Pick<Session, 'captureBytes' | 'signal' | 'secrets' | 'onPhase' | 'keeping'> & {
  readonly argv: readonly string[];
  /** Under which a folder of this command's bundles is made. */
  readonly root: string;
  /** `none`: no folder is made, and nothing is kept. Kept unless given. */
  readonly evidence?: RunOptions['evidence'];
  readonly chosen: Selected;
  /** Further runtimes, by kind, where cells of several are run. */
  readonly others?: ReadonlyMap<RuntimeKind, Selected>;
  /** For the evidence; the cards are read unless their texts are given. */
  readonly asked?: Pick<Asked, 'variables' | 'system'> & Partial<Asked>;
  /** Of which packages are installed, where they need any. */
  readonly cells: readonly Cell[];
  readonly progress: (line: string) => void;
  /** Any unless given. */
  readonly seed?: number;
  /** Who else must hide what is learnt here: the terminal. */
  readonly hidden?: Secrets;
};

type Providing = Required<Pick<Session, 'installed' | 'sources' | 'packages' | 'provide' | 'untestable'>>;

const providing = (provider: Provider): Providing => ({
  installed: provider.installed,
  sources: provider.sources,
  packages: provider.packages,
  untestable: ({ card, runtime }) => provider.untestable(card, runtime),
  provide: async (cells) => {
    for (const [runtime, all] of Map.groupBy(cells, (cell) => cell.runtime)) await provider.provide(all.map(({ card }) => card), runtime);
    return new Map(cells.flatMap(({ card, runtime }) => {
      const why = provider.untestable(card, runtime);
      return why === null ? [] : [[card.key, why] as const];
    }));
  },
});

const describeAll = async (all: readonly Selected[]): Promise<Readonly<Record<string, string>>> =>
  Object.assign({}, ...(await Promise.all(all.map(({ runtime }) => runtime.describe())))) as Readonly<Record<string, string>>;

/** Sweeps what dead runs left, installs what cards need, and makes the folder of the bundles. */
export const openSession = async (input: SessionInput): Promise<Session> => {
  const { argv, root, evidence = 'full', chosen, others = new Map(), cells, progress, asked = { variables: {}, system: null }, hidden = createSecrets(), seed = anySeed(), ...given } = input;
  for (const [name, secret] of Object.entries(given.secrets)) hidden.give(secret, `the secret "${name}"`);
  await sweepDead(progress);
  const cards = cells.map(({ card }) => card);
  const provided = providing(createProvider({ environment: process.env, progress, signal: given.signal }));
  await provided.provide(cells);
  const here = chosen.runtime.kind === 'process' ? await debianVersions(cards) : {};
  if (given.captureBytes) {
    progress('packets of each stage are kept in capture/stage.pcap of its bundle: raw bytes, secrets included');
    await chosen.runtime.prepareCapture?.().catch((error: unknown) => progress(`no packets will be kept: ${messageOf(error)}`));
  }
  const runId = randomBytes(5).toString('hex');
  const output = evidence === 'none' ? null : join(root, `${stamp()}-${runId}`);
  if (output !== null) {
    await makeOutput(output);
    await pointLatest(root, output);
  }
  return {
    ...given,
    hidden,
    asked: { cards: await readCardTexts(cards), ...asked },
    ...provided,
    runId,
    output,
    runtime: chosen.runtime,
    others: new Map([...others].map(([kind, { runtime }]) => [kind, runtime])),
    stages: stagesFolder(runId),
    timelines: new Set(),
    manifest: { argv, seed, harness: harnessVersion(), versions: { ...(await describeAll([chosen, ...others.values()])), ...here } },
  };
};

/** Runs plans of one session; its stages are gone afterwards. */
export const whileWatched = async <T>(session: Session, work: () => Promise<T>): Promise<T> => {
  if (!session.runtime.startsNothing) guardOf(session.runId).addFolder(session.stages);
  stepAhead();
  const lag = watchHarnessLag(() => session.timelines);
  try {
    return await work();
  } finally {
    lag.stop();
    await rm(session.stages, { recursive: true, force: true });
  }
};

/** A hundred cells of one matrix stand in one file, which says the same to all of them. */
const onceEach = (read: (file: string) => Promise<string>): Plan['scenarioText'] => {
  const texts = new Map<string, Promise<string>>();
  return ({ scenario: { file } }) => {
    const text = texts.get(file) ?? read(file);
    texts.set(file, text);
    return text;
  };
};

/** The cells of one selection, through a schedule that several may share. */
export const runSelection = (
  selection: Pick<Plan, 'cells' | 'repeat' | 'session' | 'schedule' | 'onResult' | 'onControl'> & Partial<Pick<Plan, 'scenarioText' | 'firstAttempt' | 'controls' | 'controlAttempt' | 'inRounds' | 'whyNoMore' | 'holdBack' | 'onNotRun'>>,
): Promise<readonly CellResult[]> =>
  runPlan({ scenarioText: onceEach(readSelfContained), ...selection, report: (folder) => pagesOf(folder, rightIn) });
