// `hangup soak`: a night of runs, and in the morning one page of what is new.
import { basename, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { secretsOfEnvironment } from '../bundle/looks-secret.ts';
import { createSecrets } from '../bundle/secrets.ts';
import type { Secrets } from '../bundle/secrets.ts';
import { EXIT } from '../model/exit-code.ts';
import type { ScenarioResult } from '../model/exit-code.ts';
import { problem } from '../model/problem.ts';
import type { SoakNight } from '../model/soak.ts';
import { formatMs } from '../model/time.ts';
import { lockFolder } from '../plan/folder-lock.ts';
import { placesOf } from '../plan/jobs.ts';
import { namedInVain, selectCells, whyNothing } from '../plan/select.ts';
import { makeOutput } from '../plan/session.ts';
import { createDisk } from '../plan/soak/disk.ts';
import type { HistoryLine } from '../plan/soak/history.ts';
import { historyLines, nightReport } from '../plan/soak/night-report.ts';
import { soakNight } from '../plan/soak/night.ts';
import type { NightEnd } from '../plan/soak/night.ts';
import { createRotation, groupsOf } from '../plan/soak/rotation.ts';
import { createSoFar, openHistory } from '../plan/soak/so-far.ts';
import { unfitRuntimes } from '../plan/unfit-runtimes.ts';
import { plural } from '../reports/text.ts';
import { sweepContainers } from '../runtimes/sweep.ts';
import { selectRuntime } from '../runtimes/select.ts';
import type { Selected } from '../runtimes/select.ts';
import { stableTextOf } from '../systems/card-secrets.ts';
import type { Cell } from '../systems/cell.ts';
import type { Terminal } from './command.ts';
import { loadCells } from './load-cells.ts';
import { cellsByName, loadedByName } from './narrow-cells.ts';
import { packageVersion } from './package-version.ts';
import { openSession, runSelection, scheduleOf, whileWatched } from './session.ts';
import { nightCode } from './soak-code.ts';
import { endNight, roomForPages } from './soak-end.ts';
import { earlierNights } from './soak-nights.ts';
import type { SoakOptions } from './soak-options.ts';
import { thinPages } from './soak-pages.ts';
import { tellResult } from './soak-tell.ts';

/** As many readings of hangup itself in a night, and no more often than each second. */
const OWN_READINGS = 1_500;
const LEAST_BETWEEN_MS = 1_000;

const applies = ({ claims }: Cell): boolean => claims.some(({ notApplicable }) => notApplicable === null);

/** Kinds of results, each once: what the exit code is made of, however many runs there were. */
const createCounted = (): { readonly add: (result: ScenarioResult) => void; readonly all: () => readonly ScenarioResult[] } => {
  const seen = new Map<string, ScenarioResult>();
  return { add: (result) => void seen.set(JSON.stringify(result), result), all: () => [...seen.values()] };
};

/** Keys of accounts that a group of runs has made are of no use after it, and a night makes thousands. */
const freshSecrets = ({ secrets, environment }: { readonly secrets: SoakOptions['secrets']; readonly environment: Terminal['environment'] }): Secrets => {
  const own = createSecrets();
  for (const secret of secretsOfEnvironment(environment)) own.find(secret);
  for (const [name, secret] of Object.entries(secrets)) own.give(secret, `the secret "${name}"`);
  return own;
};

type Prepared = { readonly terminal: Terminal; readonly options: SoakOptions; readonly cells: readonly Cell[]; readonly all: readonly Cell[]; readonly chosen: Selected; readonly progress: (line: string) => void };

const soakCells = async ({ terminal, options, cells, all, chosen, progress }: Prepared): Promise<number> => {
  const root = resolve(terminal.cwd, options.output);
  const startedAt = new Date().toISOString();
  const history = await openHistory(root);
  if (history.note !== null) progress(history.note);
  const removed = await thinPages(root, options.keepBytes);
  if (removed !== null) progress(`pages of ${plural(removed.count, 'earlier night')} were removed: they took more than a tenth of --keep-disk`);
  const { kept, pagesBytes } = await earlierNights(root);
  const disk = createDisk(options.keepBytes, kept, { bytes: pagesBytes, removed });
  // A night waits more than it works. Where the collector may put off its work, memory goes up and down with the load, and a leak hides in that.
  setFlagsFromString('--optimize-for-size');
  const session = await openSession({
    argv: terminal.argv, root, captureBytes: null, asked: { variables: options.variables, system: options.system }, chosen, cells, progress,
    signal: terminal.signal, secrets: options.secrets, hidden: terminal.secrets, seed: options.seed, onPhase: () => {},
  });
  const folder = session.output!;
  const { runtime } = chosen;
  const schedule = scheduleOf(runtime.kind, options.jobs, { runtime, signal: terminal.signal });
  const counted = createCounted();
  const night = basename(folder);
  const soFar = createSoFar(folder, progress);
  const { shown } = terminal.secrets;
  const linesOf = (tallies: NightEnd['tallies']): readonly HistoryLine[] => shown.value(historyLines(tallies, night, runtime.kind));
  const jobs = placesOf(options.jobs, runtime.kind, navigator.hardwareConcurrency);
  progress(`soaking for ${formatMs(options.forMs)}: ${plural(cells.length, 'scenario')}, ${jobs} side by side, seed ${options.seed}, evidence in ${folder}`);
  const end: NightEnd = await whileWatched(session, () =>
    soakNight({
      cells, session: { ...session, output: folder }, seed: options.seed, forMs: options.forMs, liveForMs: options.liveForMs, disk, progress, atOnce: jobs,
      sampleEveryMs: Math.max(LEAST_BETWEEN_MS, Math.round(options.forMs / OWN_READINGS)),
      run: (group) => runSelection({ ...group, repeat: 1, schedule }),
      sessionFor: (given) => ({ ...given, hidden: freshSecrets({ secrets: options.secrets, environment: terminal.environment }) }),
      tell: (result, { hidden }) => {
        const { told, counted: one } = tellResult(result, options.strict, hidden.shown.value);
        counted.add(one);
        return told;
      },
      checkpoint: (tallies) => soFar.note(linesOf(tallies)),
      sweep: () => sweepContainers(session.runId),
    }),
  );
  const reportNow = (): SoakNight => {
    const made = nightReport({
      end, planned: cells.map(({ id }) => id), history, disk, night, startedAt, budgetMs: options.forMs, seed: options.seed, runtime: runtime.kind, why: chosen.why,
      version: packageVersion(), jobs, doesNotApply: all.filter((cell) => !applies(cell)).map(({ id }) => id), exitCode: 0,
    });
    const exitCode = end.fault !== null ? EXIT.error : nightCode({
      results: counted.all(), trends: made.trends, notReached: made.notReached.length, wasStopped: terminal.signal.aborted, endedEarly: end.endedEarly !== null, strict: options.strict,
    });
    return shown.value({ ...made, exitCode });
  };
  const lines = linesOf(end.tallies);
  if (!(await roomForPages(disk, { folder, report: reportNow(), lines }))) progress('the pages of this night take more than --keep-disk has left for them');
  const report = reportNow();
  await endNight({ root, folder, report, lines, write: terminal.write });
  // What nobody expected, now that what was found is written.
  if (end.fault !== null) throw end.fault.error;
  return report.exitCode;
};

const soakedBy = (holder: string, root: string): Error =>
  problem('environment', 'soak-under-way', `${holder} soaks into ${root} already`, { hint: 'wait until it has ended, or give another --output' });

/** @returns the exit code. @throws ProblemError what is wrong with options, scenarios, cards or the machine */
export const soak = async (terminal: Terminal, options: SoakOptions): Promise<number> => {
  for (const [name, secret] of Object.entries(options.secrets)) terminal.secrets.give(secret, `the secret "${name}"`);
  const progress = (line: string): void => terminal.writeError(`${line}\n`);
  const loaded = await loadCells(options.paths, options.variables, options.system, terminal.cwd);
  const named = { grep: options.grep, grepInvert: null };
  const chosen = await selectRuntime(options.runtime, { progress, unfit: unfitRuntimes(loadedByName(loaded, named), options) });
  const all = cellsByName(selectCells(loaded, { ...options, runtime: chosen.runtime.kind, isolation: chosen.isolation }), named)
    .map((cell) => ({ ...cell, countsDescriptors: true }));
  const inVain = namedInVain(loaded, options);
  if (inVain !== null) progress(inVain);
  const cells = all.filter(applies);
  if (cells.length === 0) {
    terminal.writeError(`hangup: no scenario matched, or none applies\n  hint: ${whyNothing(loaded, options)}\n`);
    return EXIT.nothing;
  }
  for (const cell of cells) terminal.secrets.keepReadable(stableTextOf(cell));
  terminal.signal.throwIfAborted();
  if (!options.dryRun) {
    const root = resolve(terminal.cwd, options.output);
    await makeOutput(root);
    using _ = await lockFolder('soak', root, (holder) => soakedBy(holder, root));
    return await soakCells({ terminal, options, cells, all, chosen, progress });
  }
  const rotation = createRotation(groupsOf(cells), options.seed);
  progress(`on runtime ${chosen.runtime.kind}: ${chosen.why}; seed ${options.seed}; for ${formatMs(options.forMs)}`);
  for (const group of groupsOf(cells).flatMap(() => rotation.next(() => false) ?? [])) for (const { id } of group.cells) terminal.write(`${id}\n`);
  return EXIT.passed;
};
