// Mutants of the judges that no record can tell from the original, each with why. They are named by file, code and
// replacement, so that a changed line is looked at again.
type Same = readonly [file: string, code: string, replacement: string | null, why: string];

const SAME: readonly Same[] = [
  ['parts/control.ts', "seen.type === 'phase'", 'true', 'Nothing but a phase has a `phase`.'],
  ['parts/held-rows.ts', 'planned.repeat === true', 'true', 'What bears the marker of a first attempt was not there before that was planned.'],
  ['parts/ledger.ts', 'leaseMs === undefined', 'false', 'Nothing lasts longer than a lease without a length.'],
  ['parts/starved.ts', 'leaseMs === undefined', 'false', 'Nothing lasts longer than a third of a lease without a length.'],
  ['parts/liveness.ts', 'upstreams.some((each) => overMs(each) === Infinity)', null, 'The one that is over last is then one that is not over: it has neither end nor close to tell of.'],
  ['parts/liveness.ts', '(each) => overMs(each) === Infinity', null, 'The one that is over last is then one that is not over.'],
  ['parts/liveness.ts', 'overMs(each) === Infinity', null, 'The one that is over last is then one that is not over.'],
  ['parts/liveness.ts', 'all.filter((each) => each !== undefined)', 'all', 'Sorting puts what is undefined last.'],
  ['parts/liveness.ts', 'each !== undefined', 'true', 'Sorting puts what is undefined last.'],
  ['parts/origin.ts', 'seen.filter((each) => each !== undefined)', 'seen', 'Sorting puts what is undefined last.'],
  ['parts/origin.ts', 'each !== undefined', 'true', 'Sorting puts what is undefined last.'],
  ['parts/moment.ts', "each.edge === 'end'", 'true', 'Only an end has an outcome.'],
  ['parts/moment.ts', "typeof after === 'string'", 'true', 'No mark has a name that is not a text.'],
  ['parts/outage.ts', "seen.type === 'signal-sent'", 'true', 'Nothing else has a signal but an exit, which counts anyway.'],
  ['parts/outage.ts', "'signal-sent'", '""', 'What a signal is called is not asked once it is one.'],
  ['parts/outage.ts', "edge === 'end'", 'true', 'Of one fault an end comes before its next begin.'],
  ['parts/billing-class.ts', 'found === undefined', 'false', 'A class that is undefined is left out of the verdict (`judge.ts`).'],
  ['parts/stopping.ts', 'facts.stopsAt === null', 'false', 'No mark has the name null.'],
  ['parts/stopping.ts', 'markMs !== undefined', 'true', 'Nothing is later than undefined.'],
  ['parts/subject.ts', "typeof within === 'number'", 'true', 'No bound is shorter than a limit that is not there.'],
  ['parts/explaining.ts', "typeof withinMs === 'number'", 'true', 'A text is not more than 0 either.'],
  ['parts/unseen-writes.ts', 'pairs.length === 0', 'false', 'A shortcut: nothing is found among no pairs.'],
  ['bounded-buffering.ts', "seen.type === 'paused' || seen.type === 'resumed'", 'true', 'Those of another type are left out where they are used.'],
  ['charged-once.ts', 'leftMs === null', 'false', 'A shortcut: of who has not left the slack is not asked.'],
  ['only-mine-released.ts', 'orphanedMs === -Infinity', 'false', 'Whose instance was never gone was attended for ever.'],
  ['parts/due.ts', 'bounds[bound] !== undefined && fromMs !== undefined', null, 'Nothing is near what is not there.'],
  ['parts/due.ts', 'bounds[bound] !== undefined', 'true', 'Nothing is near a bound that is not there.'],
  ['parts/due.ts', 'fromMs !== undefined', 'true', 'Nothing is near a bound without a beginning.'],
  ['parts/due.ts', 'bounds.send === undefined', 'false', 'Nothing is near a bound that is not there.'],
  ['parts/closing.ts', 'atMs > span.lateMs', 'true', 'More than the most that can have been taken by then was taken later: totals only grow.'],
  ['parts/held-rows.ts', 'each > first', 'each >= first', 'In its first live sample it is live.'],
  ['parts/trust.ts', 'started.pid !== null', 'true', 'No thread belongs to a process `null`.'],
  ['parts/unseen-writes.ts', '/^(system-|process-exited|signal-sent|fault|ledger-|refund|precondition)/', null, 'No type of a fact has these words further on.'],
  ['refund-refused.ts', "'none'", '""', 'A word of the reason.'],
  ['reserved-kept.ts', 'sweepMs !== undefined', 'true', 'Nothing lasts longer than a period without a length.'],
  ['terminal-once.ts', 'leaseMs === undefined', 'false', 'Nothing lasts longer than a third of a lease without a length.'],
  ['upstream-closed.ts', "typeof after === 'string'", 'true', 'No leave has a mark that is not a text.'],
  ['bounded-wait.ts', 'ms > span.dueMs', 'false', 'What ended later is not held, and only what is held is asked about it.'],
  ['charged-once.ts', "readingsOf(view.timeline, 'ledger').length === 0", 'false', 'A shortcut: without samples there is no baseline either.'],
  ['judge.ts', 'a < b', 'a <= b', 'No two keys of an object are the same.'],
];

/** Why the two are the same; null where nobody has said so. A replacement of null stands for any. */
export const sameAs = (file: string, code: string, replacement: string): string | null => {
  const bare = (text: string): string => text.replace(/\s+/g, '');
  const found = SAME.find(
    ([name, original, other]) => file.endsWith(`/${name}`) && bare(original) === bare(code) && (other === null || bare(other) === bare(replacement)),
  );
  return found?.[3] ?? null;
};
