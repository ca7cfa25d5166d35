// Fragments: what a scenario gets from them, where what is wrong in one is told, and what may not be used.
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Problem } from '../model/problem.ts';
import { loadScenarios, parseScenarios, readScenarios } from './load-scenarios.ts';
import { readSelfContained } from './self-contained.ts';
import { testRegistries } from './test-registries.ts';
import { scenarioWith } from './test-scenario.ts';

const options = { registries: testRegistries };

let folder: string;
let count = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hangup-use-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A scenario that uses things, in a folder of its own with files beside it. @returns the scenario's path */
const put = async (use: string, files: Readonly<Record<string, string>>, parts: Readonly<Record<string, string>> = {}): Promise<string> => {
  count += 1;
  const home = join(folder, `f${count}`);
  const all = { 'main.yaml': scenarioWith({ ...parts, use: `use: ${use}` }), ...files };
  for (const [name, text] of Object.entries(all)) {
    await mkdir(join(home, name, '..'), { recursive: true });
    await writeFile(join(home, name), text);
  }
  return join(home, 'main.yaml');
};

const placeOf = (home: string, { code, location }: Problem): string =>
  `${code} ${location?.file.slice(home.length - 'main.yaml'.length)}:${location?.line}:${location?.column}`;

const problemsOf = async (path: string): Promise<readonly Problem[]> => (await readScenarios([path], options)).problems;
const placesOf = async (path: string): Promise<readonly string[]> => (await problemsOf(path)).map((problem) => placeOf(path, problem));

const TWO = `version: 1
fragment: two-claims
variables:
  client: { about: who leaves }
  after: { about: from when on, default: gone }
tags: [shared, A2]
expect:
  - renewal-stopped: { client: "\${client}", after: "\${after}" }
    as: "(2) no renewal of \${client} afterwards"
  - nothing-reserved: { client: "\${client}" }
`;

const BOB = `version: 1
fragment: sibling
upstreams: { spare: silent }
clients:
  bob: { account: { same-as: alice }, script: [request: chat, { disconnect: rst, mark: bob-gone }] }
faults: [{ after: bob-gone, signal: SIGTERM }]
`;

const BOTH = { 'shared/two.yaml': TWO, 'shared/bob.yaml': BOB };

