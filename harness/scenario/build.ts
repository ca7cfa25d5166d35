// One file's tree to the scenarios it describes: matrix, references, schema, names; every problem of
// every cell, each told once.
import type { Coordinates } from '../model/coordinates.ts';
import type { Problem } from '../model/problem.ts';
import { scenarioProblem } from './codes.ts';
import type { UsedProblem } from './codes.ts';
import { expandCopies } from './copies.ts';
import { findingsOf, PARSE_OPTIONS } from './issues.ts';
import type { Finding } from './issues.ts';
import { interpolate } from './interpolate.ts';
import { locateAll } from './locate.ts';
import { cellSuffix, readMatrix } from './matrix.ts';
import type { Axes, Cell } from './matrix.ts';
import { dottedReferences } from './raw-items.ts';
import { checkReferences } from './references.ts';
import type { Scenario } from './scenario.ts';
import { createScenarioSchema } from './schema.ts';
import type { ParsedScenario, Registries, ScenarioSchema } from './schema.ts';
import type { Source } from './source.ts';
import { versionNumbers } from './version-numbers.ts';
import { entryOf, toData } from './tree.ts';
import type { ScalarValue, TreeNode } from './tree.ts';

export type Variables = ReadonlyMap<string, ScalarValue>;

export type Built = {
  readonly scenarios: readonly Scenario[];
  readonly problems: readonly UsedProblem[];
  readonly used: ReadonlySet<string>;
};

export type BuildContext = {
  readonly registries: Registries;
  readonly schema: ScenarioSchema;
  readonly variables: Variables;
};

const schemas = new WeakMap<Registries, ScenarioSchema>();

/** The schema of registries, made once: making it costs more than reading a file. */
const schemaOf = (registries: Registries): ScenarioSchema => {
  const known = schemas.get(registries) ?? createScenarioSchema(registries);
  schemas.set(registries, known);
  return known;
};

/** @param variables values of `--var`, already read as scalars */
export const createBuildContext = (registries: Registries, variables: Variables): BuildContext => ({
  registries,
  schema: schemaOf(registries),
  variables,
});

/** Freezes data all the way down; returns it. */
export const deepFreeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const entry of Object.values(value)) deepFreeze(entry);
  }
  return value;
};

const clientsOf = (parsed: ParsedScenario): Pick<Scenario, 'clients' | 'copies'> => {
  const written = Object.entries(parsed.clients).map(([name, { account, instance, behaviour, script, copies }]) =>
    [name, { account: account ?? null, instance, behaviour: behaviour ?? null, script, copies }] as const);
  const { clients, copies } = expandCopies(Object.fromEntries(written));
  return Object.keys(copies).length === 0 ? { clients } : { clients, copies };
};

const systemOf = ({ version, axes, planted = [], ...system }: ParsedScenario['system']): Scenario['system'] => {
  const coordinates: Coordinates = { ...(version === undefined ? {} : { version }), ...axes };
  // As on the axis `defect`: a value of a matrix may stand for the clean system.
  const defects = planted.filter((name) => name !== 'none');
  return {
    ...system,
    ...(defects.length === 0 ? {} : { planted: defects }),
    ...(Object.keys(coordinates).length === 0 ? {} : { coordinates }),
  } as Scenario['system'];
};

const scenarioOf = (parsed: ParsedScenario, id: string, file: string, cell: Cell): Scenario =>
  deepFreeze({
    id,
    file,
    name: parsed.name,
    about: parsed.about,
    source: parsed.source,
    tags: parsed.tags,
    system: systemOf(parsed.system),
    tests: parsed.tests,
    upstreams: parsed.upstreams,
    ...clientsOf(parsed),
    faults: parsed.faults,
    watch: parsed.watch,
    ...(parsed.locks === undefined ? {} : { locks: parsed.locks }),
    expect: parsed.expect,
    catches: parsed.catches,
    saw: parsed.saw,
    ...(parsed.concludes === undefined ? {} : { concludes: parsed.concludes }),
    matrix: Object.fromEntries([...cell].map(([name, value]) => [name, String(value)])),
  });

