// One cell from its bundle to its verdicts: executed, its control awaited, judged, reported, sealed.
import { join } from 'node:path';
import { FILES } from '../bundle/format.ts';
import type { BundleWriter } from '../bundle/write.ts';
import { harnessFaultsOf, judging } from '../expectations/judge.ts';
import { createLiveTimeline } from '../model/live.ts';
import type { LiveTimeline } from '../model/live.ts';
import { problemsOf } from '../model/problem.ts';
import type { Problem } from '../model/problem.ts';
import { createScope } from '../model/scope.ts';
import type { Scope } from '../model/scope.ts';
import type { Timeline } from '../model/timeline.ts';
import { inTurns } from '../model/turns.ts';
import { scenarioOutcome } from '../model/verdict.ts';
import type { ScenarioOutcome, Verdict } from '../model/verdict.ts';
import { execute } from '../run/execute.ts';
import type { CapturePlan } from '../runtimes/capture.ts';
import type { Cell } from '../systems/cell.ts';
import { closeBundle, nameOf, openBundle, resolvedOf, salvage, verdictsOf } from './cell-bundle.ts';
import type { Report } from './cell-bundle.ts';
import { runtimeOf } from './session.ts';
import type { Session } from './session.ts';
import { untestableResult } from './untestable.ts';

export type CellResult = {
  readonly cell: Cell;
  readonly attempt: number;
  /** What was chosen for this attempt where the scenario gives a range. */
  readonly drawn?: Cell['drawn'];
  readonly folder: string;
  readonly outcome: ScenarioOutcome;
  readonly verdicts: readonly Verdict[];
  readonly problems: readonly Problem[];
  readonly tookMs: number;
};

/** `timeline`: as it was written, for those that share a control; null where it broke off. Results, kept to the end, do not hold it. */
export type RanCell = { readonly result: CellResult; readonly timeline: Timeline | null };

const outcomeOf = (verdicts: readonly Verdict[], problems: ReadonlySet<Problem>, interrupted: boolean): ScenarioOutcome => {
  if (interrupted) return 'interrupted';
  if (problems.size > 0) return 'error';
  return scenarioOutcome(verdicts);
};

/** A control's timeline, or nothing where it broke. */
export type ControlOf = () => Promise<Timeline | null>;

export type RunCellInput = {
  readonly cell: Cell;
  readonly attempt: number;
  readonly session: Session;
  readonly control: ControlOf;
  readonly onStarted: () => void;
  readonly scenarioText: (cell: Cell) => string | Promise<string>;
  readonly report: Report;
};

/** What the phases of one cell share on the way from its bundle to its verdicts. */
type Running = {
  readonly timeline: LiveTimeline;
  readonly scope: Scope;
  readonly problems: Set<Problem>;
  bundle: BundleWriter | undefined;
  /** It was left up for somebody, which is no part of how long it takes. */
  keptMs: number;
};

type Judged = {
  readonly outcome: ScenarioOutcome;
  readonly verdicts: readonly Verdict[];
  /** As it was written, without secrets. */ readonly sealed: Timeline;
};

const captureOf = ({ captureBytes = null }: Session, { folder }: BundleWriter): CapturePlan | null =>
  captureBytes === null || folder === null ? null : { file: join(folder, FILES.capture), limitBytes: captureBytes };

/** @returns what is on the disk by then */
const runAndJudge = async (input: RunCellInput, running: Running): Promise<Judged> => {
  const { cell, attempt, session, onStarted } = input;
  const { timeline, scope, problems } = running;
  const told = (found: readonly Problem[]): void => found.forEach((problem) => problems.add(problem));
  // Evidence that cannot be written is worth no further minute.
  const unwritable = new AbortController();
  const { bundle, redactor } = await openBundle(cell, attempt, session, await input.scenarioText(cell), (failure) =>
    unwritable.abort(failure),
  );
  running.bundle = bundle;
  const executed = await execute({
    cell,
    runtime: runtimeOf(session, cell),
    timeline,
    scope,
    bundle,
    signal: AbortSignal.any([session.signal, unwritable.signal]),
    runId: session.runId,
    stageId: nameOf(cell, attempt),
    capture: captureOf(session, bundle),
    stageFolder: join(session.stages, nameOf(cell, attempt)),
    installed: session.installed.get(cell.card.key) ?? null,
    source: session.sources?.get(cell.card.key) ?? null,
    secrets: session.secrets,
    onSecret: redactor.register,
    onPhase: (phase) => session.onPhase(cell, phase, attempt),
    onStarted,
    control: input.control,
    ...(session.keeping ? { keeping: session.keeping } : {}),
    ...(session.detour ? { detour: session.detour } : {}),
  });
  session.timelines.delete(timeline);
  running.keptMs = executed.keptMs ?? 0;
  told(executed.problems);
  await bundle.update({ resolved: resolvedOf(cell, executed.facts, session.asked) });
  await bundle.closeTimeline();
  const control = await input.control();
  if (control) await bundle.writeControl(control);
  // Judged from what was written, so that judging the bundle later cannot say anything else; in turns, since other runs go on.
  const { timeline: sealed, control: copied, resolved } = await bundle.readBack();
  const isInterrupted = session.signal.aborted && executed.keptMs === null;
  const isJudged = problems.size === 0 && !isInterrupted;
  const verdicts = isJudged ? await inTurns(judging({ timeline: sealed, control: copied, ...resolved.judged })) : [];
  const judged = outcomeOf(verdicts, problems, isInterrupted);
  told(harnessFaultsOf(verdicts));
  const closed = await closeBundle(bundle, verdictsOf(cell, judged, verdicts, [...problems]), input.report);
  told(closed.problems);
  return { outcome: closed.outcome, verdicts, sealed };
};

/** Never throws: what went wrong, with the bundle too, is in the result; whatever was begun is closed and sealed. */
export const runCell = async (input: RunCellInput): Promise<RanCell> => {
  const { cell, attempt, session } = input;
  const timeline = createLiveTimeline((observation) => running.bundle?.observe(observation));
  const scope = createScope((report) => timeline.note({ type: 'scope-closed', ...report }));
  const running: Running = { timeline, scope, problems: new Set(), bundle: undefined, keptMs: 0 };
  const ran = (outcome: ScenarioOutcome, verdicts: readonly Verdict[] = [], sealed: Timeline | null = null): RanCell => ({
    timeline: sealed,
    result: {
      cell,
      attempt,
      folder: running.bundle?.folder ?? '',
      outcome,
      verdicts,
      problems: [...running.problems],
      tookMs: Math.round(timeline.elapsedMs() - running.keptMs),
    },
  });
  if (session.signal.aborted) return ran('interrupted');
  const why = session.untestable?.(cell) ?? null;
  if (why !== null) return { timeline: null, result: await untestableResult(input, why) };
  session.timelines.add(timeline);
  try {
    const { outcome, verdicts, sealed } = await runAndJudge(input, running);
    return ran(outcome, verdicts, sealed);
  } catch (error) {
    for (const problem of problemsOf(error)) running.problems.add(problem);
    await scope.close();
    const outcome = session.signal.aborted ? 'interrupted' : 'error';
    if (running.bundle) await salvage(running.bundle, verdictsOf(cell, outcome, [], [...running.problems]), input.report);
    return ran(outcome);
  } finally {
    session.timelines.delete(timeline);
    await scope.close();
  }
};
