// result.md: what a search has found, as a page to be pasted.
import { formatMs } from '../../model/time.ts';
import { markdownCode, markdownText, plural } from '../text.ts';
import { ratesWords } from './text.ts';
import { askedWords, percent, withAbout } from './view.ts';
import type { BisectResult, BisectView, GridView, LineView, Neighbour, Standing } from './view.ts';

const neighbourRow = (one: Neighbour | null): readonly string[] =>
  one === null ? [] : [`| ${one.role} | ${markdownText(withAbout(one.at, one.about))} | ${one.runs} | ${one.bad} | ${one.evidence === null ? '' : markdownCode(one.evidence)} |`];

const answerOf = (result: BisectResult, view: BisectView): readonly string[] => [
  `**${markdownText(result.sentence, 2_000)}**`, '',
  ...(view.symptom === null ? [] : [`Looked for: ${markdownText(view.symptom.words)} (${markdownCode(view.symptom.fingerprint)}).`, '']),
  ...(result.confidence === null ? [] : [`Confidence ${percent(result.confidence)}; ${percent(view.wantedConfidence)} was asked for.`, '']),
  ...(result.rates === null ? [] : [`E${markdownText(ratesWords(result.rates)).slice(1)}.`, '']),
  ...(result.good === null && result.bad === null ? [] : ['| | at | runs | bad | evidence |', '| --- | --- | --- | --- | --- |', ...[result.good, ...result.alsoGood].flatMap(neighbourRow), ...neighbourRow(result.bad), '']),
  ...(result.width.length === 0 ? [] : ['Not told apart from it:', '', ...result.width.map(({ value, why }) => `- ${markdownText(value)}: ${markdownText(why)}`), '']),
];

const wasRun = ({ good, bad, other, unclear, untestable }: Standing): boolean => good + bad + other + unclear > 0 || untestable !== null;

const lineTable = ({ axis, versions }: LineView): readonly string[] => [
  `## ${markdownText(axis)}`, '',
  `${plural(versions.length, 'value')}, ${versions.filter(wasRun).length} of them run.`, '',
  '| value | good | bad | other | no verdict | |', '| --- | --- | --- | --- | --- | --- |',
  ...versions.filter(wasRun).map(({ value, about, good, bad, other, unclear, untestable, role }) =>
    `| ${markdownText(withAbout(value, about))} | ${good} | ${bad} | ${other} | ${unclear} | ${markdownText(untestable === null ? (role ?? '') : `untestable: ${untestable}`)} |`),
  '',
];

const cellOf = ({ good, bad, other, unclear, untestable }: Standing): string => {
  if (untestable !== null) return markdownText(`untestable: ${untestable}`);
  const counts = [['good', good], ['bad', bad], ['other', other], ['no verdict', unclear]] as const;
  return counts.flatMap(([word, count]) => (count > 0 ? [`${count} ${word}`] : [])).join(', ');
};

const gridTable = ({ axes: [across, down], columns, rows }: GridView): readonly string[] => [
  `## ${markdownText(down)} and ${markdownText(across)}`, '',
  `| | ${columns.map((value) => markdownText(value)).join(' | ')} |`, `| --- |${columns.map(() => ' --- |').join('')}`,
  ...rows.map(({ value, cells }) => `| ${markdownText(value)} | ${cells.map(cellOf).join(' | ')} |`), '',
];

/** @param comparison both neighbours beside each other, as text */
export const bisectMarkdown = (view: BisectView, comparison: string | null): string => [
  `# ${markdownText(view.scenario)} on ${markdownText(view.system)}: ${askedWords(view)}`, '',
  ...(view.result ? answerOf(view.result, view) : [markdownText(view.phase), '']),
  `Good ${markdownText(view.from)}, bad ${markdownText(view.to)}, runtime ${view.runtime}; ${plural(view.probes.length, 'run')}, ${formatMs(view.probes.reduce((sum, { tookMs }) => sum + tookMs, 0))} of running; begun ${view.startedAt}.`, '',
  ...view.commands.flatMap(({ what, command }) => [`${markdownText(what)}:`, '', '```sh', command, '```', '']),
  ...(view.line ? lineTable(view.line) : []),
  ...(view.grid ? gridTable(view.grid) : []),
  ...(comparison === null ? [] : ['## The good and the bad neighbour', '', '```text', comparison.replaceAll('```', "'''").trimEnd(), '```', '']),
].join('\n');
