// Places on the axes of a card: what is asked for becomes cells with their own cards, ids and settings, and a bad value is refused.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ProblemError } from '../model/problem.ts';
import { cardAt } from '../systems/axes/card-at.ts';
import { releasesOf, sortVersions } from '../systems/axes/compare.ts';
import { checkPairs } from '../systems/check-pair.ts';
import { cardWith, scenariosWith } from '../systems/fixture.ts';
import { atAll, loadedAt } from './axes.ts';
import { concreteAxes } from './axis-values.ts';
import { selectCells } from './select.ts';
import type { Loaded } from './select.ts';

const LISTED = {
  versions: 'versions: { from: list, list: [v1, v2, v3, v4], use: v4 }',
  axes: 'axes: { http: { from: list, list: [h11, httptools], use: h11 }, unused: { from: list, list: [a, b], use: a } }',
  run: 'run: [ { name: proxy, process: { command: [node, "${card}/${version}-${axis.http}.js"] } } ]',
  settings: 'settings: { lifetime: { env: LIFETIME, unit: s }, mode: { env: MODE }, api-key: { env: KEY } }',
};
const PLANTED = { defects: 'defects: { env: DEFECTS, presets: { old: [one, two] } }' };
const context = { environment: process.env, progress: () => {} };

const loadedWith = (card: Readonly<Record<string, string>> = LISTED, scenario: Readonly<Record<string, string>> = {}): readonly Loaded[] =>
  scenariosWith(scenario).map((one) => ({ scenario: one, card: cardWith(card), isNamed: true }));

const cellsOf = (loaded: readonly Loaded[]) =>
  selectCells(loaded, { runtime: 'process', isolation: 'namespace', defects: [], tags: [], where: {}, secrets: {} });

const refused = async (work: () => unknown): Promise<string> => {
  const error = await Promise.resolve().then(work).then(() => null, (thrown: unknown) => thrown);
  if (!(error instanceof ProblemError)) throw new Error(`not refused: ${String(error)}`);
  return error.problems.map(({ code, message, hint }) => `${code}: ${message} (${hint})`).join('\n');
};

describe('a card elsewhere', () => {
  test('has another key, version and value; the same card is at no coordinates', () => {
    const card = cardWith(LISTED);
    expect(card).toMatchObject({ key: card.file, coordinates: {}, version: 'v4' });
    expect(cardAt(card, {})).toBe(card);
    const other = cardAt(card, { http: 'httptools', version: 'v2' });
    expect(other).toMatchObject({ version: 'v2', coordinates: { http: 'httptools', version: 'v2' }, file: card.file });
    expect(other.axes.http!.use).toBe('httptools');
    // The order in which axes are named makes no other system of it.
    expect(cardAt(card, { version: 'v2', http: 'httptools' }).key).toBe(other.key);
    expect(new Set([card.key, other.key, cardAt(card, { version: 'v2' }).key]).size).toBe(3);
  });
});

