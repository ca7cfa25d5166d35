// What one cell comes to, before anything is started: pure, from the cell alone. What it says of a claim
// is the claim's own word (`explain` of its definition).
import { eachClient, instancesOf } from '../model/facts.ts';
import type { Claim, Facts } from '../model/facts.ts';
import type { Field, Item } from '../model/fields.ts';
import { formatMs, isLengthRange } from '../model/time.ts';
import { flow } from '../scenario/example.ts';
import { registries } from '../scenario/registries.ts';
import { ownAxesOf } from '../systems/axes/card-at.ts';
import type { CardAxis } from '../systems/card.ts';
import type { Cell } from '../systems/cell.ts';
import { knownOf } from '../systems/known.ts';
import { hasNoSystem } from '../systems/no-system.ts';
import { boundsIn, faultLengthMs, periodsIn, phasesOf, settingsIn, stepLength } from './explain-lengths.ts';
import { needsControl } from './controls.ts';
import type { Act, ExplainedAxis, ExplainedClaim, Explanation, MarkUse, ProbeSpeed } from './explanation.ts';

const lengthWords = (value: unknown): unknown => {
  if (isLengthRange(value)) return `${formatMs(value.from)}..${formatMs(value.to)}`;
  return typeof value === 'number' ? formatMs(value) : value;
};

const valueWords = (field: Field | undefined, value: unknown): unknown => (field?.type === 'duration' ? lengthWords(value) : value);

const whenWords = ({ after, wait }: Cell['faults'][number]): string => {
  if (after === null) return 'before the start';
  return wait === undefined ? `at mark ${after}` : `${lengthWords(wait)} after mark ${after}`;
};

/** An item as it would be written, its lengths in words. */
export const itemWords = ({ kind, options }: Item, fields: Readonly<Record<string, Field>> = {}): string => {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  const given = Object.fromEntries(entries.map(([key, value]) => [key, valueWords(fields[key], value)]));
  return entries.length === 0 ? kind : `${kind}: ${flow(given)}`;
};

const wordsOf = (family: 'steps' | 'faults', item: Item): string => itemWords(item, registries[family].get(item.kind)?.fields.options);

const actsOf = ({ scripts, faults }: Cell): readonly Act[] => [
  ...Object.entries(scripts).flatMap(([client, script]) =>
    script.map((step): Act => ({
      who: `client ${client}`, act: wordsOf('steps', step), when: null, mark: step.mark, atMostMs: stepLength(step).atMostMs,
    })),
  ),
  ...faults.map((fault): Act => ({
    who: 'fault', act: wordsOf('faults', fault.item), when: whenWords(fault), mark: fault.mark, atMostMs: null,
  })),
];

/** When a mark of a script is set at the latest: every wait before it run out. */
const latestMs = (cell: Cell, mark: string): number | null => {
  for (const script of Object.values(cell.scripts)) {
    const at = script.findIndex((step) => step.mark === mark);
    // A step that waits sets its mark when the wait is over, one that acts has no limit.
    if (at >= 0) return script.slice(0, at + 1).reduce((sum, step) => sum + (stepLength(step).atMostMs ?? 0), 0);
  }
  // One that a fault sets comes when that is done; a restart has no limit of its own.
  const fault = cell.faults.find((each) => each.mark === mark);
  if (!fault?.after || fault.item.kind === 'restart' || fault.after === mark) return null;
  const before = latestMs({ ...cell, faults: cell.faults.filter((each) => each !== fault) }, fault.after);
  return before === null ? null : before + faultLengthMs(fault);
};

const marksOf = (acts: readonly Act[], cell: Cell): readonly MarkUse[] =>
  acts.flatMap(({ who, act, mark }) => {
    if (mark === null) return [];
    const done = cell.faults.filter(({ after }) => after === mark).map(({ item }) => `fault ${wordsOf('faults', item)}`);
    const claims = cell.claims.filter(({ options }) => options.after === mark).map(({ id }) => `${id} counts from it`);
    const waiting = Object.entries(cell.scripts).flatMap(([client, script]) =>
      script.some(({ kind, options }) => kind === 'await' && options.mark === mark) ? [`client ${client} waits for it`] : []);
    return [{ mark, setBy: `${who}: ${act}`, byMs: latestMs(cell, mark), then: [...done, ...claims, ...waiting] }];
  });

const applying = (cell: Cell): readonly Claim[] => cell.claims.filter(({ notApplicable }) => notApplicable === null);

const speed = (probe: string, everyMs: number, limitMs: number | null, because: string): ProbeSpeed => ({
  probe, everyMs, limitMs, because, isFastEnough: limitMs === null || everyMs <= limitMs,
});

const probesOf = (cell: Cell): readonly ProbeSpeed[] => {
  if (hasNoSystem(cell.card)) return [];
  const { sampling, ledger, periods: { leaseMs } } = cell.facts;
  const closing = applying(cell).filter(({ kind }) => ['upstream-closed', 'bounded-wait'].includes(kind));
  const limits = closing.map(({ options }) => (typeof options.within === 'number' ? options.within : 0) + cell.facts.marginMs);
  const ledgerLimit = leaseMs ?? null;
  const watched =
    ledgerLimit === null
      ? 'the card declares no lease: claims about leases do not apply'
      : 'a lease: what comes and goes between two looks is not seen';
  return [
    ...(ledger === null ? [] : [speed('ledger', sampling.ledgerMs, ledgerLimit, watched)]),
    limits.length === 0
      ? speed('sockets', sampling.socketsMs, null, 'no claim asks for the system\'s end of a connection')
      : speed('sockets', sampling.socketsMs, Math.min(...limits), 'the smallest limit and margin of a claim about a connection'),
    leaseMs === undefined
      ? speed('process', sampling.processMs, null, 'whether the system lives, and how much memory it has')
      : speed('process', sampling.processMs, leaseMs / 3, 'a third of a lease: so long may the system wait for a processor'),
  ];
};

