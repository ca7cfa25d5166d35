// An explanation as text for people: what will be done, how long it may take, and what each claim waits for.
import { formatMs } from '../model/time.ts';
import type { Act, ExplainedClaim, Explanation, ProbeSpeed, SetValue } from '../plan/explanation.ts';
import { columns, oneLine } from '../reports/text.ts';

const indentTable = (rows: readonly (readonly string[])[]): readonly string[] =>
  columns(rows.map((row) => row.map((cell) => oneLine(cell)))).map((line) => `  ${line}`);

const section = (title: string, lines: readonly string[]): readonly string[] => (lines.length === 0 ? [] : ['', `${title}:`, ...lines]);

const phaseRows = ({ phases, total }: Explanation): readonly (readonly string[])[] => [
  ['phase', 'planned', 'at most', 'over by', 'decided by', 'why'],
  ...phases.map(({ phase, plannedMs, atMostMs, overByMs, from, why }) => [
    phase, plannedMs === null ? 'as needed' : formatMs(plannedMs), atMostMs === 0 ? '-' : formatMs(atMostMs), formatMs(overByMs), from, why,
  ]),
  ['in all', formatMs(total.plannedMs), formatMs(total.atMostMs), '', '', 'and what is needed'],
];

const actRow = ({ who, act, when, mark, atMostMs }: Act): readonly string[] => [
  who,
  act,
  [when, mark === null ? null : `sets mark ${mark}`, atMostMs === null ? null : `at most ${formatMs(atMostMs)}`]
    .filter((part) => part !== null)
    .join(', '),
];

const probeRow = ({ probe, everyMs, limitMs, because, isFastEnough }: ProbeSpeed): readonly string[] => [
  probe,
  `every ${formatMs(everyMs)}`,
  limitMs === null ? '' : `${isFastEnough ? 'needs' : 'TOO SLOW: needs'} ${formatMs(limitMs)}`,
  because,
];

const instanceRow = ({ process, clockAheadMs, clients }: Explanation['instances'][number]): readonly string[] => [
  process,
  clockAheadMs === 0 ? 'right clock' : `clock ${formatMs(Math.abs(clockAheadMs))} ${clockAheadMs > 0 ? 'ahead' : 'behind'}`,
  clients.length === 0 ? 'no client connects to it' : `for ${clients.join(', ')}`,
];

const valueRow = ({ name, value, from, why }: SetValue): readonly string[] => [name, value, from, why];

const listed = (title: string, lines: readonly string[] | undefined): readonly string[] =>
  lines === undefined || lines.length === 0 ? [] : [`    ${title}:`, ...lines.map((line) => `      - ${oneLine(line)}`)];

const latest = (byMs: number | null): string => (byMs === null ? '' : `, ${formatMs(byMs)} after the scripts began at the latest`);

const deadlineLine = ({ deadline }: ExplainedClaim): readonly string[] =>
  deadline === null
    ? ['    decided at the end of the record']
    : [`    due ${formatMs(deadline.ms)} ${deadline.words} (decided by the ${deadline.from})${latest(deadline.byMs)}`];

/** What leaves each of several claims open is said once, above them. */
const sharedDoubts = ({ claims }: Explanation): readonly string[] => {
  const lists = claims.flatMap(({ inconclusiveIf }) => (inconclusiveIf === undefined ? [] : [inconclusiveIf]));
  return lists.length < 2 ? [] : lists[0]!.filter((line) => lists.every((list) => list.includes(line)));
};

const claimLines = (claim: ExplainedClaim, shared: readonly string[]): readonly string[] => {
  const title = `  ${claim.id}${claim.as === null ? '' : `, ${oneLine(claim.as)}`}`;
  if (claim.notApplicable !== null) return [title, `    does not apply: ${oneLine(claim.notApplicable)}`];
  return [
    title,
    ...deadlineLine(claim),
    ...(claim.caughtBy.length > 0 ? [`    must be violated here by: ${claim.caughtBy.join(', ')}`] : []),
    ...(claim.isKnown ? ['    the card lists it as known to be violated'] : []),
    ...listed('must have been seen', claim.needs),
    ...listed('violated if', claim.violatedIf),
    ...listed('inconclusive if', claim.inconclusiveIf?.filter((line) => !shared.includes(line))),
    ...(claim.usesControl ? ['    is compared with the control'] : []),
  ];
};

const controlLine = ({ control: { staysMs, why } }: Explanation): string =>
  staysMs === null ? `  none: ${why}` : `  its client stays for ${formatMs(staysMs)}: ${why}`;

/** One cell. */
export const explanationText = (explanation: Explanation): string => {
  const { scenario, name, about, system, runtime, defects, notApplicable } = explanation;
  const shared = sharedDoubts(explanation);
  return [
    `${scenario}: ${oneLine(name)}`,
    ...(about === '' ? [] : [`  ${oneLine(about)}`]),
    `  on ${system}, runtime ${runtime}${defects.length > 0 ? `, with ${defects.join(', ')}` : ''}`,
    ...(notApplicable === null ? [] : [`  nothing of it applies here: ${oneLine(notApplicable)}`]),
    ...section('Axes', indentTable(explanation.axes.map(({ axis, value, from }) => [axis, value ?? 'not said', from]))),
    ...section('Instances', explanation.instances.length > 1 || explanation.instances.some(({ clockAheadMs }) => clockAheadMs !== 0)
      ? indentTable(explanation.instances.map(instanceRow))
      : []),
    ...section('Phases', indentTable(phaseRows(explanation))),
    ...section('What is done', indentTable(explanation.acts.map(actRow))),
    ...section('Marks', explanation.marks.flatMap(({ mark, setBy, byMs, then }) => [
      `  ${mark}, set by ${oneLine(setBy)}${latest(byMs)}`, ...then.map((line) => `    - ${oneLine(line)}`),
    ])),
    ...section('Probes', indentTable(explanation.probes.map(probeRow))),
    ...section('Control', [controlLine(explanation)]),
    ...section('Periods', indentTable(explanation.periods.map(valueRow))),
    ...section('Bounds', indentTable(explanation.bounds.map(valueRow))),
    ...section('Settings, as the system finds them in its environment', indentTable(explanation.settings.map(valueRow))),
    ...section('Every claim is inconclusive if', shared.map((line) => `  - ${oneLine(line)}`)),
    ...section('Claims', explanation.claims.flatMap((claim) => claimLines(claim, shared))),
    '',
  ].join('\n');
};
