// What a kill matrix must be: every defect caught by every claim that its rows name, nobody accused who stands
// by, the clean system never. Pure: from results to what is wrong.
import type { CellResult } from '../../plan/run-cell.ts';
import type { Verdict } from '../../model/verdict.ts';
import { fileIdOf } from './plan.ts';

/** How a claim was violated by a defect: as its row names it, beside that, or though it must not be. */
export type Kill = 'named' | 'also' | 'must-not';

/** The stored form, `docs/kill-matrix.json`. Lists are sorted. */
export type Matrix = {
  /** Of each defect: scenarios of which some claim was violated. */
  readonly touched: Readonly<Record<string, readonly string[]>>;
  /** Of each defect and claim: scenario to how. */
  readonly kills: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Kill>>>>>>;
};

type Cell = CellResult['cell'];

const LEAVING = new Set(['disconnect', 'pause']);
/** Claims about the exchange that a row is about, whether its client leaves or not. */
const OF_SUBJECTS = new Set(['only-mine-released', 'terminal-once']);
/** Claims about an account: who shares it with the affected is affected. */
const OF_ACCOUNTS = new Set(['nothing-reserved', 'refundable', 'only-mine-released', 'accounting-valid', 'reserved-kept']);

/** A claim about copies of a client is about each of them. */
const clientsOf = ({ facts }: Cell, { options }: Pick<Verdict, 'options'>): readonly string[] =>
  ['client', 'seeded'].flatMap((key) => {
    const name = options[key];
    return typeof name === 'string' ? (facts.copies?.[name] ?? [name]) : [];
  });

/** Who leaves or stops reading, of whom a named claim speaks, and whose exchange it is about. */
const affectedIn = (cell: Cell): ReadonlySet<string> => {
  const { scripts, scenario, claims } = cell;
  const named = new Set(Object.values(scenario.catches).flat());
  const spoken = claims.filter(({ kind }) => named.has(kind) || OF_SUBJECTS.has(kind)).flatMap((claim) => clientsOf(cell, claim));
  const leaving = Object.entries(scripts).flatMap(([client, script]) => (script.some(({ kind }) => LEAVING.has(kind)) ? [client] : []));
  return new Set([...spoken, ...leaving]);
};

const accountIn = ({ scenario }: Cell, client: string): string => scenario.clients[client]?.account?.sameAs ?? client;

/** Where nobody is affected more than the others (the system is told to stop) nobody stands by. */
const isAboutBystanders = (cell: Cell, verdict: Verdict): boolean => {
  if (verdict.claim === 'siblings-untouched') return true;
  const affected = affectedIn(cell);
  const accounts = new Set([...affected].map((client) => accountIn(cell, client)));
  return affected.size > 0 && clientsOf(cell, verdict).some((client) =>
    !affected.has(client) && !(OF_ACCOUNTS.has(verdict.claim) && accounts.has(accountIn(cell, client))));
};

/** Of each defect: every claim that some scenario names for it. A defect whose nature it is to harm siblings does so everywhere. */
export type Named = ReadonlyMap<string, ReadonlySet<string>>;

export const namedOf = (rows: readonly Pick<Row, 'catches'>[]): Named => {
  const named = new Map<string, Set<string>>();
  for (const { catches } of rows) {
    for (const [defect, claims] of Object.entries(catches)) named.set(defect, new Set([...(named.get(defect) ?? []), ...claims]));
  }
  return named;
};

export const killOf = (cell: Cell, defect: string, verdict: Verdict, named: Named): Kill => {
  if ((cell.scenario.catches[defect] ?? []).includes(verdict.claim)) return 'named';
  return isAboutBystanders(cell, verdict) && !named.get(defect)?.has(verdict.claim) ? 'must-not' : 'also';
};

const violatedIn = ({ verdicts }: CellResult): readonly Verdict[] => verdicts.filter(({ outcome }) => outcome === 'violated');

/** What went wrong with one defect on one cell; nothing where all is as it must be. */
export const wrongWith = (result: CellResult, defect: string, named: Named): readonly string[] => {
  const { cell, verdicts, problems } = result;
  const violated = violatedIn(result);
  const missed = (cell.scenario.catches[defect] ?? []).filter((claim) => !violated.some((verdict) => verdict.claim === claim));
  const said = (claim: string): string =>
    verdicts.find((verdict) => verdict.claim === claim)?.reason ?? problems[0]?.message ?? 'no verdict';
  return [
    ...missed.map((claim) => `${defect} on ${cell.id}: ${claim} is not violated: ${said(claim)}`),
    ...violated
      .filter((verdict) => killOf(cell, defect, verdict, named) === 'must-not')
      .map(({ id, reason }) => `${defect} on ${cell.id}: ${id} must not be violated: ${reason}`),
  ];
};

