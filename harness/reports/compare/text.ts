// A comparison for people at a terminal: what differs first, and why, then everything side by side.
import { styleText } from 'node:util';
import { formatMs } from '../../model/time.ts';
import type { Outcome } from '../../model/verdict.ts';
import { columns, oneLine, plural } from '../text.ts';
import { shownOf } from './circumstances.ts';
import type { Difference } from './circumstances.ts';
import type { ClaimPair, ClaimSide, Comparison, RunSide } from './comparison.ts';

type Colour = 'green' | 'red' | 'yellow' | 'gray' | 'bold';
type Paint = (colour: Colour, text: string) => string;

const COLOURS: Readonly<Record<Outcome, Colour>> = { held: 'green', violated: 'red', inconclusive: 'yellow', 'does-not-apply': 'gray' };
const MAXIMUM_VALUE = 46;

const outcome = (side: ClaimSide | null, paint: Paint): string => (side === null ? paint('gray', 'no such claim') : paint(COLOURS[side.outcome], side.outcome));

const why = (which: string, side: ClaimSide | null): readonly string[] =>
  side === null ? [] : [`    ${which}: ${side.class ? `${oneLine(side.class)}: ` : ''}${oneLine(side.reason)}`];

/** Nothing where it is the same. */
export const howOf = ({ differs, isOtherClass }: ClaimPair): string => (differs ? 'differs' : isOtherClass ? 'another class' : '');

const claimLines = (claims: readonly ClaimPair[], paint: Paint): readonly string[] => {
  if (claims.length === 0) return ['No claim was judged in either.'];
  const rows = claims.map((pair) => [oneLine(pair.title), outcome(pair.a, paint), outcome(pair.b, paint), pair.differs ? paint('bold', howOf(pair)) : howOf(pair)]);
  const [head, ...lines] = columns([['claim', 'a', 'b', ''], ...rows]);
  return [paint('bold', head!), ...claims.flatMap((pair, index) => [lines[index]!, ...(howOf(pair) === '' ? [] : [...why('a', pair.a), ...why('b', pair.b)])])];
};

const section = (title: string, rows: readonly Difference[], absent: string, paint: Paint): readonly string[] => {
  if (rows.length === 0) return [];
  const cell = (value: string | null): string => (value === null ? paint('gray', absent) : oneLine(value, MAXIMUM_VALUE));
  const { shown, more } = shownOf(rows);
  const [head, ...lines] = columns([[title, 'a', 'b'], ...shown.map(({ what, a, b }) => [oneLine(what), cell(a), cell(b)])]);
  return ['', paint('bold', head!), ...lines, ...(more === null ? [] : [more])];
};

const runLine = (which: string, { name, scenario, outcome: said, startedAt }: RunSide): readonly string[] =>
  [which, oneLine(name), oneLine(scenario), said, `begun ${oneLine(startedAt, 30)}`];

/** One line: how many claims say otherwise. */
export const agreement = ({ claims, agree }: Comparison): string => {
  const count = claims.filter(({ differs }) => differs).length;
  if (agree) return `The outcomes of all ${plural(claims.length, 'claim')} agree.`;
  return count === 0 ? 'They cannot be compared: not both were judged.' : `${count} of ${plural(claims.length, 'claim')} ${count === 1 ? 'differs' : 'differ'}.`;
};

export const comparisonText = (comparison: Comparison, hasColour: boolean): string => {
  const paint: Paint = (colour, text) => (hasColour ? styleText(colour, text, { validateStream: false }) : text);
  const { a, b, alignment: { mark, aMs, bMs }, notes } = comparison;
  const since = mark === null ? 'from the begin on' : `from ${oneLine(mark)} on`;
  return [
    ...columns([runLine('a', a), runLine('b', b)]),
    mark === null ? '' : `aligned at ${oneLine(mark)}: ${formatMs(aMs)} in a, ${formatMs(bMs)} in b`,
    ...notes.map((note) => `Note: ${oneLine(note)}`), '',
    ...claimLines(comparison.claims, paint),
    ...section('run otherwise', comparison.differences, 'not said', paint),
    ...section(since, comparison.measures, 'not there', paint),
    '', paint('bold', agreement(comparison)), '',
  ].join('\n').replace(/\n{3,}/g, '\n\n');
};
