// A bundle that is not as it was left is refused by every command that takes one, and the file is named. Commands are found by
// their arguments, so that one that is added is tried too.
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commands } from './commands.ts';
import { runCommand } from './program.ts';
import { testTerminal } from './test-terminal.ts';

const GOLDEN = join(import.meta.dirname, '..', '..', 'evidence', 'golden', 'passed');

const folder = mkdtempSync(join(tmpdir(), 'hangup-tampered-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CHANGES: Readonly<Record<string, readonly [file: string, change: (path: string) => void]>> = {
  changed: ['timeline.ndjson', (path) => writeFileSync(path, readFileSync(path, 'utf8').replace('"seq":1,', '"seq":9,'))],
  added: ['logs/more.log', (path) => writeFileSync(path, 'more')],
  removed: ['scenario.yaml', (path) => rmSync(path)],
  renamed: ['sockets/changes.tsv', (path) => renameSync(path, `${path}.old`)],
  linked: ['verdicts.json', (path) => {
    renameSync(path, join(folder, 'elsewhere.json'));
    symlinkSync(join(folder, 'elsewhere.json'), path);
  }],
  'cut seal': ['seal.json', (path) => writeFileSync(path, readFileSync(path, 'utf8').slice(0, -40))],
};

beforeAll(() => {
  cpSync(GOLDEN, join(folder, 'good'), { recursive: true });
  for (const [name, [file, change]] of Object.entries(CHANGES)) {
    cpSync(GOLDEN, join(folder, name), { recursive: true });
    change(join(folder, name, file));
  }
});

/** Each place of each command in which a bundle is named. */
const places = commands.flatMap(({ define }) => {
  const command = define(new Command());
  const given = command.registeredArguments.map((argument) => argument.name());
  return given.flatMap((name, index) => (/bundle|^[ab]$/.test(name) ? [{ command: command.name(), index, names: given }] : []));
});

test('commands that take bundles are found', () => {
  const found = new Set(places.map(({ command }) => command));
  expect([...found].sort()).toEqual(expect.arrayContaining(['compare', 'diff', 'issue', 'judge', 'open', 'report', 'rerun']));
});

const cases = places.flatMap((place) => Object.entries(CHANGES).map(([change, [file]]) => ({ ...place, change, file })));

test.each(cases)('$command refuses one with a file $change, as its argument $index', async ({ command, index, names, change, file }) => {
  const isBundle = (at: number): boolean => places.some((place) => place.command === command && place.index === at);
  const args = names.flatMap((_, at) => (at === index ? [join(folder, change)] : isBundle(at) ? [join(folder, 'good')] : []));
  const before = readdirSync(folder).sort();
  const { terminal, out, err } = testTerminal({ cwd: folder });
  expect(await runCommand([command, ...args], terminal)).toBe(4);
  expect(err()).toMatch(/\[bundle-(tampered|damaged)\]/);
  expect(err()).toContain(file);
  expect(out()).toBe('');
  expect(readdirSync(folder).sort()).toEqual(before);
});