describe('cells', () => {
  test('one for each combination, with its place in the id after the matrix of the scenario', () => {
    const scenario = { matrix: 'matrix: { how: [fin, rst] }', clients: 'clients: { alice: { script: [ request: chat, { disconnect: "${how}", mark: gone } ] } }' };
    const cells = cellsOf(atAll(loadedWith(LISTED, scenario), { version: ['v1', 'v2'], http: ['h11'] }));
    expect(cells.map(({ id }) => id)).toEqual(
      ['fin', 'rst'].flatMap((how) => ['v1', 'v2'].map((version) => `disconnect/small[how=${how},version=${version},http=h11]`)));
    expect(cells[1]).toMatchObject({ coordinates: { version: 'v2', http: 'h11' }, card: { version: 'v2' } });
    expect(cellsOf(loadedWith(LISTED, scenario)).map(({ id, coordinates }) => [id, coordinates])).toEqual([['disconnect/small[how=fin]', {}], ['disconnect/small[how=rst]', {}]]);
  });

  test('a setting reaches the system in its unit, a defect is planted, none plants nothing', () => {
    const one = loadedAt(loadedWith({ ...LISTED, ...PLANTED }, { saw: 'saw: { old: { what: w, violates: [] } }' })[0]!, { 'setting.lifetime': '5s', 'setting.mode': 'slow', defect: 'old' });
    expect(cellsOf([one])[0]).toMatchObject({ settings: { LIFETIME: '5', MODE: 'slow' }, defects: ['one', 'two'], presets: ['old'] });
    expect(cellsOf([loadedAt(one, { defect: 'none' })])[0]).toMatchObject({ defects: [], presets: [] });
    expect(cellsOf([loadedAt(one, { runtime: 'docker' })])[0]!.runtime).toBe('docker');
  });

  test('a matrix over what is planted: none is the clean system, also where a system has nothing to plant', async () => {
    const own = { system: 'system: { card: x, planted: ["${defect}"] }', matrix: 'matrix: { defect: [none, one] }' };
    const loaded = loadedWith({ ...LISTED, ...PLANTED }, own);
    expect(cellsOf(loaded).map(({ id, defects, presets, coordinates }) => [id, defects, presets, coordinates])).toEqual([
      ['disconnect/small[defect=none]', [], [], {}], ['disconnect/small[defect=one]', ['one'], [], {}],
    ]);
    const reasons = cellsOf(loadedWith(LISTED, own)).map(({ claims }) => claims[0]!.notApplicable);
    expect(reasons).toEqual([null, 'small has no defects to plant']);
    expect(await refused(() => atAll(loaded, { defect: ['none'] }))).toContain('--where defect=');
  });

  test('a scenario that has the axis in its own matrix is not multiplied by it', async () => {
    const own = { system: 'system: { card: x, version: "${version}" }', matrix: 'matrix: { version: [v1, v3] }' };
    const loaded = loadedWith(LISTED, own);
    expect(cellsOf(loaded).map(({ id, coordinates }) => [id, coordinates])).toEqual([
      ['disconnect/small[version=v1]', { version: 'v1' }], ['disconnect/small[version=v3]', { version: 'v3' }],
    ]);
    expect(await refused(() => atAll(loaded, { version: ['v2'] }))).toContain('--where version=');
    expect(await refused(() => atAll(Array.from({ length: 3 }, () => loaded[0]!), { http: Array.from({ length: 700 }, (_, n) => `n${n}`) }))).toMatch(/^too-many-combinations/);
  });
});

test.each([
  ['a version in the matrix', { system: 'system: { card: x, version: "${version}" }', matrix: 'matrix: { version: [1.9, 1.10] }' }, /bad-value.*1\.10 is the number 1\.1.*quote it: "1\.10"/],
  ['a version of the system', { system: 'system: { card: x, version: 2.0 }' }, /bad-value.*2\.0 is the number 2/],
  ['another axis of the system', { system: 'system: { card: x, axes: { http: 1.50 } }' }, /bad-value.*1\.50/],
] as const)('%s that YAML reads as another number is refused', async (_, scenario, message) => {
  expect(await refused(() => loadedWith(LISTED, scenario))).toMatch(message);
});

test('a version without quotes that stays what it is may be a number, and one of a variable is text', () => {
  expect(scenariosWith({ system: 'system: { card: x, version: 1.9 }' })[0]!.system.coordinates).toEqual({ version: '1.9' });
  expect(scenariosWith({ system: 'system: { card: x, version: "${wanted:0.10}" }' })[0]!.system.coordinates).toEqual({ version: '0.10' });
});

test('a place that the card has not is told where it is written, with the nearest there is', async () => {
  const [at] = scenariosWith({ system: 'system: { card: x, version: v9, axes: { htp: h11 } }' });
  const file = join(mkdtempSync(join(tmpdir(), 'hangup-axes-')), 'small.yaml');
  writeFileSync(file, 'version: 1\nname: small\nsystem: { card: x, version: v9, axes: { htp: h11 } }\n');
  try {
    const found = await checkPairs([{ ...at!, file }], () => cardWith(LISTED));
    expect(found.map(({ code, message, hint, location }) => `${location!.line}:${location!.column} ${code} ${message} (${hint})`)).toEqual([
      '3:29 unknown-name the axis `version` of the card `small` has no `v9` (did you mean `v1`? it has: v1, v2, v3, v4)',
      '3:41 unknown-name the card `small` has no axis `htp` (did you mean `http`? it has: http, unused)',
    ]);
  } finally {
    rmSync(dirname(file), { recursive: true });
  }
});

