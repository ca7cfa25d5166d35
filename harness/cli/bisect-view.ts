// From the state of a search to what people see of it.
import type { Symptom } from '../model/symptom.ts';
import { isSymptom, symptomWords } from '../model/symptom.ts';
import { answerOf } from '../plan/bisect-run/answer.ts';
import type { Sought } from '../plan/bisect-run/answer.ts';
import type { Reckoned } from '../plan/bisect-run/line.ts';
import { tallyOf } from '../plan/bisect-run/standing.ts';
import type { Probe, SearchState } from '../plan/bisect-run/state.ts';
import { isAt } from '../plan/bisect-run/store.ts';
import { borderRoles } from '../reports/bisect/view.ts';
import type { BisectResult, BisectView, GridView, LineView, ProbeRow, Standing, VersionStanding } from '../reports/bisect/view.ts';

/** What is not in the state: what is being done right now. */
export type Now = {
  readonly phase: string;
  readonly sought: Sought | null;
  readonly line: Reckoned | null;
  readonly running: BisectView['running'];
  readonly wantedConfidence: number;
  readonly maxProbes: number | null;
  readonly result: BisectResult | null;
  readonly commands: BisectView['commands'];
  /** What people call a place. */
  readonly aboutOf: (place: readonly string[]) => string;
};

export const placeText = (axes: readonly { readonly axis: string }[], at: readonly string[]): string =>
  axes.map(({ axis }, index) => `${axis}=${at[index]}`).join(', ');

/** What a run said: before it is known what is looked for, only whether it violated anything. */
const said = ({ seen }: Probe, sought: Sought | null): { readonly answer: string; readonly why: string } => {
  const symptoms = seen.symptoms.map(({ claim }) => claim).join(', ');
  if (sought === null) return { answer: seen.outcome, why: symptoms || seen.why };
  const answer = answerOf(seen, sought);
  return { answer, why: answer === 'good' ? '' : answer === 'bad' ? sought.wanted : symptoms || seen.why };
};

const rowOf = (probe: Probe, state: SearchState, { sought, aboutOf }: Now): ProbeRow => ({
  number: probe.number,
  at: placeText(state.question.axes, probe.at),
  about: aboutOf(probe.at),
  ...said(probe, sought),
  page: probe.evidence === null ? null : `${probe.evidence}/report.html`,
  tookMs: probe.tookMs,
  endedAt: probe.endedAt,
});

const roleOf = (reckoned: Reckoned, index: number, isBackwards: boolean): VersionStanding['role'] => {
  const { lastGood, firstBad, range, isPlaced, line } = reckoned;
  const border = borderRoles(isBackwards);
  if (index === firstBad) return border.bad;
  if (index === lastGood) return border.good;
  if (index === 0) return 'good end';
  if (index === line.values.length - 1) return 'bad end';
  return isPlaced && index > range.from && index <= range.to ? 'possible' : null;
};

const lineView = (reckoned: Reckoned, { aboutOf }: Now, isBackwards: boolean): LineView => ({
  axis: reckoned.line.axis,
  range: reckoned.range,
  versions: reckoned.line.values.map((value, index) => {
    const { good, bad, other, unclear, given } = reckoned.tallies[index]!;
    const about = aboutOf(reckoned.line.places[index]!);
    return { value, about, good, bad, other, unclear, untestable: given, likely: reckoned.likely[index] ?? null, role: roleOf(reckoned, index, isBackwards) };
  }),
});

/** What was run on two axes, in their order. */
const gridView = ({ question, probes }: SearchState, sought: Sought): GridView => {
  const [across, down] = question.axes;
  const touched = (index: number): readonly string[] => question.axes[index]!.values.filter((value) => probes.some(({ at }) => at[index] === value));
  const cellAt = (place: readonly string[]): Standing => {
    const { good, bad, other, unclear, given } = tallyOf(probes.filter(({ at }) => isAt(place, at)), sought);
    return { good, bad, other, unclear, untestable: given };
  };
  const columns = touched(0);
  return {
    axes: [across!.axis, down!.axis],
    columns,
    rows: touched(1).map((value) => ({ value, cells: columns.map((column) => cellAt([column, value])) })),
  };
};

const named = (symptom: Symptom | null, sought: Sought | null): BisectView['symptom'] => {
  if (symptom !== null && (sought === null || isSymptom(symptom, sought.wanted))) return { words: symptomWords(symptom), fingerprint: symptom.fingerprint };
  return sought === null ? null : { words: sought.wanted, fingerprint: sought.wanted };
};

export const bisectView = (state: SearchState, now: Now): BisectView => {
  const { question } = state;
  const [first, last] = [question.axes.map(({ values }) => values[0]!), question.axes.map(({ values }) => values.at(-1)!)];
  const isBackwards = question.axes.length === 1 && question.axes[0]!.isBackwards === true;
  return {
    scenario: question.scenario,
    system: question.card,
    runtime: question.runtime,
    isBackwards,
    from: placeText(question.axes, first),
    to: placeText(question.axes, last),
    phase: now.phase,
    symptom: named(state.symptom, now.sought),
    wantedConfidence: now.wantedConfidence,
    probes: state.probes.map((probe) => rowOf(probe, state, now)),
    running: now.running,
    line: now.line && lineView(now.line, now, isBackwards),
    grid: now.sought === null || question.axes.length < 2 ? null : gridView(state, now.sought),
    maxProbes: now.maxProbes,
    startedAt: state.startedAt,
    updatedAt: new Date().toISOString(),
    result: now.result,
    commands: now.commands,
  };
};
