// Marks of a scenario: who sets which, that each is one moment, and that nobody waits for one in vain.
import { didYouMean } from '../model/nearest.ts';
import type { Finding } from './issues.ts';
import { asList, asMap, asText, scriptsOf } from './raw-items.ts';
import type { Data, Used } from './raw-items.ts';
import type { Path } from './tree.ts';

/** Marks that the harness sets itself. `due` is said by `after: { bound: name }`. */
export const RESERVED_MARKS = ['due', 'stayed', 'baseline', 'end'] as const;

export const undefinedName = (what: string, name: string, known: readonly string[], path: Path): Finding => ({
  code: 'unknown-name',
  message: `no ${what} is called \`${name}\``,
  hint: didYouMean(name, known, 'defined'),
  path,
  at: 'value',
});

export const checkMark = (name: string, marks: readonly string[], path: Path): readonly Finding[] => {
  if (marks.includes(name)) return [];
  if (name === 'due')
    return [
      {
        code: 'unknown-name',
        message: 'no mark is called `due`',
        hint: 'write `after: { bound: progress }`, with the bound that is due',
        path,
        at: 'value',
      },
    ];
  return [undefinedName('mark', name, marks, path)];
};

export type MarkSet = { readonly mark: string; readonly path: Path };

const markIn = (item: unknown, path: Path): readonly MarkSet[] => {
  const mark = asText(asMap(item).mark);
  return mark === undefined ? [] : [{ mark, path: [...path, 'mark'] }];
};

export const marksOf = (data: Data): readonly MarkSet[] => [
  ...scriptsOf(data).flatMap(({ step, path }) => markIn(step, path)),
  ...asList(data.faults).flatMap((fault, index) => markIn(fault, ['faults', index])),
];

export const checkMarks = (marks: readonly MarkSet[]): readonly Finding[] => {
  const seen = new Set<string>();
  return marks.flatMap(({ mark, path }): readonly Finding[] => {
    if ((RESERVED_MARKS as readonly string[]).includes(mark))
      return [
        { code: 'reserved-mark', message: `the mark \`${mark}\` is set by the harness`, hint: 'give it another name', path, at: 'value' },
      ];
    if (seen.has(mark))
      return [
        {
          code: 'duplicate-mark',
          message: `the mark \`${mark}\` is set twice`,
          hint: 'a mark is one moment: give each its own name',
          path,
          at: 'value',
        },
      ];
    seen.add(mark);
    return [];
  });
};

const isStepOf = (client: unknown, path: Path): boolean => path[0] === 'clients' && path[1] === client && path[2] === 'script';

/** A script that waits for a mark of its own which comes later waits in vain: better told now than as a wait that ran out. */
export const checkOwnMarks = (uses: readonly Used[], marks: readonly MarkSet[]): readonly Finding[] =>
  uses.flatMap(({ type, value, path }): readonly Finding[] => {
    if (type !== 'mark' || path[0] !== 'clients') return [];
    const own = marks.find(({ mark, path: at }) => mark === value && isStepOf(path[1], at));
    if (own === undefined || Number(own.path[3]) < Number(path[3])) return [];
    return [
      {
        code: 'bad-value',
        message: `the mark \`${own.mark}\` is set later by this script itself: it would wait in vain`,
        hint: 'wait for a mark of another client or of a fault',
        path,
        at: 'value',
      },
    ];
  });
