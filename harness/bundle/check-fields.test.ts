// Nothing of a bundle is believed because it stands in one: every field of every file is of its kind, or it is named. They are not
// sealed: nothing but the reader stands between what is in them and who uses it.
import { appendFileSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { unsealedGolden } from './fixture.ts';
import { readBundle } from './read.ts';
import { readLogs } from './read-logs.ts';

type Path = readonly (string | number)[];
type Nested = Record<string | number, unknown>;

/** A field somewhere in it set to a value; undefined takes it away. */
const changed = (value: unknown, path: Path, to: unknown): unknown => {
  if (path.length === 0) return to;
  const copy = structuredClone(value) as Nested;
  const parent = path.slice(0, -1).reduce<Nested>((at, key) => at[key] as Nested, copy);
  parent[path.at(-1)!] = to;
  return copy;
};

const refuses = async (folder: string, said: string): Promise<void> => {
  const [message, hint] = [expect.stringContaining(said) as string, expect.any(String) as string];
  await expect(readBundle(folder)).rejects.toMatchObject({ problems: [{ family: 'scenario', code: 'bundle-damaged', message, hint }] });
};

it.each<readonly [file: string, path: Path, to: unknown, said: string]>([
  ['manifest.json', ['startedAt'], 5, 'startedAt'],
  ['manifest.json', ['argv', 2], null, 'argv[2]'],
  ['manifest.json', ['harness'], undefined, 'harness'],
  ['manifest.json', ['versions', 'node'], {}, 'versions.*'],
  ['resolved.json', [], [], 'it is no object'],
  ['resolved.json', ['judged', 'facts', 'leaves', 0, 'mark'], 7, 'judged.facts.leaves[0].mark'],
  ['resolved.json', ['judged', 'claims', 0, 'options'], null, 'judged.claims[0].options'],
  ['resolved.json', ['run', 'defects'], 'all', 'run.defects'],
])('%s with %j as %j is refused, and the place is named', async (file, path, to, said) => {
  const folder = unsealedGolden();
  const text = readFileSync(join(folder, file), 'utf8');
  writeFileSync(join(folder, file), JSON.stringify(changed(JSON.parse(text), path, to)));
  await refuses(folder, `${file} cannot be read: ${said}`);
});

it('names a field that an observation lacks, whatever its type, and the line', async () => {
  const folder = unsealedGolden();
  const path = join(folder, 'timeline.ndjson');
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const types = new Set<string>();
  for (const [index, line] of lines.entries()) {
    const { atMs, actor, seq, type, ...fields } = JSON.parse(line) as Record<string, unknown>;
    if (types.has(`${type as string} ${String(fields.probe)}`)) continue;
    types.add(`${type as string} ${String(fields.probe)}`);
    // An object is what no field of an observation may be but the value of a sample, which must have its parts.
    for (const name of Object.keys(fields)) {
      const wrong = { atMs, actor, seq, type, ...fields, [name]: {} };
      writeFileSync(path, [...lines.slice(0, index), JSON.stringify(wrong), ...lines.slice(index + 1), ''].join('\n'));
      if (name === 'addresses') await expect(readBundle(folder)).resolves.toBeDefined();
      else await refuses(folder, `timeline.ndjson, line ${index + 1}: ${name}`);
    }
  }
  expect(types.size).toBeGreaterThan(25);
}, 60_000);

const FILES = ['timeline.ndjson', 'control.ndjson', 'resolved.json', 'system.yaml'];
it.each(FILES)('a folder in the place of %s is no such file', async (name) => {
  const folder = unsealedGolden();
  rmSync(join(folder, name));
  mkdirSync(join(folder, name));
  await expect(readBundle(folder)).rejects.toMatchObject({ problems: [{ code: 'bundle-tampered' }] });
});

it('a folder among the logs is no log', async () => {
  const folder = unsealedGolden();
  for (const name of ['more.log', 'router.times.tsv']) {
    rmSync(join(folder, 'logs', name), { force: true });
    mkdirSync(join(folder, 'logs', name));
  }
  expect((await readLogs(folder)).map(({ name }) => name)).toEqual(['router']);
});

it('a line longer than any that is written is refused before it is held whole', async () => {
  const folder = unsealedGolden();
  truncateSync(join(folder, 'timeline.ndjson'), 1024 ** 3);
  await refuses(folder, 'is longer than 33554432 bytes');
});

it('what is nested deeper than anything that is written is refused, and not walked', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const folder = unsealedGolden();
  const path = join(folder, 'resolved.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"settings": {', `"settings": { "deep": ${deep},`).replace(',}', '}'));
  await refuses(folder, 'resolved.json is not JSON that can be read: it is nested too deep');
  const other = unsealedGolden();
  appendFileSync(join(other, 'timeline.ndjson'), `{"atMs":1,"actor":"a","seq":1,"type":"later","deep":${deep}}\n`);
  await refuses(other, 'is not an observation');
});

it('reads what it does not know: types, fields and keys of a later version', async () => {
  const folder = unsealedGolden();
  const { all } = (await readBundle(folder)).timeline;
  const path = join(folder, 'timeline.ndjson');
  const [first, ...rest] = readFileSync(path, 'utf8').split('\n');
  const later = JSON.stringify({ atMs: 1, actor: 'harness', seq: 1e6, type: 'of-a-later-version', how: 7 });
  writeFileSync(path, [JSON.stringify({ ...(JSON.parse(first!) as object), more: [1] }), later, ...rest].join('\n'));
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as object;
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, more: null }));
  expect((await readBundle(folder)).timeline.all).toHaveLength(all.length + 1);
});
