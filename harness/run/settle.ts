// Waits until no claim is pending any more, or says which still are. A claim of presence that is
// decided ends its own wait early; the watch that follows is never cut short.
import { expectations } from '../expectations/registry.ts';
import { eachClient } from '../model/facts.ts';
import type { BoundName } from '../model/facts.ts';
import { nowMs } from '../model/time.ts';
import { inTurns } from '../model/turns.ts';
import { hasEnded } from './instances.ts';
import type { Run } from './run-context.ts';

const ALLOWANCE_MS = 1_000;
/** Judging a live timeline costs a sort, which grows with it: asking takes a tenth of the time at most. */
const ASK_EVERY_MS = 100;
const PAUSE_FACTOR = 10;

/** How a system stops is decided when it is told to; only where the scenario does that is it waited for here. */
const isDecidedHere = (kind: string, stopsAt: string | null): boolean =>
  expectations.get(kind)?.pending !== undefined && (kind !== 'clean-shutdown' || stopsAt !== null);

/** Bounds that count from the request: what has passed since is over. The others may begin at any time. */
const FROM_REQUEST: ReadonlySet<unknown> = new Set<BoundName>(['header', 'lifetime', 'age']);

/**
 * The longest that a claim may still take: its own limit, and the bound it waits for or counts from.
 * @param sinceRequestMs how long ago the client's latest request was written; nothing before the run
 */
export const settleLimitMs = (
  { facts, cell }: Pick<Run, 'facts' | 'cell'>,
  sinceRequestMs: (client: unknown) => number = () => 0,
): number => {
  const limits = cell.claims
    .filter((claim) => claim.notApplicable === null && isDecidedHere(claim.kind, facts.stopsAt))
    .map(({ kind, options }) => {
      const within = typeof options.within === 'number' ? options.within : 0;
      const bound = kind === 'bounded-wait' ? options.bound : (options.after as { readonly bound?: unknown } | undefined)?.bound;
      const passedMs = FROM_REQUEST.has(bound) ? sinceRequestMs(options.client) : 0;
      return within + Math.max(0, (facts.bounds[bound as BoundName] ?? 0) - passedMs);
    });
  const exit = facts.stopsAt === null ? 0 : facts.stop.graceMs;
  return Math.max(0, ...limits, exit) + facts.marginMs + ALLOWANCE_MS;
};

/** Claims that more of the record may still decide, each with what it waits for. Yields after each client of each. */
export function* pendingClaims(run: Pick<Run, 'facts' | 'cell' | 'timeline'>): Generator<void, readonly string[]> {
  const timeline = run.timeline.seal();
  const pending: string[] = [];
  for (const { kind, id, options, notApplicable } of run.cell.claims) {
    const definition = expectations.get(kind);
    if (notApplicable !== null || !definition?.pending) continue;
    for (const one of eachClient(run.facts, options)) {
      const reason = definition.pending({ timeline, facts: run.facts, options: one });
      if (reason !== null) pending.push(`${id}: ${reason}`);
      yield;
      if (reason !== null) break;
    }
  }
  return pending;
}

const pendingExit = (run: Run): readonly string[] =>
  run.facts.stopsAt !== null && !run.system.main.hasExited() ? [`${run.system.main.name} has not ended yet`] : [];

/** Resolves when nothing is pending, at the limit, when the system has ended, or when aborted. */
export const settle = async (run: Run): Promise<void> => {
  const beganMs = run.timeline.elapsedMs();
  const written = run.timeline.observations.filter((seen) => seen.type === 'request-written');
  const untilMs =
    beganMs +
    settleLimitMs(run, (client) => beganMs - (written.findLast(({ actor }) => actor === `client.${String(client)}`)?.atMs ?? beganMs));
  let pending: readonly string[] = [];
  for (;;) {
    const askedMs = nowMs();
    pending = [...(await inTurns(pendingClaims(run))), ...pendingExit(run)];
    const pauseMs = Math.max(ASK_EVERY_MS, PAUSE_FACTOR * (nowMs() - askedMs));
    const over = run.timeline.elapsedMs() >= untilMs || run.signal.aborted || hasEnded(run);
    if (pending.length === 0 || over) break;
    await run.timeline.waitFor(() => undefined, Math.min(pauseMs, untilMs - run.timeline.elapsedMs()), run.signal);
  }
  run.timeline.note({ type: 'settled', pending, tookMs: Math.round(run.timeline.elapsedMs() - beganMs) });
};
