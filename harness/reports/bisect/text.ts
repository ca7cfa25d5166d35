// A search in text: the one line that says where it is, and what came of it for a terminal.
import { formatMs } from '../../model/time.ts';
import { oneLine, plural } from '../text.ts';
import { openValues, percent, withAbout } from './view.ts';
import type { BisectResult, BisectView, Neighbour, ProbeRow } from './view.ts';

const rangeWords = (values: readonly string[]): string => {
  if (values.length === 0) return '';
  return values.length === 1 ? values[0]! : `${values[0]} .. ${values.at(-1)}`;
};

const likeliest = (view: BisectView): string => {
  const versions = view.line?.versions ?? [];
  const best = versions.toSorted((a, b) => (b.likely ?? 0) - (a.likely ?? 0))[0];
  return best?.likely === null || best === undefined ? '' : `, ${percent(best.likely)} that it is ${best.value}`;
};

/** Where it stands, on one line. */
export const statusLine = (view: BisectView): string => {
  const { line } = view;
  const open = line ? openValues(line) : [];
  const left = view.phase.startsWith('searching') && open.length > 0 ? `: ${plural(open.length, 'value')} of ${line!.axis} left (${rangeWords(open.map(({ value }) => value))})${likeliest(view)}` : '';
  const running = view.running.map(({ at, phase }) => `${at} (${phase})`).join(', ');
  const budget = view.maxProbes === null ? '' : ` of at most ${view.maxProbes}`;
  return oneLine(`${view.phase}${left}; ${plural(view.probes.length, 'run')}${budget}${running === '' ? '' : `; now ${running}`}`, 1_000);
};

/** One run that has ended, as a line that stays. */
export const probeLine = ({ number, at, about, answer, why, tookMs }: ProbeRow): string =>
  oneLine(`${String(number).padStart(3)}  ${answer.padEnd(10)} ${withAbout(at, about)}  ${formatMs(tookMs)}${why === '' ? '' : `  ${why}`}`, 300);

const neighbourWords = ({ at, about, runs, bad }: Neighbour): string => `${withAbout(at, about)}: ${bad} of ${plural(runs, 'run')} bad`;

export const ratesWords = ({ good, bad }: NonNullable<BisectResult['rates']>): string =>
  `estimated: ${percent(bad)} of the runs of bad values show it, ${percent(good)} of those of good ones`;

/** What came of it, several lines. `folder` is where everything lies, as the user would give it. */
export const resultText = (view: BisectView, folder: string): string => {
  const { result, symptom } = view;
  if (!result) return '';
  const evidence = (which: string, one: Neighbour | null): readonly string[] =>
    one === null ? [] : [`  ${which.padEnd(9)} ${neighbourWords(one)}${one.evidence === null ? '' : `  ${folder}/${one.evidence}`}`];
  const lines = [
    '',
    result.sentence,
    ...(symptom === null ? [] : [`  symptom   ${symptom.words}  [${symptom.fingerprint}]`]),
    ...(result.confidence === null ? [] : [`  confidence ${percent(result.confidence)} (asked for: ${percent(view.wantedConfidence)})`]),
    ...(result.rates === null ? [] : [`  ${ratesWords(result.rates)}`]),
    ...[result.good, ...result.alsoGood].flatMap((one) => evidence('good', one)),
    ...evidence('bad', result.bad),
    ...result.width.map(({ value, why }) => `  not told apart: ${value}: ${why}`),
    `  ${plural(view.probes.length, 'run')}, all of it in ${folder}`,
    ...view.commands.map(({ what, command }) => `  ${what}: ${command}`),
  ];
  return `${lines.map((line) => oneLine(line.trimStart(), 2_000)).map((line, index) => (index < 2 ? line : `  ${line}`)).join('\n')}\n`;
};