/** The clean system: every claim held. */
export const accusedBy = ({ cell, verdicts, problems }: CellResult): readonly string[] => [
  ...verdicts.filter(({ outcome }) => outcome === 'violated').map(({ id, reason }) => `clean, ${cell.id}: ${id} is violated: ${reason}`),
  ...problems.map(({ message }) => `clean, ${cell.id}: ${message}`),
];

const sortKeys = <T>(record: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));

const RANK: Readonly<Record<Kill, number>> = { named: 2, 'must-not': 1, also: 0 };

/** @param ran by defect */
export const matrixOf = (ran: ReadonlyMap<string, readonly CellResult[]>, named: Named): Matrix => {
  const touched: Record<string, readonly string[]> = {};
  const kills: Record<string, Record<string, Record<string, Kill>>> = {};
  for (const [defect, results] of ran) {
    const ofDefect: Record<string, Record<string, Kill>> = {};
    for (const result of results) {
      for (const verdict of violatedIn(result)) {
        const row = fileIdOf(result.cell.id);
        const kill = killOf(result.cell, defect, verdict, named);
        const rows = (ofDefect[verdict.claim] ??= {});
        if (rows[row] === undefined || RANK[kill] > RANK[rows[row]]) rows[row] = kill;
      }
    }
    touched[defect] = [...new Set(Object.values(ofDefect).flatMap((rows) => Object.keys(rows)))].sort();
    kills[defect] = sortKeys(Object.fromEntries(Object.entries(ofDefect).map(([claim, rows]) => [claim, sortKeys(rows)])));
  }
  return { touched: sortKeys(touched), kills: sortKeys(kills) };
};

const without = <T>(rows: Readonly<Record<string, T>>, gone: ReadonlySet<string>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(rows).filter(([row]) => !gone.has(row)));

/** The matrix with some scenarios run again: what was known of them is replaced. */
export const renewed = (known: Matrix, again: Matrix, scenarios: readonly string[]): Matrix => {
  const gone = new Set(scenarios);
  const defects = [...new Set([...Object.keys(known.kills), ...Object.keys(again.kills)])].sort();
  const kills = Object.fromEntries(
    defects.map((defect) => {
      const [before = {}, after = {}] = [known.kills[defect], again.kills[defect]];
      const claims = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
      const rows = claims.map((claim) => [claim, sortKeys({ ...without(before[claim] ?? {}, gone), ...after[claim] })] as const);
      return [defect, Object.fromEntries(rows.filter(([, each]) => Object.keys(each).length > 0))];
    }),
  );
  const rowsOf = (defect: string): readonly string[] => [...new Set(Object.values(kills[defect]!).flatMap((rows) => Object.keys(rows)))].sort();
  return { touched: Object.fromEntries(defects.map((defect) => [defect, rowsOf(defect)])), kills };
};

/** Of each scenario: what nobody else catches, `defect: claim`. */
export const contributionsOf = ({ kills }: Matrix, scenarios: readonly string[]): Readonly<Record<string, readonly string[]>> => {
  const only = Object.entries(kills).flatMap(([defect, claims]) =>
    Object.entries(claims).flatMap(([claim, rows]) => {
      const caught = Object.keys(rows).filter((row) => rows[row] !== 'must-not');
      return caught.length === 1 ? [{ row: caught[0]!, what: `${defect}: ${claim}` }] : [];
    }),
  );
  return Object.fromEntries(scenarios.map((row) => [row, only.filter((one) => one.row === row).map(({ what }) => what)]));
};

export type Row = { readonly id: string; readonly catches: Readonly<Record<string, readonly string[]>> };

/** What is wrong with the whole: defects that no row names or catches, rows that name none. */
export const wrongWithAll = (defects: readonly string[], rows: readonly Row[]): readonly string[] => {
  const named = new Set(rows.flatMap(({ catches }) => Object.keys(catches)));
  return [
    ...defects.filter((defect) => !named.has(defect)).map((defect) => `${defect}: no scenario names it`),
    ...rows.filter(({ catches }) => Object.keys(catches).length === 0).map(({ id }) => `${id}: catches nothing`),
  ];
};
