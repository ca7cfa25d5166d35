// What an issue says first: in one line for its title, in one paragraph for who reads no further.
import type { Bundle } from '../../bundle/read.ts';
import type { ClaimRow, ScenarioSummary } from '../summary.ts';
import { oneLine, plural } from '../text.ts';
import { code, prose } from './safe.ts';
import type { Hide } from './safe.ts';

export type Headed = { readonly bundle: Bundle; readonly summary: ScenarioSummary };

const HOW: Readonly<Record<string, string>> = {
  fin: 'closes its connection (FIN)',
  rst: 'resets its connection (RST)',
  'half-close': 'closes its half of the connection',
  kill: 'is killed',
  vanish: 'vanishes from the network',
  stall: 'stops reading',
};

/** `when its client resets its connection (RST)`, or nothing where nobody leaves. */
const occasion = ({ resolved }: Bundle, shown: Hide): string => {
  const [first, ...others] = [
    ...new Set(resolved.judged.facts.leaves.map(({ how }) => (Object.hasOwn(HOW, how) ? HOW[how]! : `leaves (${shown(how)})`))),
  ];
  return first === undefined ? '' : ` when its client ${first}${others.length > 0 ? `, or leaves otherwise` : ''}`;
};

const occasionProse = (bundle: Bundle, hide: Hide): string => occasion(bundle, (text) => prose(text, hide));

const MAXIMUM_TITLE = 140;

/** With its version, where the card names one. */
const systemOf = ({ resolved: { run } }: Bundle): string => (run.version === undefined ? run.card : `${run.card} ${run.version}`);

const titleWords = ({ bundle, summary }: Headed): string => {
  const violated = summary.rows.filter(({ outcome }) => outcome === 'violated');
  const [first, ...others] = violated;
  const system = systemOf(bundle);
  if (summary.outcome === 'failed' && first)
    return `${system}: ${first.id}${others.length > 0 ? ` and ${plural(others.length, 'more claim')}` : ''} violated${occasion(bundle, oneLine)}`;
  if (summary.outcome === 'passed') return `${system}: nothing violated${occasion(bundle, oneLine)}`;
  return `${system}: ${summary.scenario}: ${summary.outcome}`;
};

/** One line of plain text. */
export const titleOfIssue = (headed: Headed, hide: Hide): string => oneLine(hide(titleWords(headed)), MAXIMUM_TITLE);

const reasonOf = (row: ClaimRow, hide: Hide): string => prose(row.reason, hide);

const failed = ({ bundle, summary }: Headed, hide: Hide): string => {
  const violated = summary.rows.filter(({ outcome }) => outcome === 'violated');
  const total = summary.rows.filter(({ outcome }) => outcome !== 'does-not-apply').length;
  return (
    `${code(systemOf(bundle), hide)} does not do what is right${occasionProse(bundle, hide)}: ${reasonOf(violated[0]!, hide)}. ` +
    (total === 1
      ? 'It is the one claim about this run.'
      : `Of ${total} claims about this run ${violated.length} ${violated.length === 1 ? 'is' : 'are'} violated.`)
  );
};

const inconclusive = ({ summary }: Headed, hide: Hide): string => {
  const rows = summary.rows.filter(({ outcome }) => outcome === 'inconclusive');
  return `**Nothing can be concluded from this run.** ${plural(rows.length, 'claim')} could not be decided, and none is violated: ${reasonOf(rows[0]!, hide)}.`;
};

const untestable = ({ bundle, summary }: Headed, hide: Hide): string => {
  const [first] = summary.problems;
  return `**Nothing was started:** ${code(systemOf(bundle), hide)} cannot be had here${first ? `: ${prose(first.message, hide)}` : ''}. Nothing is said of it.`;
};

const brokenOff = ({ bundle, summary }: Headed, hide: Hide): string => {
  const [first] = summary.problems;
  const isCutOff = summary.outcome === 'interrupted' || !bundle.isSealed;
  const why = first && !isCutOff ? `: ${prose(first.message, hide)} (${code(first.code, hide)})` : '';
  const what = isCutOff ? 'was cut off before its end' : 'broke off with an error';
  const judged = summary.rows.length > 0 ? 'What follows' : 'Nothing was judged: what follows is what was recorded until then, and';
  return `**This run ${what}${why}.** ${judged} says nothing against ${code(systemOf(bundle), hide)}.`;
};

/** The first paragraph, by what the run has come to. */
export const firstParagraph = (headed: Headed, hide: Hide): string => {
  const { summary, bundle } = headed;
  if (bundle.manifest.isControl)
    return `**This is a control:** a run whose client stays, for others to be compared with. It is judged by nobody; write the issue of a bundle that has used it.`;
  switch (summary.outcome) {
    case 'failed':
      return failed(headed, hide);
    case 'inconclusive':
      return inconclusive(headed, hide);
    case 'passed':
      return `**Not reproduced.** ${code(systemOf(bundle), hide)} did what is right${occasionProse(bundle, hide)}: ${plural(summary.counts.held, 'claim')} held, none is violated.`;
    case 'untestable':
      return untestable(headed, hide);
    case 'does-not-apply':
      return `No claim of this scenario applies to ${code(systemOf(bundle), hide)}; nothing was shown.`;
    default:
      return brokenOff(headed, hide);
  }
};

const listed = (rows: readonly ClaimRow[], hide: Hide): string =>
  rows.map(({ id, issue }) => code(id, hide) + (issue ? ` (${prose(issue, hide)})` : '')).join(', ');

/** What a reader must know before believing any of it. */
export const caveats = ({ bundle, summary }: Headed, hide: Hide): readonly string[] => {
  const { run } = bundle.resolved;
  const known = summary.rows.filter(({ standing }) => standing === 'known');
  const fixed = summary.rows.filter(({ standing }) => standing === 'fixed');
  const lines = [
    ...(run.defects.length > 0
      ? [`The system was run with faults that were planted on purpose: ${run.defects.map((name) => code(name, hide)).join(', ')}.`]
      : []),
    ...(known.length > 0
      ? [
          `Known already, as the card says: ${listed(known, hide)}.`,
        ]
      : []),
    ...(fixed.length > 0 ? [`Listed by the card as known, and not violated here: ${listed(fixed, hide)}.`] : []),
    ...(summary.otherwise?.length === 0 ? ['This is what a run of this scenario must conclude: it is no news.'] : []),
    ...bundle.notes.map((note) => `Note: ${prose(note, hide)}.`),
  ];
  return lines.flatMap((line) => [`> ${line}`, '']);
};
