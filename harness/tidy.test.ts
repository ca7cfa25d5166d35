// Style is a test: the import table, sizes, and that kind = file name = registry key.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.parentPath.includes('node_modules'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));

const files = ['harness', 'upstreams', 'images'].flatMap(filesBelow);
const isTest = (file: string): boolean => /\.test\.ts$|\/fixtures?[/.]|fixture\.ts$|test-kit/.test(file);
const sources = files.filter((file) => !isTest(file));

/** What each folder may import beside itself. Arrows never point up. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'harness/model': [],
  upstreams: ['harness/model'],
  'harness/runtimes': ['harness/model'],
  'harness/clients': ['harness/model'],
  'harness/probes': ['harness/model'],
  'harness/faults': ['harness/model'],
  'harness/expectations': ['harness/model'],
  'harness/bundle': ['harness/model'],
  'harness/reports': ['harness/model', 'harness/bundle'],
};
const LOWER = ['harness/model', 'upstreams', 'harness/runtimes', 'harness/clients', 'harness/probes', 'harness/faults', 'harness/expectations', 'harness/bundle'];
const scenario = [...LOWER, 'harness/scenario'];
const systems = [...scenario, 'harness/systems'];
const run = [...systems, 'harness/run'];
const plan = [...run, 'harness/plan'];
const cli = [...plan, 'harness/reports', 'harness/cli'];
const table: Readonly<Record<string, readonly string[]>> = {
  ...MAY_IMPORT, 'harness/scenario': LOWER, 'harness/systems': scenario, 'harness/run': systems, 'harness/plan': run, 'harness/cli': [...plan, 'harness/reports'], harness: cli,
  // What is run by hand and by CI stands above everything.
  // The kill matrix has to know every defect that the reference router can be given.
  'harness/tools': [...cli, 'harness', 'images/reference-router'], 'harness/bench': [...cli, 'harness', 'harness/e2e'], 'harness/e2e': [...cli, 'harness'],
};

const PACKAGES: Readonly<Record<string, RegExp>> = {
  zod: /^harness\/(scenario|systems)\//,
  yaml: /^harness\/scenario\/load\.ts$/,
  testcontainers: /^harness\/runtimes\/docker\.ts$/,
  execa: /^harness\/runtimes\/process\.ts$/,
  semver: /^harness\/systems\/axes\/compare\.ts$/,
  '@renovatebot': /^harness\/systems\/axes\/compare\.ts$/,
  undici: /^harness\/clients\//,
  commander: /^harness\/cli\//,
  yauzl: /^harness\/bundle\/archive-read\.ts$/,
  yazl: /^harness\/bundle\/archive-write\.ts$/,
  open: /^harness\/cli\/open-browser\.ts$/,
  xmlbuilder2: /^harness\/reports\/junit\.ts$/,
  'playwright-core': /^harness\/e2e\/browser-kit\.ts$/,
  'axe-core': /^harness\/e2e\/browser-kit\.ts$/,
};

const folderOf = (file: string): string => {
  const parts = file.split('/');
  if (parts[0] === 'images') return `images/${parts[1]}`;
  return parts[0] === 'harness' ? (parts.length === 2 ? 'harness' : `harness/${parts[1]}`) : parts[0]!;
};

const importsOf = (file: string): readonly string[] => {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/(?:^(?:import|export)\b[^;]*?\bfrom|\bimport\s*\(|^import)\s*'([^'\s]+)'/gm)].map((match) => match[1]!);
};

describe('import table', () => {
  test('arrows never point up', () => {
    const wrong = sources.flatMap((file) =>
      importsOf(file).filter((name) => name.startsWith('.')).flatMap((name) => {
        const from = folderOf(file);
        const to = folderOf(relative(root, resolve(root, dirname(file), name)));
        return from === to || table[from]?.includes(to) ? [] : [`${file} imports ${to} (${name})`];
      }));
    expect(wrong).toEqual([]);
  });

  test('each package has its one door', () => {
    const wrong = sources.flatMap((file) =>
      importsOf(file).filter((name) => !name.startsWith('.') && !name.startsWith('node:')).flatMap((name) => {
        const known = PACKAGES[name.split('/')[0]!];
        return known?.test(file) ? [] : [`${file} imports ${name}`];
      }));
    expect(wrong).toEqual([]);
  });

  test('lines of JSON are never cut where node:readline ends lines: at U+2028 too', () => {
    expect(sources.filter((file) => importsOf(file).includes('node:readline'))).toEqual([]);
  });

  test('relative imports end in .ts', () => {
    expect(files.flatMap((file) => importsOf(file).filter((name) => /^\.\.?\//.test(name) && !/\.(ts|json|mjs)$/.test(name)).map((name) => `${file}: ${name}`))).toEqual([]);
  });
});

describe('sizes', () => {
  const linesOf = (file: string): number => readFileSync(join(root, file), 'utf8').split('\n').length - 1;

  test('no source over 250 lines, the median under 70', () => {
    expect(sources.filter((file) => linesOf(file) > 250)).toEqual([]);
    const sorted = sources.map(linesOf).sort((a, b) => a - b);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(70);
  });

  test('every source begins by saying what it owns', () => {
    expect(sources.filter((file) => !/^(#!.*\n)?\/\/ /.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });

  test('no enums, namespaces, parameter properties or classes but errors', () => {
    const bad = /^\s*(?:export\s+)?(?:const\s+)?(?:enum|namespace)\s|^\s*(?:export\s+)?class\s+(?!\w+ extends Error)/m;
    expect(sources.filter((file) => bad.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });

  test('no test is skipped, focused or retried by hand', () => {
    const marker = new RegExp(String.raw`\b(?:it|test|describe)\.(?:only|todo|skip)\b`);
    expect(files.filter((file) => marker.test(readFileSync(join(root, file), 'utf8')) && file !== 'harness/tidy.test.ts')).toEqual([]);
  });
});

describe('names', () => {
  const registered = [
    ['upstreams/behaviours', 'upstreams/behaviours/registry.ts'], ['harness/clients/steps', 'harness/clients/registry.ts'],
    ['harness/faults', 'harness/faults/registry.ts'], ['harness/expectations', 'harness/expectations/registry.ts'], ['harness/probes', 'harness/probes/registry.ts'],
    ['harness/reports', 'harness/reports/registry.ts'],
  ] as const;

  test.each(registered)('kind = file name = registry key in %s', async (folder, registry) => {
    const module = (await import(join(root, registry))) as Record<string, { all?: readonly { kind: string }[] }>;
    const kinds = Object.values(module).find((value) => value?.all)?.all?.map((definition) => definition.kind) ?? [];
    const named = sources
      .filter((file) => dirname(file) === folder && /export const definition\b/.test(readFileSync(join(root, file), 'utf8')))
      .map((file) => basename(file, '.ts'));
    expect([...kinds].sort()).toEqual([...named].sort());
  });
});

describe('problems', () => {
  test('every code that is thrown is documented', () => {
    const thrown = /\b(?:problem|ProblemError)\(\s*(?:\{ family: )?'(?:scenario|environment|harness)',\s*(?:code: )?'([a-z-]+)'/g;
    const documented = readFileSync(join(root, 'docs/problems.md'), 'utf8');
    const codes = new Set(sources.flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(thrown)].map((match) => match[1]!)));
    expect(codes.size).toBeGreaterThan(20);
    expect([...codes].filter((code) => !documented.includes(`\`${code}\``))).toEqual([]);
  });
});