const deadlineOf = (cell: Cell, { kind, options }: Claim): ExplainedClaim['deadline'] => {
  const { facts, scenario } = cell;
  const bound = kind === 'bounded-wait' ? options.bound : (options.after as { readonly bound?: unknown } | undefined)?.bound;
  const boundMs = typeof bound === 'string' ? (facts.bounds[bound as keyof Facts['bounds']] ?? 0) : null;
  const within = typeof options.within === 'number' ? options.within : null;
  if (kind === 'clean-shutdown') {
    const ms = within ?? facts.stop.graceMs;
    return { ms, words: `after ${facts.stop.signal}`, from: within === null ? 'card' : 'scenario', byMs: null };
  }
  if (boundMs !== null) {
    const from = String(bound) in scenario.system.settings ? 'scenario' : 'card';
    const ms = boundMs + (kind === 'bounded-wait' ? 0 : (within ?? 0));
    return { ms, words: `after the origin of the ${String(bound)} bound`, from, byMs: null };
  }
  if (within === null) return null;
  if (typeof options.after !== 'string') return { ms: within, words: 'after it begins', from: 'scenario', byMs: null };
  const markMs = latestMs(cell, options.after);
  return { ms: within, words: `after mark ${options.after}`, from: 'scenario', byMs: markMs === null ? null : markMs + within };
};

const isNamed = (names: readonly string[], { kind, id }: Claim): boolean => names.includes(kind) || names.includes(id);

const explainClaim = (cell: Cell, claim: Claim): ExplainedClaim => {
  const { catches } = cell.scenario;
  const definition = registries.expectations.get(claim.kind);
  const base = {
    id: claim.id,
    as: claim.as ?? null,
    notApplicable: claim.notApplicable,
    isKnown: knownOf(cell.card, cell.scenario.id).some(({ violates }) => isNamed(violates, claim)),
    caughtBy: cell.defects.filter((defect) => Object.hasOwn(catches, defect) && isNamed(catches[defect]!, claim)),
  };
  if (claim.notApplicable !== null) return { ...base, deadline: null, usesControl: false };
  // Of copies all is the same but the name.
  const [options] = eachClient(cell.facts, claim.options);
  return {
    ...base,
    deadline: deadlineOf(cell, claim),
    usesControl: definition?.usesControl === true && needsControl(cell),
    ...definition?.explain?.(cell.facts, options ?? claim.options),
  };
};

const controlOf = (cell: Cell, control: Cell | undefined): Explanation['control'] => {
  if (control?.staysMs != null) {
    const why = 'the same on a fresh stage, up to the leave; then the client stays. What closes there at the same age closes by itself';
    return { staysMs: control.staysMs, why };
  }
  const isAsked = applying(cell).some(({ kind }) => registries.expectations.get(kind)?.usesControl);
  if (!isAsked) return { staysMs: null, why: 'no claim needs one' };
  const { leaves } = cell.facts;
  if (leaves.length === 0) return { staysMs: null, why: 'nobody leaves at a mark' };
  return { staysMs: null, why: 'who leaves sends nothing: there is nothing that a leave could have caused' };
};

const instancesIn = ({ facts, scenario }: Cell): Explanation['instances'] =>
  instancesOf(facts).map(({ process, clockAheadMs }, index) => ({
    process,
    clockAheadMs,
    clients: Object.entries(scenario.clients).flatMap(([name, { instance }]) => (instance === index + 1 ? [name] : [])),
  }));

const nothingApplies = ({ claims }: Cell): string | null => {
  const reasons = [...new Set(claims.map(({ notApplicable }) => notApplicable))];
  return reasons.includes(null) ? null : reasons.join('; ');
};

const sourceWords = ({ from, package: name, repository, list }: CardAxis): string =>
  from === 'list' ? `one of ${list.join(', ')}` : [from, name ?? repository].filter((word) => word !== null).join(' ');

/** The card's own, and what else was asked for: settings, defects, the runtime. */
const axesIn = ({ card, coordinates }: Cell): readonly ExplainedAxis[] => {
  const own = ownAxesOf(card);
  const asked = Object.entries(coordinates).filter(([axis]) => !Object.hasOwn(own, axis));
  return [
    ...Object.entries(own).map(([axis, source]) => ({ axis, value: source.use, from: sourceWords(source) })),
    ...asked.map(([axis, value]) => ({ axis, value, from: 'as asked for' })),
  ];
};

/** @param control the control that would be run for it, from `controlsOf` */
export const explainCell = (cell: Cell, control: Cell | undefined): Explanation => {
  const phases = phasesOf(cell);
  const acts = actsOf(cell);
  return {
    scenario: cell.id,
    axes: axesIn(cell),
    name: cell.scenario.name,
    about: cell.scenario.about,
    system: cell.card.system,
    runtime: cell.runtime,
    defects: cell.defects,
    instances: instancesIn(cell),
    notApplicable: nothingApplies(cell),
    phases,
    total: {
      plannedMs: phases.reduce((sum, { plannedMs }) => sum + (plannedMs ?? 0), 0),
      atMostMs: phases.reduce((sum, { atMostMs }) => sum + atMostMs, 0),
    },
    acts,
    marks: marksOf(acts, cell),
    probes: probesOf(cell),
    claims: cell.claims.map((claim) => explainClaim(cell, claim)),
    control: controlOf(cell, control),
    periods: periodsIn(cell),
    bounds: boundsIn(cell),
    settings: settingsIn(cell),
  };
};
