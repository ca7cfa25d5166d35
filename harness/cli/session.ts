// What every command that runs cells does alike: a folder for the bundles, stages that a guard watches over, the
// harness's own lag watched, and whatever was begun ended however it ends.
import { randomBytes } from 'node:crypto';
import { rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { messageOf } from '../model/problem.ts';
import { runPlan } from '../plan/run-plan.ts';
import type { Plan } from '../plan/run-plan.ts';
import type { CellResult } from '../plan/run-cell.ts';
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
import { guardOf, sweepDead } from '../runtimes/guard.ts';
import { stepAhead } from '../runtimes/priority.ts';
import type { RuntimeKind } from '../runtimes/runtime.ts';
import type { Selected } from '../runtimes/select.ts';
import { readSelfContained } from '../scenario/self-contained.ts';
import type { Cell } from '../systems/cell.ts';
import { debianVersions } from '../systems/debian-versions.ts';
import { installedVersions } from '../systems/installed-versions.ts';
import { harnessVersion } from './harness-version.ts';
import { provide } from './provide.ts';
import { rightIn } from './right-of.ts';
import type { RunOptions } from './run-options.ts';

/** Most of a run is waiting: far more of them than processors. Containers cost the engine more. */
const DEFAULT_JOBS = { process: 12, docker: 7 } as const;

export const scheduleOf = (runtime: RuntimeKind, jobs: number | null): Schedule =>
  createSchedule({ jobs, defaultJobs: DEFAULT_JOBS[runtime] });

const stamp = (): string => new Date().toISOString().replace(/\..*/, '').replace(/[-:]/g, '').replace('T', '-');

const pointLatest = async (root: string, folder: string): Promise<void> => {
  const link = join(root, 'latest');
  await rm(link, { force: true }).catch(() => {});
  await symlink(basename(folder), link).catch(() => {});
};

export type SessionInput = Pick<Session, 'captureBytes' | 'signal' | 'secrets' | 'onPhase'> & {
  readonly argv: readonly string[];
  /** Under which a folder of this command's bundles is made. */
  readonly root: string;
  /** `none`: no folder is made, and nothing is kept. Kept unless given. */
  readonly evidence?: RunOptions['evidence'];
  readonly chosen: Selected;
  /** For the evidence; the cards are read unless their texts are given. */
  readonly asked?: Pick<Asked, 'variables' | 'system'> & Partial<Asked>;
  /** Of which packages are installed, where they need any. */
  readonly cells: readonly Cell[];
  readonly progress: (line: string) => void;
  /** Who else must hide what is learnt here: the terminal. */
  readonly hidden?: Secrets;
};

const installedOf = async (card: Cell['card'], installed: Session['installed']): Promise<Readonly<Record<string, string>>> => {
  const folder = installed.get(card.file);
  return folder === undefined ? {} : installedVersions(card, folder);
};

/** Sweeps what dead runs left, installs what cards need, and makes the folder of the bundles. */
export const openSession = async (input: SessionInput): Promise<Session> => {
  const { argv, root, evidence = 'full', chosen, cells, progress, asked = { variables: {}, system: null }, hidden = createSecrets(), ...given } = input;
  for (const [name, secret] of Object.entries(given.secrets)) hidden.give(secret, `the secret "${name}"`);
  await sweepDead();
  const cards = cells.map(({ card }) => card);
  const installed = await provide(cards, chosen.runtime.kind, progress, given.signal);
  const here = chosen.runtime.kind === 'process' ? await debianVersions(cards) : {};
  for (const card of cards) Object.assign(here, await installedOf(card, installed));
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
    installed,
    runId,
    output,
    runtime: chosen.runtime,
    stages: join(tmpdir(), `hangup-stages-${runId}`),
    timelines: new Set(),
    manifest: { argv, harness: harnessVersion(), versions: { ...(await chosen.runtime.describe()), ...here } },
  };
};

/** Runs plans of one session; its stages are gone afterwards. */
export const whileWatched = async <T>(session: Session, work: () => Promise<T>): Promise<T> => {
  guardOf(session.runId).addFolder(session.stages);
  stepAhead();
  const lag = watchHarnessLag(() => session.timelines);
  try {
    return await work();
  } finally {
    lag.stop();
    await rm(session.stages, { recursive: true, force: true });
  }
};

/** The cells of one selection, through a schedule that several may share. */
export const runSelection = (
  selection: Pick<Plan, 'cells' | 'repeat' | 'session' | 'schedule' | 'onResult' | 'onControl'> & Partial<Pick<Plan, 'scenarioText'>>,
): Promise<readonly CellResult[]> =>
  runPlan({ scenarioText: (cell) => readSelfContained(cell.scenario.file), ...selection, report: (folder) => pagesOf(folder, rightIn) });