describe('what a scenario uses', () => {
  test('lists append after its own, maps join, tags are there once, and variables are filled in', async () => {
    const path = await put('[shared/two.yaml: { client: alice }, shared/bob.yaml]', BOTH, { name: 'name: small\ntags: [A2]' });
    const [scenario, ...more] = await loadScenarios([path], options);
    expect(more).toEqual([]);
    expect(scenario).toMatchObject({ tags: ['A2', 'shared'], upstreams: { model: {}, spare: {} } });
    expect(scenario).toMatchObject({ clients: { alice: {}, bob: { account: { sameAs: 'alice' } } } });
    expect(scenario!.faults.map(({ after }) => after)).toEqual(['bob-gone']);
    expect(scenario!.expect.map(({ kind, as, options: given }) => [kind, as, given.client, given.after])).toEqual([
      ['clean-shutdown', null, undefined, undefined],
      ['upstream-closed', null, undefined, undefined],
      ['renewal-stopped', '(2) no renewal of alice afterwards', 'alice', 'gone'],
      ['nothing-reserved', null, 'alice', undefined],
    ]);
  });

  test('a value that stands alone may be a map, such as the moment at which a bound is due', async () => {
    const path = await put('[shared/two.yaml: { client: alice, after: { bound: progress } }]', { 'shared/two.yaml': TWO });
    expect((await loadScenarios([path], options))[0]!.expect[2]!.options).toMatchObject({ after: { bound: 'progress' } });
  });

  test('fragments use others, from where they lie, and pass values on; one may be used twice', async () => {
    const outer = `version: 1\nfragment: outer\nvariables: { who: { about: who } }\nuse: [deep/two.yaml: { client: "\${who}" }]\n`;
    const path = await put('[shared/outer.yaml: { who: alice }, shared/bob.yaml, shared/outer.yaml: { who: bob }]', {
      'shared/outer.yaml': outer, 'shared/deep/two.yaml': TWO, 'shared/bob.yaml': BOB,
    });
    const [scenario] = await loadScenarios([path], options);
    expect(scenario!.expect.slice(2).map(({ options: given }) => given.client)).toEqual(['alice', 'alice', 'bob', 'bob']);
  });

  test('a value may be an axis of the scenario', async () => {
    const path = await put('[shared/two.yaml: { client: "${who}" }, shared/bob.yaml]', { 'shared/two.yaml': TWO, 'shared/bob.yaml': BOB }, {
      matrix: 'matrix: { who: [alice, bob] }',
    });
    const loaded = await loadScenarios([path], options);
    expect(loaded.map(({ id, expect: claims }) => [id.split('[')[1], claims[2]!.options.client, claims[2]!.as])).toEqual([
      ['who=alice]', 'alice', '(2) no renewal of alice afterwards'],
      ['who=bob]', 'bob', '(2) no renewal of bob afterwards'],
    ]);
  });

  test('fragments in a folder are no scenarios; one that is named is told', async () => {
    const path = await put('[shared/two.yaml: { client: alice }]', { 'shared/two.yaml': TWO });
    const home = join(path, '..');
    const { scenarios, files, problems } = await readScenarios([home], options);
    expect([scenarios.length, files, problems]).toEqual([1, 1, []]);
    expect((await problemsOf(join(home, 'shared', 'two.yaml'))).map(({ code }) => code)).toEqual(['fragment-not-scenario']);
  });
});

