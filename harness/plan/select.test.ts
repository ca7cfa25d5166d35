// Which cells were asked for: by tag, by axis, by defect; names that nothing has are refused with the nearest.
import { describe, expect, test } from 'vitest';
import { ProblemError } from '../model/problem.ts';
import { cardWith, METERED, scenariosWith } from '../systems/fixture.ts';
import { loadedAt } from './axes.ts';
import { concerns, expandDefects, namedInVain, selectCells, whyNothing } from './select.ts';
import type { Loaded, Selection } from './select.ts';

const REFERENCE = cardWith({ ...METERED, defects: 'defects: { env: DEFECTS, presets: { seed-old: [keeps-reading, keeps-renewing] } }' });
const PLAIN = cardWith();
const MATRIX = {
  matrix: 'matrix: { how: [fin, rst] }',
  tags: 'tags: [A1, disconnect]',
  clients: 'clients: { alice: { account: { balance: 10 }, script: [ request: chat, { disconnect: "${how}", mark: gone } ] } }',
  catches: 'catches: { keeps-reading: [upstream-closed] }',
  saw: 'saw: { seed-old: { what: it went on, violates: [upstream-closed] } }',
};
const load = (parts: Readonly<Record<string, string>>, id: string, card = REFERENCE, isNamed = false): readonly Loaded[] =>
  scenariosWith(parts, id).map((scenario) => ({ scenario, card, isNamed }));
const ALL: readonly Loaded[] = [
  ...load(MATRIX, 'disconnect/endless'),
  ...load({ tags: 'tags: [A2]' }, 'pool/idle'),
  ...load({ tags: 'tags: [plain]' }, 'proxy/plain', PLAIN),
];

const NOTHING: Selection = { runtime: 'process', isolation: 'namespace', defects: [], tags: [], where: {}, secrets: {} };
const select = (selection: Partial<Selection>, loaded: readonly Loaded[] = ALL): readonly string[] =>
  selectCells(loaded, { ...NOTHING, ...selection }).map(({ id }) => id);
const refused = (selection: Partial<Selection>, loaded: readonly Loaded[] = ALL) => {
  try {
    select(selection, loaded);
  } catch (error) {
    if (error instanceof ProblemError) return [error.problems[0]!.code, error.problems[0]!.hint];
    throw error;
  }
  throw new Error('nothing was refused');
};

test('everything, in the order of the files', () => {
  expect(select({})).toEqual(['disconnect/endless[how=fin]', 'disconnect/endless[how=rst]', 'pool/idle', 'proxy/plain']);
});

test('by any of the tags', () => {
  expect(select({ tags: ['A2', 'plain'] })).toEqual(['pool/idle', 'proxy/plain']);
  expect(select({ tags: ['B'] })).toEqual([]);
});

test('by the values of an axis; what has no such axis is not meant', () => {
  expect(select({ where: { how: ['rst'] } })).toEqual(['disconnect/endless[how=rst]']);
  expect(select({ where: { how: ['rst', 'fin'] } })).toHaveLength(2);
});

test('a file that was named and of which nothing is left is told; one that was found in a folder is not', () => {
  const where = { how: ['rst'] };
  const named = [...load(MATRIX, 'disconnect/endless', REFERENCE, true), ...load({ tags: 'tags: [A2]' }, 'pool/idle', REFERENCE, true)];
  expect(namedInVain(named, { ...NOTHING, where })).toBe(`left out by --tag or --where, though named: ${named.at(-1)!.scenario.file}`);
  expect(namedInVain(named, NOTHING)).toBeNull();
  expect(namedInVain(ALL, { ...NOTHING, where })).toBeNull();
});

test('a defect asks for the rows that name it, and for a file that was named itself', () => {
  const named = load({ tags: 'tags: [A2]' }, 'pool/named', REFERENCE, true);
  expect(select({ defects: ['keeps-reading'] }, [...ALL, ...named])).toEqual([
    'disconnect/endless[how=fin]',
    'disconnect/endless[how=rst]',
    'pool/named',
  ]);
  const [cell] = selectCells(ALL, { ...NOTHING, defects: ['keeps-reading'] });
  expect(cell).toMatchObject({ defects: ['keeps-reading'], presets: ['keeps-reading'] });
});

test('a preset stands for its switches, once each, and asks for the rows that it was seen on', () => {
  const [cell] = selectCells(ALL, { ...NOTHING, defects: ['seed-old', 'keeps-renewing'] });
  expect(cell).toMatchObject({
    id: 'disconnect/endless[how=fin]',
    defects: ['keeps-reading', 'keeps-renewing'],
    presets: ['seed-old', 'keeps-renewing'],
  });
  expect(expandDefects(['a', 'seed-old', 'a'], REFERENCE)).toEqual(['a', 'keeps-reading', 'keeps-renewing']);
});

test('names of every object are no defects', () => {
  expect(concerns(ALL[0]!.scenario, ['constructor', 'toString'])).toBe(false);
  expect(expandDefects(['constructor'], REFERENCE)).toEqual(['constructor']);
});

test('names that nothing has are refused with the nearest', () => {
  expect(refused({ defects: ['keeps-readin'] })).toEqual(['unknown-defect', expect.stringContaining('did you mean `keeps-reading`?')]);
  expect(refused({ where: { hwo: ['rst'] } })).toEqual(['unknown-axis', expect.stringContaining('did you mean `how`?')]);
  expect(refused({ where: { how: ['rts'] } })).toEqual(['unknown-value', expect.stringContaining('did you mean `rst`?')]);
});