describe('values as they are written', () => {
  const concrete = (axis: string, ...written: readonly string[]) => concreteAxes(cardWith({ ...LISTED, ...PLANTED }), { [axis]: written }, context);

  test('a range holds both ends and keeps the order, * is all, each once', async () => {
    expect(await concrete('version', 'v2..v3')).toEqual({ version: ['v2', 'v3'] });
    expect(await concrete('version', '..v2', 'v4', 'v1')).toEqual({ version: ['v1', 'v2', 'v4'] });
    expect(await concrete('http', '*')).toEqual({ http: ['h11', 'httptools'] });
    expect(await concrete('defect', 'none', 'one+two')).toEqual({ defect: ['none', 'one+two'] });
  });

  test.each([
    ['version', 'v9', /^unknown-value: .*v9 \(did you mean `v1`/],
    ['version', 'v3..v1', /^bad-range: .*\(write version=v1\.\.v3\)/],
    ['version', 'v1..v7', /^unknown-value: .*v7/],
    ['unused', 'a', /^unknown-axis: .*changes nothing: its card uses \$\{axis\.unused\} nowhere/],
    ['verson', 'v1', /^unknown-axis: .*did you mean `version`/],
    ['runtime', 'dokcer', /^unknown-value: .*did you mean `docker`/],
    ['setting.lifetime', '*', /^bad-range: .*name them one by one/],
    ['http', 'a b', /^unknown-value/],
    ['setting.api-key', 'revoked', /^bad-option: .*would be hidden in evidence/],
  ] as const)('%s=%s is refused', async (axis, value, message) => {
    expect(await refused(() => concrete(axis, value))).toMatch(message);
  });
});

test('versions are sorted by the rules of their registry, and what is no release is left out', () => {
  expect(sortVersions('npm', ['1.10.0', '1.9.0', '1.10.0-rc.1', '2.0.0'])).toEqual(['1.9.0', '1.10.0-rc.1', '1.10.0', '2.0.0']);
  expect(sortVersions('pypi', ['1.0.post1', '1.0rc1', '1.0', '1.0.dev3', '0.9', '1!0.1'])).toEqual(['0.9', '1.0.dev3', '1.0rc1', '1.0', '1.0.post1', '1!0.1']);
  expect(releasesOf('pypi', ['1.0rc1', '1.0', '1.0.dev3', '1.0.post1'])).toEqual(['1.0', '1.0.post1']);
  expect(releasesOf('npm', ['1.0.0-beta.1'])).toEqual(['1.0.0-beta.1']);
});

test('a tag of an image that is no version stands nowhere between those that are: it may be named, and so may what leads to a release', () => {
  const tags = ['main', '1.2.1-rc1', '1.10', 'sha-3f2a91c', '1.2', 'v1.9', '9f3c2d1', '1.2-alpine', 'latest'];
  expect(sortVersions('image', tags).slice(-5)).toEqual(['1.2', '1.2-alpine', '1.2.1-rc1', 'v1.9', '1.10']);
  expect(releasesOf('image', sortVersions('image', tags))).toEqual(['1.2', '1.2-alpine', 'v1.9', '1.10']);
  // Where there is nothing else, they are what there is.
  expect(releasesOf('image', ['1.0-rc1', '1.1-rc1', 'edge'])).toEqual(['1.0-rc1', '1.1-rc1']);
  expect(releasesOf('image', ['before', 'after'])).toEqual(['before', 'after']);
});

test('tags of git: one without a number is no version either, and no end of a range', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-tags-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const repository = join(folder, 'proxy');
  const git = (...words: readonly string[]): unknown => execFileSync('git', ['-C', repository, '-c', 'user.name=nobody', '-c', 'user.email=nobody@example.org', ...words]);
  execFileSync('git', ['init', '--quiet', repository]);
  git('commit', '--quiet', '--allow-empty', '-m', 'one');
  for (const tag of ['v1.0', 'v1.1', 'release-1.2', 'v2.0-rc1', 'nightly']) git('tag', tag);
  const card = cardWith({
    versions: `versions: { from: git, repository: ${JSON.stringify(repository)}, tags: "*", use: v1.0 }`, run: 'run: [ { name: proxy, process: { command: [node, "${source}/proxy.js"] } } ]',
  });
  const of = (...written: readonly string[]) => concreteAxes(card, { version: written }, { ...context, environment: { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') } });
  expect(await of('*')).toEqual({ version: ['v1.0', 'v1.1', 'release-1.2'] });
  expect(await of('v1.1..v2.0-rc1', 'nightly')).toEqual({ version: ['v1.1', 'release-1.2', 'v2.0-rc1', 'nightly'] });
  for (const range of ['v1.0..nightly', 'nightly..v1.1', 'nightly..'])
    expect(await refused(() => of(range))).toBe(`bad-range: version=${range}: nightly is no version, and nothing says what it lies between (name the values one by one)`);
});
