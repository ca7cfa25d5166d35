// soak.md: what soak.html says, for a mail or a chat: without its pictures, and without the names of what passed each time.
import { formatMs } from '../../model/time.ts';
import type { SoakCell, SoakNight } from '../../model/soak.ts';
import { markdownCode, markdownText, plural } from '../text.ts';
import { looksFirst, NOWHERE } from './looks.ts';
import { beforeWords, comparedWords, diskLines, factsLine, fixedWords, headline, isTold, OUTCOME_WORDS, rateText, sinceWords, tookWords } from './words.ts';

const MAXIMUM_SYMPTOMS = 5;

const symptomLines = ({ symptoms }: SoakCell, nights: number): readonly string[] => {
  const lines = symptoms.slice(0, MAXIMUM_SYMPTOMS).map((symptom) => {
    const { words, outcome, count, isNew, bundle } = symptom;
    const since = sinceWords(symptom, nights);
    const age = since === null ? '' : isNew ? `**${since}** ` : `${markdownText(since)}: `;
    return `  - ${age}${outcome}: ${markdownText(words)}, ${plural(count, 'time')}${bundle === null ? ', no bundle left' : `, ${markdownCode(bundle)}`}`;
  });
  const hidden = symptoms.length - lines.length;
  return hidden > 0 ? [...lines, `  - and ${hidden} more`] : lines;
};

const tookPart = (cell: SoakCell): string => {
  const took = tookWords(cell);
  return took === null ? '' : `; took ${took.now}${took.before === null ? '' : `, ${took.before}`}`;
};

const cellLines = (night: SoakNight): readonly string[] =>
  night.cells.filter(isTold).flatMap((cell) => {
    const fixed = fixedWords(cell);
    const before = cell.before === null ? '' : `; ${beforeWords(cell.before)}`;
    return [
      `- ${markdownText(cell.cell)}: not passed ${rateText(cell.notPassed)}${cell.change === null ? '' : ` **${cell.change}**`}${before}${tookPart(cell)}`,
      ...symptomLines(cell, night.history.nights),
      ...cell.gone.slice(0, MAXIMUM_SYMPTOMS).map((words) => `  - not seen tonight: ${markdownText(words)}`),
      ...(fixed === null ? [] : [`  - ${markdownText(fixed)}`]),
    ];
  });

const section = (title: string, lines: readonly string[], otherwise: string): string => [`## ${title}`, '', ...(lines.length === 0 ? [otherwise] : lines), ''].join('\n');

export const soakMarkdown = (night: SoakNight): string => {
  const { trends, notReached, outages, history, noLife } = night;
  const rest = [
    `- ${comparedWords(night)}`,
    ...outages.map(({ atMs, forMs, why }) => `- The engine was away after ${formatMs(atMs)} for ${formatMs(forMs)}: ${markdownText(why)}`),
    ...(notReached.length === 0 ? [] : [`- Had no turn: ${notReached.map((each) => markdownText(each)).join(', ')}`]),
    ...(history.note === null ? [] : [`- ${markdownText(history.note)}`]),
  ];
  return [
    `# hangup: ${markdownText(headline(night))}`, '', `${markdownText(factsLine(night))}.`, '',
    section('Where to look first', looksFirst(night).map(({ what, bundle }, index) => `${index + 1}. ${markdownText(what)}${bundle === null ? '' : ` (${markdownCode(bundle)})`}`), `Nowhere: ${NOWHERE}.`),
    section('Not always passed, or changed', cellLines(night), 'Nothing.'),
    section('Trends', [
      ...(noLife === null ? [] : [`${markdownText(noLife)}.`, '']), '| what | | why |', '| --- | --- | --- |',
      ...trends.map(({ of, how, measure, outcome, why }) => `| ${measure} of ${markdownText(of)} (${markdownText(how)}) | ${outcome === 'grows' ? '**grows**' : OUTCOME_WORDS[outcome]} | ${markdownText(why)} |`),
    ], 'None.'),
    section('Kept and removed', diskLines(night).map((line) => `- ${line}`), ''),
    section('The rest', rest, ''),
  ].join('\n');
};
