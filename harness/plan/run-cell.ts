// One cell from its bundle to its verdicts: executed, its control awaited, judged, reported, sealed.
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { JUDGE_VERSION } from '../bundle/format.ts';
import type { Manifest, Resolved, Verdicts } from '../bundle/format.ts';
import { readBundle } from '../bundle/read.ts';
import { createRedactor } from '../bundle/redact.ts';
import { createBundleWriter } from '../bundle/write.ts';
import type { BundleWriter } from '../bundle/write.ts';
import { harnessFaultsOf, judge } from '../expectations/judge.ts';
import type { Facts } from '../model/facts.ts';
import { createLiveTimeline } from '../model/live.ts';
import type { LiveTimeline } from '../model/live.ts';
import type { PhaseName } from '../model/observation.ts';
import { ProblemError, problemsOf } from '../model/problem.ts';
import type { Problem } from '../model/problem.ts';
import { createScope } from '../model/scope.ts';
import type { Timeline } from '../model/timeline.ts';
import { scenarioOutcome } from '../model/verdict.ts';
import type { ScenarioOutcome, Verdict } from '../model/verdict.ts';
import { execute } from '../run/execute.ts';
import type { PathDetour } from '../run/path-control.ts';
import type { Runtime } from '../runtimes/runtime.ts';
import type { Cell } from '../systems/cell.ts';
import { knownOf } from '../systems/known.ts';

/** What the cells of one command share. */
export type Session = {
  readonly runId: string;
  readonly runtime: Runtime;
  /** Where the bundles of this command go. */
  readonly output: string;
  readonly stages: string;
  /** By the card's file: the folder of its packages. */
  readonly installed: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
  readonly manifest: Pick<Manifest, 'argv' | 'harness' | 'versions'>;
  /** By name: what cards refer to as `${secret.name}`. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly timelines: Set<LiveTimeline>;
  readonly onPhase: (cell: Cell, phase: PhaseName) => void;
  readonly detour?: PathDetour;
};

export type CellResult = {
  readonly cell: Cell;
  readonly attempt: number;
  readonly folder: string;
  readonly outcome: ScenarioOutcome;
  readonly verdicts: readonly Verdict[];
  readonly problems: readonly Problem[];
  readonly timeline: Timeline;
  readonly tookMs: number;
};

/** A name for folders, labels and containers, unique in its command. */
export const nameOf = (cell: Cell, attempt: number): string => {
  const words = [cell.id, ...(cell.presets.length > 0 ? ['with', ...cell.presets] : []), ...(attempt > 1 ? ['attempt', String(attempt)] : [])];
  return words.join('-').replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '');
};

export const resolvedOf = (cell: Cell, facts: Facts): Resolved => ({
  judged: { facts, claims: cell.claims },
  run: {
    card: cell.card.system, defects: cell.defects, settings: cell.settings, matrix: cell.scenario.matrix,
    catches: cell.scenario.catches, saw: cell.scenario.saw, about: cell.scenario.about, source: cell.scenario.source,
    file: cell.scenario.file, presets: cell.presets,
    known: knownOf(cell.card, cell.id),
  },
});

const openBundle = async (cell: Cell, attempt: number, session: Session, scenarioText: string, onFailure: (failure: ProblemError) => void): Promise<{ bundle: BundleWriter; redactor: ReturnType<typeof createRedactor> }> => {
  const redactor = createRedactor();
  for (const secret of Object.values(session.secrets)) redactor.register(secret);
  const { runId, runtime, manifest } = session;
  const bundle = await createBundleWriter(join(session.output, nameOf(cell, attempt)), {
    manifest: {
      ...manifest, runId, scenario: cell.id, scenarioHash: createHash('sha256').update(scenarioText).digest('hex'), runtime: runtime.kind,
      startedAt: new Date().toISOString(), isControl: cell.staysMs !== null,
    },
    scenarioText, resolved: resolvedOf(cell, cell.facts), redactor, onFailure,
  });
  return { bundle, redactor };
};

