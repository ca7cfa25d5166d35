// One run, phase by phase; the only file that sequences phases. Everything started is in the scope,
// everything seen is in the timeline, and whatever happens, both are closed and sealed.
import type { BundleWriter } from '../bundle/write.ts';
import type { Facts } from '../model/facts.ts';
import type { LiveTimeline } from '../model/live.ts';
import { ProblemError, problemsOf } from '../model/problem.ts';
import type { Problem } from '../model/problem.ts';
import type { PhaseName } from '../model/observation.ts';
import type { Timeline } from '../model/timeline.ts';
import type { Scope } from '../model/scope.ts';
import { hasNoSystem } from '../systems/no-system.ts';
import { ask } from './ask.ts';
import { drive, stay } from './drive.ts';
import { dumpWhereViolated } from './dump.ts';
import { createExchanges } from './exchanges.ts';
import type { Exchanges } from './exchanges.ts';
import { hasEnded } from './instances.ts';
import { keepUp } from './keep.ts';
import type { Keeping } from './keep.ts';
import { controlPaths } from './path-control.ts';
import type { PathDetour } from './path-control.ts';
import { watchLogs } from './log-growth.ts';
import type { LogGrowth } from './log-growth.ts';
import { createPhases } from './phases.ts';
import type { Phases } from './phases.ts';
import { prepare } from './prepare.ts';
import type { PrepareInput } from './prepare.ts';
import type { Run } from './run-context.ts';
import { startSampling } from './sample.ts';
import type { Sampling } from './sample.ts';
import { settle } from './settle.ts';
import { collectLogs, stop } from './stop.ts';
import { warmUp } from './warm-up.ts';

export type ExecuteInput = Omit<PrepareInput, 'timeline' | 'scope' | 'bundle'> & {
  readonly timeline: LiveTimeline;
  readonly scope: Scope;
  readonly bundle: BundleWriter;
  readonly onPhase: (phase: PhaseName) => void;
  /** Told once the system is up: another run may start. */
  readonly onStarted: () => void;
  readonly detour?: PathDetour;
  /** The control's timeline; asked for where something must be judged while the system is still up. */
  readonly control?: () => Promise<Timeline | null>;
  /** The system may be left up when everything has been watched; absent: it is stopped at once. */
  readonly keeping?: Keeping;
};

/** What a run came to, before it is judged. */
export type Executed = {
  /** With the addresses of the stage, where it got that far. */
  readonly facts: Facts;
  /** Why it did not get to its end. */
  readonly problems: readonly Problem[];
  /** How long it was left up, ms; null: it was not. Of one that was, an interruption has cut nothing off that counts. */
  readonly keptMs: number | null;
};

const watch = async (run: Run): Promise<void> => {
  run.timeline.note({ type: 'watch', forMs: run.facts.watchMs });
  await run.timeline.waitFor(() => undefined, run.facts.watchMs, run.signal);
};

const readDeadLedger = async (sampling: Sampling): Promise<void> => {
  await sampling.readDead();
  await sampling.snapshot('dead');
};

/** From the path control to the last question. A control has no claims, no stop, and nobody leaves. */
const observe = async (
  run: Run,
  phase: Phases,
  sampling: Sampling,
  exchanges: Exchanges,
  { detour, control = async () => null }: Pick<ExecuteInput, 'detour' | 'control'>,
  offer: () => Promise<void>,
): Promise<void> => {
  if (run.signal.aborted) return;
  await phase('path-control', () => controlPaths(run, detour));
  await phase('baseline', () => sampling.snapshot('baseline'));
  await phase('drive', () => drive(run, exchanges, sampling.beforeLeave));
  const { staysMs } = run.cell;
  if (staysMs !== null) {
    await phase('watch', () => stay(run, staysMs));
    return;
  }
  await sampling.snapshot('driven');
  if (run.signal.aborted) return;
  await phase('settle', () => settle(run));
  if (hasEnded(run)) await readDeadLedger(sampling);
  await sampling.snapshot('settled');
  // The last look belongs to what is judged: of a ledger that is read at marks only there is no other.
  const then = (work: Promise<void>, mark: string): Promise<void> => work.then(() => sampling.snapshot(mark));
  await phase('watch', () => then(watch(run), 'watched'));
  // With what was leaked still there: asking lets upstreams finish, and repairs some systems.
  await offer();
  if (run.facts.stopsAt === null && !run.signal.aborted) await phase('ask', () => then(ask(run), 'end'));
  if (run.facts.stopsAt === null) await dumpWhereViolated(run, control);
};

/** Each part whatever became of the one before: the log of a system that cannot be stopped is evidence all the same. */
const finish = async (run: Run, phase: Phases, sampling: Sampling | undefined, growth: LogGrowth | undefined): Promise<readonly Problem[]> => {
  const problems: Problem[] = [];
  const tryTo = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => problems.push(...problemsOf(error)));
  // Of a run that broke off it shows how far it had come.
  if (sampling) await tryTo(sampling.end());
  if (run.cell.staysMs === null && !hasNoSystem(run.cell.card)) await tryTo(phase('stop', () => stop(run)));
  if (sampling) await tryTo(sampling.halt());
  await tryTo(collectLogs(run, growth));
  growth?.halt();
  return problems;
};

/** The user's own interruption is nothing that went wrong. */
const wentWrong = (error: unknown, signal: AbortSignal): readonly Problem[] =>
  signal.aborted && error === signal.reason && !(error instanceof ProblemError) ? [] : problemsOf(error);

const attempt = async (input: ExecuteInput, phase: Phases): Promise<Executed> => {
  let facts = input.cell.facts;
  let run: Run | undefined;
  let sampling: Sampling | undefined;
  let growth: LogGrowth | undefined;
  const problems: Problem[] = [];
  const { keeping, stageFolder, control = async () => null } = input;
  let keptMs: number | null = null;
  const offer = async (isEnd: boolean): Promise<void> => {
    if (keeping && keptMs === null) keptMs = await keepUp(run!, { keeping, sampling: sampling!, stageFolder, control, isEnd });
  };
  try {
    const exchanges = await phase('prepare', async () => {
      run = await prepare(input);
      facts = run.facts;
      growth = watchLogs(run);
      sampling = await startSampling(run);
      input.onStarted();
      const planned = createExchanges(run);
      await warmUp(run, planned);
      // Not earlier: some systems make their ledger with the first request.
      if (!run.signal.aborted) await sampling.proveLedger();
      return planned;
    });
    await observe(run!, phase, sampling!, exchanges, input, () => offer(false));
    await offer(true);
  } catch (error) {
    problems.push(...wentWrong(error, input.signal));
  }
  if (run) problems.push(...(await finish(run, phase, sampling, growth)));
  return { facts, problems, keptMs };
};

/** Runs a cell to its end. Never throws: what went wrong is in `problems`, what was seen is in the bundle. */
export const execute = async (input: ExecuteInput): Promise<Executed> => {
  const phase = createPhases(input.timeline, input.onPhase);
  const executed = await attempt(input, phase);
  await phase('seal', async () => void (await input.scope.close()));
  return executed;
};