test('defects cannot be planted in a system that has none, which only matters where it would be run', () => {
  expect(refused({ defects: ['keeps-reading'] }, load({ ...MATRIX }, 'disconnect/endless', PLAIN))[0]).toBe('no-defects');
  expect(select({ defects: ['keeps-reading'], tags: ['A1'] })).toHaveLength(2);
});

test('what is planted is said once: by --defect, or by the axis', () => {
  const onAxis = load(MATRIX, 'disconnect/endless').flatMap((one) => [loadedAt(one, { defect: 'none' }), loadedAt(one, { defect: 'keeps-reading' })]);
  expect(refused({ defects: ['keeps-renewing'] }, onAxis)[0]).toBe('bad-option');
  expect(select({ defects: ['keeps-reading'] }, load(MATRIX, 'disconnect/endless').map((one) => loadedAt(one, { runtime: 'process' })))).toHaveLength(2);
  expect(select({}, onAxis)).toHaveLength(4);
});

describe('an axis that changes nothing on the runtime is refused, though another one uses it', () => {
  const listed = 'versions: { from: list, list: [v1, v2], use: v1 }';
  const PATH = 'process: { command: [their-router] }';
  const at = (run: string, more: Readonly<Record<string, string>> = {}, version = 'v2') =>
    load({}, 'x/one', cardWith({ versions: listed, run: `run: [ { name: proxy, ${run} } ]`, ...more })).map((one) => loadedAt(one, { version }));
  const outcomeOf = (runtime: 'docker' | 'process', loaded: readonly Loaded[]): readonly unknown[] => {
    try {
      return select({ runtime }, loaded);
    } catch (error) {
      if (error instanceof ProblemError) return [error.problems[0]!.code, error.problems[0]!.hint];
      throw error;
    }
  };
  const TWO = ['x/one[version=v2]'];
  const install = { install: 'install: { pypi: ["x==${version}"] }' };

  test.each<[string, string, Readonly<Record<string, string>>, readonly unknown[], readonly unknown[]]>([
    ['a program of the machine beside images', `${PATH}, docker: { image: "their/router:\${version}" }`, {}, TWO, ['unknown-axis', 'on the other runtime it does: --runtime docker']],
    ['packages beside an image that is not built', `process: { command: ["\${install}/x"] }, docker: { image: "their/router:1" }`, install, ['unknown-axis', 'on the other runtime it does: --runtime process'], TWO],
    ['packages in an image that is built', `${PATH}, docker: { image: small, build: { context: "\${card}" } }`, install, TWO, TWO],
    ['an image that is only called by it', 'process: { command: [node, "${version}.js"] }, docker: { image: "small:${version}", build: { context: "${card}" } }', {}, ['unknown-axis', 'on the other runtime it does: --runtime process'], TWO],
    ['what it is told of both', `${PATH}, docker: { image: "their/router:1" }`, { ready: 'ready: { http: "/${version}" }' }, TWO, TWO],
  ])('%s', (_, run, more, docker, process) => {
    const loaded = at(run, more);
    expect([outcomeOf('docker', loaded), outcomeOf('process', loaded)]).toEqual([docker, process]);
  });

  test('a work tree is in no image that is not built of it; without coordinates nothing is refused', () => {
    const git = { versions: 'versions: { from: git, repository: ./repository, use: main }' };
    const loaded = at('process: { command: ["${source}/x"] }, docker: { image: "their/router:1", command: ["${source}/x"] }', git, 'v1');
    expect([outcomeOf('docker', loaded)[0], outcomeOf('process', loaded)]).toEqual(['unknown-axis', ['x/one[version=v1]']]);
    const built = at(`${PATH}, docker: { image: small, build: { context: "\${source}" } }`, git, 'v1');
    expect([outcomeOf('docker', built), outcomeOf('process', built)[0]]).toEqual([['x/one[version=v1]'], 'unknown-axis']);
    expect(outcomeOf('process', load({}, 'x/one', cardWith({ versions: listed, run: `run: [ { name: proxy, ${PATH}, docker: { image: "x:\${version}" } } ]` })))).toEqual(['x/one']);
  });
});

test('a secret that is not given is refused before anything is started, where its card would be run', () => {
  const secretive = cardWith({ run: 'run: [ { name: proxy, process: { command: [node], env: { TOKEN: "${secret.token}" } } } ]' });
  const loaded = [...ALL, ...load({ tags: 'tags: [s]' }, 'secret/one', secretive)];
  expect(refused({}, loaded)).toEqual(['missing-secret', 'give it by --secret token=...']);
  expect(select({ tags: ['s'], secrets: { token: 'abcd' } }, loaded)).toEqual(['secret/one']);
  expect(select({ tags: ['A2'] }, loaded)).toEqual(['pool/idle']);
});

test('a card of a repository without a revision is refused before anything is started; a tag that looks like a reference is a value', () => {
  const source = (more: string) => cardWith({ versions: `versions: { from: git, repository: ./repository${more} }`, run: 'run: [ { name: proxy, process: { command: [node, "${source}/proxy.mjs"] } } ]' });
  const loaded = load({}, 'git/one', source(''));
  expect(refused({}, loaded)).toEqual(['no-revision', 'name one: --axis version=main, or versions: { from: git, ..., use: main } in the card']);
  expect(select({}, loaded.map((one) => loadedAt(one, { version: 'v1_${secret.x}' })))).toEqual(['git/one[version=v1_${secret.x}]']);
  expect(select({}, load({}, 'git/one', source(', use: main')))).toEqual(['git/one']);
});

test('a selection that matched nothing is told the nearest tag', () => {
  expect(whyNothing(ALL, { tags: ['A11'] })).toMatch(/^no scenario has the tag "A11"; did you mean `A1`\?/);
  expect(whyNothing(ALL, { tags: ['A1'] })).toBe('hangup list shows what there is');
});