const outcomeOf = (verdicts: readonly Verdict[], problems: readonly Problem[], interrupted: boolean): ScenarioOutcome => {
  if (interrupted) return 'interrupted';
  if (problems.length > 0) return 'error';
  return scenarioOutcome(verdicts);
};

/** A control's timeline, or nothing where it broke. */
export type ControlOf = () => Promise<Timeline | null>;

const closeBundle = async (bundle: BundleWriter, verdicts: Verdicts, report: (folder: string) => Promise<string>): Promise<void> => {
  await bundle.writeVerdicts(verdicts);
  await bundle.writeReport(await report(bundle.folder));
  await bundle.seal();
};

export type RunCellInput = {
  readonly cell: Cell;
  readonly attempt: number;
  readonly session: Session;
  readonly control: ControlOf;
  readonly onStarted: () => void;
  readonly scenarioText: string;
  /** Makes report.md of a bundle's folder. */
  readonly report: (folder: string) => Promise<string>;
};

/** Never throws for what happens to the system; problems of the bundle itself are in the result too. */
export const runCell = async (input: RunCellInput): Promise<CellResult> => {
  const { cell, attempt, session, onStarted } = input;
  const problems: Problem[] = [];
  // Evidence that cannot be written is worth no further minute.
  const unwritable = new AbortController();
  let bundle: BundleWriter | undefined;
  const timeline = createLiveTimeline((observation) => bundle?.observe(observation));
  const scope = createScope((report) => timeline.note({ type: 'scope-closed', ...report }));
  const finish = (outcome: ScenarioOutcome, verdicts: readonly Verdict[], sealed: Timeline): CellResult =>
    ({ cell, attempt, folder: bundle?.folder ?? '', outcome, verdicts, problems, timeline: sealed, tookMs: Math.round(timeline.elapsedMs()) });
  if (session.signal.aborted) return finish('interrupted', [], timeline.seal());
  session.timelines.add(timeline);
  try {
    const opened = await openBundle(cell, attempt, session, input.scenarioText, (failure) => unwritable.abort(failure));
    bundle = opened.bundle;
    const executed = await execute({
      cell, runtime: session.runtime, timeline, scope, bundle, signal: AbortSignal.any([session.signal, unwritable.signal]), runId: session.runId,
      stageId: nameOf(cell, attempt), stageFolder: join(session.stages, nameOf(cell, attempt)), installed: session.installed.get(cell.card.file) ?? null,
      secrets: session.secrets, onSecret: opened.redactor.register, onPhase: (phase) => session.onPhase(cell, phase), onStarted,
      ...(session.detour ? { detour: session.detour } : {}),
    });
    session.timelines.delete(timeline);
    problems.push(...executed.problems);
    await bundle.update({ resolved: resolvedOf(cell, executed.facts) });
    await bundle.closeTimeline();
    const control = await input.control();
    if (control) await bundle.writeControl(control);
    // Judged from what was written, so that judging the bundle later cannot say anything else.
    const { timeline: sealed, control: copied, resolved } = await readBundle(bundle.folder);
    const judged = problems.length > 0 || session.signal.aborted ? [] : judge({ timeline: sealed, control: copied, ...resolved.judged });
    const outcome = outcomeOf(judged, problems, session.signal.aborted);
    problems.push(...harnessFaultsOf(judged));
    await closeBundle(bundle, {
      judge: JUDGE_VERSION, scenario: cell.id, outcome, verdicts: judged,
      problems: problems.map(({ family, code, message, hint }) => ({ family, code, message, ...(hint === undefined ? {} : { hint }) })),
    }, input.report);
    return finish(outcome, judged, sealed);
  } catch (error) {
    problems.push(...problemsOf(error));
    return finish(session.signal.aborted ? 'interrupted' : 'error', [], timeline.seal());
  } finally {
    session.timelines.delete(timeline);
    await scope.close();
  }
};

/** The folder of one command's bundles. @throws ProblemError `output-not-writable` */
export const makeOutput = async (folder: string): Promise<void> => {
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    throw new ProblemError({ family: 'environment', code: 'output-not-writable', message: `${folder} cannot be made`, hint: 'give another folder with --output', cause });
  }
};
