// The end of a night at a terminal: a screenful, and where the page is.
import type { SoakNight, Trend } from '../../model/soak.ts';
import { join } from 'node:path';
import { columns, oneLine } from '../text.ts';
import { looksFirst, NOWHERE } from './looks.ts';
import { diskLines, factsLine, fixedWords, headline, isTold, OUTCOME_WORDS, rateText } from './words.ts';

const MAXIMUM_ROWS = 20;

const trendRow = ({ of, measure, outcome, why, how }: Trend): readonly string[] => [OUTCOME_WORDS[outcome], `${measure} of ${oneLine(of)}`, oneLine(`${why} (${how})`, 200)];

/** What had too few readings, on one line: a short night has little else. */
const tooLittle = ({ trends }: SoakNight): readonly string[] => {
  const few = trends.filter(({ p }) => p === null);
  return few.length === 0 ? [] : [`too little to tell, soak longer: ${[...new Set(few.map(({ measure, of }) => `${measure} of ${oneLine(of)}`))].join(', ')}`];
};

/** @param folder of the night */
export const soakText = (night: SoakNight, folder: string): string => {
  const told = night.cells.filter(isTold);
  const rows = told.slice(0, MAXIMUM_ROWS).map((cell) => [oneLine(cell.cell), rateText(cell.notPassed), cell.change ?? '', oneLine(cell.symptoms[0]?.words ?? fixedWords(cell) ?? '', 140)]);
  return [
    '', `Night: ${headline(night)}`, factsLine(night), '',
    'Where to look first:', ...(looksFirst(night).length === 0 ? [`  nowhere: ${NOWHERE}`] : looksFirst(night).map(({ what, bundle }, index) =>
      `  ${index + 1}. ${oneLine(what)}${bundle === null ? '' : `\n     ${join(folder, bundle)}`}`)),
    ...(rows.length === 0 ? [] : ['', ...columns([['scenario', 'not passed', '', 'most of all'], ...rows]), ...(told.length > rows.length ? [`and ${told.length - rows.length} more`] : [])]),
    '', ...columns(night.trends.filter(({ p }) => p !== null).map(trendRow)), ...tooLittle(night), ...(night.noLife === null ? [] : [night.noLife]),
    '', ...diskLines(night), ...(night.history.note === null ? [] : [night.history.note]),
    `Report: ${join(folder, 'soak.html')}`, '',
  ].join('\n');
};