describe('what is wrong in a fragment', () => {
  test('is told in its own file, with who used it, all at once and beside what is wrong in the scenario', async () => {
    const bad = TWO.replace('nothing-reserved', 'nothing-reservd')
      .replace('"${client}", after', '"${clinet}", after')
      .replace('tags:', 'watch: 1s\ntags:');
    const path = await put('[shared/two.yaml: { client: alice, wen: gone }]', { 'shared/two.yaml': bad }, { name: 'nam: x' });
    expect(await placesOf(path)).toEqual([
      'missing-key main.yaml:1:1', 'unknown-key main.yaml:2:1', 'unknown-variable main.yaml:10:41',
      'unknown-key shared/two.yaml:6:1', 'unknown-reference shared/two.yaml:9:33', 'unknown-kind shared/two.yaml:11:5',
    ]);
    const inside = (await problemsOf(path)).slice(3);
    for (const { hint } of inside) expect(hint).toMatch(/used by .*main\.yaml:10$/);
    expect(inside[0]!.hint).toMatch(/the scenario's own/);
    expect(inside[1]!.message).toContain('`${clinet}`');
    expect(inside[1]!.hint).toMatch(/did you mean `client`\?/);
    expect(inside[1]!.location!.excerpt).toMatch(/clinet.*\n *\^{9}$/);
  });

  test('a value is told where it was given, not where it was put', async () => {
    const path = await put('[shared/two.yaml: { client: alcie }]', { 'shared/two.yaml': TWO });
    const problems = await problemsOf(path);
    expect([...new Set(problems.map((problem) => placeOf(path, problem)))]).toEqual(['unknown-name main.yaml:10:34']);
    expect(problems[0]!.hint).toMatch(/did you mean `alice`\?/);
  });

  test('what many use is told once', async () => {
    const path = await put('[shared/bad.yaml]', { 'shared/bad.yaml': 'version: 1\nfragment: bad\nexpect: [nothing]\n' });
    await writeFile(join(path, '..', 'second.yaml'), scenarioWith({ use: 'use: [shared/bad.yaml]' }));
    const problems = await problemsOf(join(path, '..'));
    expect(problems.map((problem) => placeOf(path, problem))).toEqual(['unknown-kind shared/bad.yaml:3:10']);
    expect(problems[0]!.hint).toMatch(/used by .*main\.yaml:10 and 1 more$/);
  });

  test('a broken one that lies in a folder that is read is told once, with who uses it', async () => {
    const path = await put('[shared/bad.yaml]', { 'shared/bad.yaml': 'version: 1\nfragment: [\n' });
    const problems = await problemsOf(join(path, '..'));
    expect(problems.map((problem) => placeOf(path, problem))).toEqual(['yaml-syntax shared/bad.yaml:3:1']);
    expect(problems[0]!.hint).toMatch(/used by .*main\.yaml:10$/);
  });

  test('a broken YAML text, a wrong shape, a value that is missing', async () => {
    expect(await placesOf(await put('[a/b.yaml]', { 'a/b.yaml': 'fragment: [\n' }))).toEqual(['yaml-syntax a/b.yaml:2:1']);
    expect(await placesOf(await put('[a/b.yaml]', { 'a/b.yaml': 'version: 2\nfragment: b\nexpect: alone\n' }))).toEqual([
      'bad-value a/b.yaml:1:10', 'wrong-type a/b.yaml:3:9',
    ]);
    const named = 'version: 1\nfragment: b\nvariables: { Al ice: { about: x, default: y } }\n';
    expect(await placesOf(await put('[a/b.yaml]', { 'a/b.yaml': named }))).toEqual(['bad-name a/b.yaml:3:14']);
    const missing = await problemsOf(await put('[shared/two.yaml]', { 'shared/two.yaml': TWO }));
    expect(missing.map(({ code, hint }) => `${code} ${hint}`)).toEqual(['missing-variable client: who leaves']);
  });

  test('a map inside a text, and a default inside a reference', async () => {
    const text = TWO.replace('after: "${after}"', 'after: "${after:gone}"');
    const path = await put('[shared/two.yaml: { client: { a: 1 } }]', { 'shared/two.yaml': text });
    const found = (await problemsOf(path)).filter(({ code }) => code === 'unknown-reference').map(({ message }) => message);
    expect(found).toEqual(['`${after:gone}`: a default stands in `variables`', '`client` is a map, which cannot be a part of a text']);
  });

  test('a client that both have', async () => {
    const path = await put('[a/b.yaml]', { 'a/b.yaml': 'version: 1\nfragment: b\nclients:\n  alice: { script: [pause] }\n' });
    const [problem, ...more] = await problemsOf(path);
    expect(more).toEqual([]);
    expect(placeOf(path, problem!)).toBe('conflicting-key a/b.yaml:4:3');
    expect(problem!.message).toMatch(/`alice` is in .*main\.yaml:6 too/);
  });
});

describe('what may not be used', () => {
  test('a circle, with its way round', async () => {
    const using = (name: string, other: string): string => `version: 1\nfragment: ${name}\nuse: [${other}]\n`;
    const path = await put('[a/one.yaml]', { 'a/one.yaml': using('one', 'two.yaml'), 'a/two.yaml': using('two', 'one.yaml') });
    const [problem, ...more] = await problemsOf(path);
    expect(more).toEqual([]);
    expect(placeOf(path, problem!)).toBe('fragment-cycle a/two.yaml:3:7');
    expect(problem!.message).toMatch(/a\/one\.yaml -> .*a\/two\.yaml -> .*a\/one\.yaml$/);
    expect(problem!.hint).toMatch(/used by .*a\/one\.yaml:3, used by .*main\.yaml:10$/);
    const self = await put('[a/self.yaml]', { 'a/self.yaml': using('self', 'self.yaml') });
    expect(await placesOf(self)).toEqual(['fragment-cycle a/self.yaml:3:7']);
  });

  test('a scenario, what is not there, what is no path', async () => {
    expect(await placesOf(await put('[other.yaml]', { 'other.yaml': scenarioWith({}) }))).toEqual(['not-a-fragment main.yaml:10:7']);
    const [missing] = await problemsOf(await put('[shared/tow.yaml]', { 'shared/two.yaml': TWO }));
    expect([missing!.code, missing!.hint]).toEqual(['path-not-found', 'did you mean `shared/two.yaml`?']);
    for (const use of ['shared/two.yaml', '[3]', '[{ a.yaml: {}, b.yaml: {} }]', '[a.yaml: 3]', '["${x}.yaml"]', '[a.yml]'])
      expect([use, (await placesOf(await put(use, {}))).map((place) => place.split(' ')[0])]).toEqual([use, ['bad-use']]);
  });

  test('what lies outside of its folder, by dots, by root, by a link', async () => {
    const outside = join(folder, 'outside.yaml');
    await writeFile(outside, TWO);
    for (const use of ['[../outside.yaml]', `[${outside}]`, '[shared/../../outside.yaml]'])
      expect([use, (await placesOf(await put(use, {}))).map((place) => place.split(' ')[0])]).toEqual([use, ['bad-use']]);
    const path = await put('[link.yaml]', {});
    await symlink(outside, join(path, '..', 'link.yaml'));
    expect(await placesOf(path)).toEqual(['bad-use main.yaml:10:7']);
    const inside = await put('[link.yaml: { client: alice }]', { 'shared/two.yaml': TWO });
    await symlink(join(inside, '..', 'shared', 'two.yaml'), join(inside, '..', 'link.yaml'));
    expect(await placesOf(inside)).toEqual([]);
  });

  test('more than anybody can read', async () => {
    const ten = (other: string): string => Array.from({ length: 10 }, () => other).join(', ');
    const wide = (name: string, other: string): string => `version: 1\nfragment: ${name}\nuse: [${ten(other)}]\n`;
    const path = await put('[a.yaml]', {
      'a.yaml': wide('a', 'b.yaml'), 'b.yaml': wide('b', 'c.yaml'), 'c.yaml': wide('c', 'd.yaml'), 'd.yaml': 'version: 1\nfragment: d\n',
    });
    expect((await problemsOf(path)).map(({ code }) => code)).toContain('file-too-complex');
  });

  test('anything, by a text without a file', () => {
    expect(() => parseScenarios('x.yaml', scenarioWith({ use: 'use: [a.yaml]' }), 'x', options)).toThrow(/not at hand/);
  });
});

describe('the text that evidence keeps', () => {
  test('is the file itself where nothing is used', async () => {
    const path = join(folder, 'plain.yaml');
    await writeFile(path, `# mine\n${scenarioWith({})}`);
    expect(await readSelfContained(path)).toBe(await readFile(path, 'utf8'));
  });

  test('is all of it where fragments are used: the same scenarios from one file, and the hashes of what it was made of', async () => {
    const path = await put('[shared/two.yaml: { client: "${who}", after: { bound: read } }, shared/bob.yaml]', BOTH, {
      matrix: 'matrix: { who: [alice, bob] }', name: 'name: "${what:a text} with: a colon"',
    });
    const text = await readSelfContained(path);
    const alone = parseScenarios(path, text, 'same', options);
    const before = await loadScenarios([path], options);
    expect(alone.map((scenario) => ({ ...scenario, id: '' }))).toEqual(before.map((scenario) => ({ ...scenario, id: '' })));
    expect(text).not.toContain(folder);
    const hash = (used: string | Buffer): string => createHash('sha256').update(used).digest('hex');
    for (const used of [await readFile(path), TWO, BOB]) expect(text).toContain(`sha256 ${hash(used)}`);
    expect(parseScenarios(path, text, 'same', { ...options, variables: { what: 'other' } })[0]!.name).toBe('other with: a colon');
  });
});