/** The file without its matrix, which has been read by then and must not be taken for references. */
const withoutMatrix = (root: TreeNode): TreeNode =>
  root.type === 'map' ? { ...root, entries: root.entries.filter(({ key }) => key !== 'matrix') } : root;

/** The matrix may hold variables, but not its own axes. */
const interpolateMatrix = (source: Source, root: TreeNode, variables: Variables): ReturnType<typeof interpolate> => {
  const only = { ...root, entries: root.type === 'map' ? root.entries.filter(({ key }) => key === 'matrix') : [] } as TreeNode;
  return interpolate(source, only, { values: variables, broken: new Set(), references: [] });
};

const unusedAxes = ({ axes }: Axes, used: ReadonlySet<string>): readonly Finding[] =>
  axes
    .filter((name) => !used.has(name))
    .map((name) => ({
      code: 'unused-axis',
      message: `the axis \`${name}\` is used nowhere`,
      hint: `use it as \${${name}}, or leave it out: all its scenarios would be the same`,
      path: ['matrix', name],
      at: 'key',
    }));

const MAXIMUM_SHOWN = 200;

/**
 * In the order of the file, then of the fragments that it uses; each place and message once; of a file that is
 * wrong throughout, the first ones.
 */
export const sortProblems = (problems: readonly UsedProblem[]): readonly UsedProblem[] => {
  const keyOf = ({ location, code, message }: Problem): string =>
    `${location?.file}:${location?.line}:${location?.column}:${code}:${message}`;
  const file = ({ usedBy, location }: UsedProblem): string => (usedBy === undefined ? '' : (location?.file ?? ''));
  const line = ({ location }: Problem): number => location?.line ?? 0;
  const column = ({ location }: Problem): number => location?.column ?? 0;
  const all = [...new Map(problems.map((problem) => [keyOf(problem), problem])).values()].sort(
    (a, b) => (file(a) === file(b) ? line(a) - line(b) || column(a) - column(b) : file(a) < file(b) ? -1 : 1),
  );
  if (all.length <= MAXIMUM_SHOWN) return all;
  const rest = scenarioProblem(
    'too-many-problems',
    `${all.length - MAXIMUM_SHOWN} more problems in this file`,
    all[MAXIMUM_SHOWN]!.location,
  );
  return [...all.slice(0, MAXIMUM_SHOWN), rest];
};

/** @param id the file's own id, to which a cell adds its values */
export const buildScenarios = (source: Source, root: TreeNode, id: string, context: BuildContext): Built => {
  const matrix = interpolateMatrix(source, root, context.variables);
  const axes = readMatrix(matrix.root);
  const body = withoutMatrix(root);
  const references = dottedReferences(toData(body));
  const used = new Set(matrix.used);
  const problems: (readonly UsedProblem[])[] = [matrix.problems, locateAll(source, matrix.root, axes.findings)];
  const scenarios: Scenario[] = [];
  for (const cell of axes.cells) {
    const filled = interpolate(source, body, { values: new Map([...context.variables, ...cell]), broken: axes.broken, references });
    for (const name of filled.used) used.add(name);
    const data = toData(filled.root);
    const result = context.schema.safeParse(data, PARSE_OPTIONS);
    const findings = [...(result.success ? [] : result.error.issues.flatMap(findingsOf)), ...checkReferences(data, context.registries)];
    problems.push(filled.problems, locateAll(source, filled.root, findings));
    if (result.success && findings.length === 0) scenarios.push(scenarioOf(result.data, `${id}${cellSuffix(cell)}`, source.file, cell));
  }
  problems.push(locateAll(source, root, versionNumbers(source, root)));
  if (entryOf(root, 'matrix')) problems.push(locateAll(source, matrix.root, unusedAxes(axes, used)));
  const all = sortProblems(problems.flat());
  return { scenarios: all.length > 0 ? [] : scenarios, problems: all, used };
};
