// What the system itself has to say when a claim was seen violated: its own dump, as its card says how. Taken once, when all
// claims but those about its end are decided, and before it is told to stop. Nothing that comes of it is an error of the run.
import { setTimeout as pass } from 'node:timers/promises';
import { messageOf } from '../model/problem.ts';
import { nowMs } from '../model/time.ts';
import type { Timeline } from '../model/timeline.ts';
import type { RunningSystem } from '../runtimes/runtime.ts';
import type { CardDump } from '../systems/card.ts';
import { periodsOf, toMs } from '../systems/periods.ts';
import { fillText } from '../systems/template.ts';
import { isPaused } from './instances.ts';
import { judgedSoFar } from './judged-so-far.ts';
import type { Run } from './run-context.ts';

const LOOK_MS = 50;
/** A log that was silent for so long is not growing any more. */
const QUIET_MS = 300;

const namesOf = (process: string): { readonly said: string; readonly left: string } => ({ said: `dumps/${process}.txt`, left: `dumps/${process}.file.txt` });

const lengthOf = async (system: RunningSystem): Promise<number> => (await system.logBytes?.()) ?? (await system.readLog()).length;

/** `isOver`: whether it was seen to be done, and does not keep the system busy any more. */
type Asked = { readonly detail: string; readonly isOver: boolean };

/**
 * Until it has said what it had to say, or the time is over.
 * @param begin notes that it was asked; not called where nobody was there any more, since whoever ends before is not ended by us
 * @returns null: nobody was there
 */
const afterSignal = async (system: RunningSystem, signal: string, limitMs: number, begin: (noticedMs: number) => void): Promise<Asked | null> => {
  let askedMs = nowMs();
  // Where it cannot be said whether it was heard, it may have been.
  const orAsked = (error: unknown): never => {
    begin(askedMs);
    throw error;
  };
  const before = await lengthOf(system).catch(orAsked);
  askedMs = nowMs();
  if (!(await system.signal(signal).catch(orAsked))) return null;
  begin(askedMs);
  let length = before;
  let grewMs = nowMs();
  let isQuiet = false;
  for (const untilMs = nowMs() + limitMs; nowMs() < untilMs && !system.hasExited(); await pass(LOOK_MS)) {
    const now = await lengthOf(system);
    if (now > length) grewMs = nowMs();
    length = now;
    isQuiet = length > before && nowMs() - grewMs > QUIET_MS;
    if (isQuiet) break;
  }
  if (system.hasExited()) return { detail: `it ended of ${signal}`, isOver: true };
  const printed = `it printed ${length - before} bytes, after the first ${before} of its log`;
  return { detail: length > before ? printed : `it printed nothing within ${limitMs} ms`, isOver: isQuiet };
};

const afterCommand = async (run: Run, system: RunningSystem, command: readonly string[], limitMs: number): Promise<Asked> => {
  const { stage, bundle, cell } = run;
  if (!system.exec) return { detail: 'no command can be run beside it on this runtime', isOver: true };
  const folder = `${stage.probesFolder}/dumps`;
  await stage.send('stage', { do: 'open-folder', path: folder });
  const own = run.system.instances.find(({ process }) => process === system)?.own ?? {};
  const values = { ...run.system.values, ...own, pid: system.exec.pid, dump: `${stage.systemFolder}/dumps/${system.name}` };
  const { code, output } = await system.exec.run(command.map((word) => fillText(word, values, `${cell.card.file}: dump`)), limitMs);
  const left = (await stage.send('stage', { do: 'read-file', path: `${folder}/${system.name}` })) as string | null;
  const names = namesOf(system.name);
  await bundle.keepText(names.said, output);
  if (left) await bundle.keepText(names.left, left);
  const files = `${names.said}${left ? ` and ${names.left}` : ''}`;
  return { detail: `${files}: the command ended with ${code === null ? 'no code' : `code ${code}`}`, isOver: code !== null };
};

const dumpOf = async (run: Run, system: RunningSystem, dump: CardDump): Promise<void> => {
  const { timeline, cell } = run;
  const by = dump.signal ?? 'command';
  const limitMs = toMs(dump.within, periodsOf(cell.card, cell.scenario), 'dump');
  const begin = (noticedMs = nowMs()): void => void timeline.note({ type: 'dump', process: system.name, edge: 'begin', by, detail: '' }, 'harness', noticedMs);
  const failed = (error: unknown): Asked => ({ detail: `it failed: ${messageOf(error)}`, isOver: false });
  if (dump.signal === null) begin();
  const asked = await (dump.signal === null ? afterCommand(run, system, dump.command, limitMs) : afterSignal(system, dump.signal, limitMs, begin)).catch(failed);
  if (asked !== null) timeline.note({ type: 'dump', process: system.name, edge: 'end', by, ...asked });
};

/** Every process of the card that can be asked, with how. */
const dumpsOf = (run: Run): readonly (readonly [RunningSystem, CardDump])[] =>
  run.system.processes.flatMap((system) => {
    const isServing = run.system.instances.some(({ process }) => process === system);
    const { dump } = run.cell.card.run.find(({ name }) => name === (isServing ? run.cell.card.listen.on : system.name)) ?? {};
    return dump && !system.hasExited() && !isPaused(run, system) ? [[system, dump] as const] : [];
  });

/** @param control of the same cell, or null where it has none; it may still be running */
export const dumpWhereViolated = async (run: Run, control: () => Promise<Timeline | null>): Promise<void> => {
  const dumps = dumpsOf(run);
  if (dumps.length === 0 || run.signal.aborted) return;
  const verdicts = await judgedSoFar(run, control);
  if (!verdicts.some(({ outcome }) => outcome === 'violated')) return;
  await Promise.all(dumps.map(([system, dump]) => dumpOf(run, system, dump)));
};
