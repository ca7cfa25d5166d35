// docs/mutation.md: the score of each file and the survivors under their reasons. The same results give the same page.
import { REASONS, reasonOf } from './reasons.ts';
import type { Survivor } from './reasons.ts';
import { isAlive, scoreOf } from './score.ts';
import type { Mutant, Place } from './score.ts';

export type Report = {
  /** Said at the top, where the results are not those of one run. */
  readonly note?: string;
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
};

const FOLDER = 'harness/expectations/';

const codeAt = (source: string, start: Place, end: Place): string => {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  return lines
    .map((line, index) => line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined))
    .join('\n');
};

const survivorsOf = ({ files }: Report): readonly Survivor[] =>
  Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants
      .filter(isAlive)
      .toSorted((a, b) => a.location.start.line - b.location.start.line)
      .map((mutant) => ({ file, mutant, code: codeAt(source, mutant.location.start, mutant.location.end) })),
  );

const short = (text: string): string => {
  const line = text.replace(/\s+/g, ' ');
  return `\`\` ${line.length > 70 ? `${line.slice(0, 70)}...` : line} \`\``;
};

const nameOf = (file: string): string => file.slice(file.startsWith(FOLDER) ? FOLDER.length : 0);

const listOf = (survivors: readonly Survivor[]): readonly string[] =>
  survivors.map(({ file, code, mutant }) => `- ${nameOf(file)}:${mutant.location.start.line} ${short(code)} to ${short(mutant.replacement ?? mutant.mutatorName)}`);

/** @param least the score that is promised, percent */
export const pageOf = (report: Report, least: number): string => {
  const files = Object.entries(report.files).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const all = scoreOf(files.flatMap(([, { mutants }]) => mutants));
  const survivors = survivorsOf(report);
  const row = (name: string, { killed, survived, ignored, score }: typeof all): string => `| ${name} | ${score.toFixed(1)} | ${killed} | ${survived} | ${ignored} |`;
  const section = (name: string, why: string, of: readonly Survivor[]): readonly string[] => (of.length === 0 ? [] : ['', `## ${name} (${of.length})`, '', why, '', ...listOf(of)]);
  return [
    '# Mutation of the judges',
    '',
    `Written by \`npm run mutation-page\` from the results of \`npm run mutation\`; at least ${least} % must be killed. \`npm run mutation -- --mutate FILE\``,
    'tries one file; what has been tried is kept, and only what changed is tried again.',
    '',
    'The properties and the fairness tests are left out: each runs hundreds of whole stories, and a mutant that only they would kill counts as',
    'a survivor. Mutants of what runs once when a file is loaded (definitions, tables) are not tried: no test can be told to run with one of them alone.',
    '',
    ...(report.note === undefined ? [] : [report.note, '']),
    '| file | killed, % | killed | alive | not tried |',
    '| --- | --: | --: | --: | --: |',
    ...files.map(([file, { mutants }]) => row(nameOf(file), scoreOf(mutants))),
    row('all', all),
    ...REASONS.flatMap((reason) => section(reason.name, reason.why, survivors.filter((each) => reasonOf(each) === reason))),
    ...section('Not explained', 'No test kills these and nobody has said why that is right.', survivors.filter((each) => reasonOf(each) === null)),
    '',
  ].join('\n');
};
