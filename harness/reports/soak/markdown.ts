// soak.md: the same as soak.html, for a mail or a chat.
import { formatMs } from '../../model/time.ts';
import type { SoakNight } from '../../model/soak.ts';
import { markdownCode, markdownText, plural } from '../text.ts';
import { looksFirst, NOWHERE } from './looks.ts';
import { diskLines, factsLine, fixedWords, headline, isTold, OUTCOME_WORDS, rateText } from './words.ts';

const MAXIMUM_SYMPTOMS = 5;

const cellLines = (night: SoakNight): readonly string[] =>
  night.cells.filter(isTold).flatMap((cell) => {
    const fixed = fixedWords(cell);
    const before = cell.before === null ? '' : `; before ${rateText(cell.before)}`;
    return [
      `- ${markdownText(cell.cell)}: not passed ${rateText(cell.notPassed)}${before}${cell.change === null ? '' : ` **${cell.change}**`}`,
      ...cell.symptoms.slice(0, MAXIMUM_SYMPTOMS).map(({ words, outcome, count, isNew, bundle }) =>
        `  - ${isNew ? '**new tonight** ' : ''}${outcome}: ${markdownText(words)}, ${plural(count, 'time')}${bundle === null ? '' : `, ${markdownCode(bundle)}`}`),
      ...cell.gone.slice(0, MAXIMUM_SYMPTOMS).map((words) => `  - not seen tonight: ${markdownText(words)}`),
      ...(fixed === null ? [] : [`  - ${markdownText(fixed)}`]),
    ];
  });

const section = (title: string, lines: readonly string[], otherwise: string): string => [`## ${title}`, '', ...(lines.length === 0 ? [otherwise] : lines), ''].join('\n');

export const soakMarkdown = (night: SoakNight): string => {
  const { trends, notReached, outages, history, noLife } = night;
  const rest = [
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
    ...(rest.length === 0 ? [] : [section('The rest', rest, '')]),
  ].join('\n');
};
