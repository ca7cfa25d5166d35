// Which files beside a card are hashed, and what is said where they are not as they were.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cardWith } from '../systems/fixture.ts';
import { cardFileDifferences, readCardFiles } from './card-files.ts';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A folder with these files, and a card in it that is run by this command. */
const cardBeside = (files: Readonly<Record<string, string>>, ...command: readonly string[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-card-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['lib', 'lib/node_modules', 'their']) mkdirSync(join(folder, name));
  for (const [name, text] of Object.entries({ 'their/system.yaml': 'x', ...files })) writeFileSync(join(folder, name), text);
  const run = `run: [ { name: proxy, process: { command: ${JSON.stringify(command)} } } ]`;
  return { folder, card: cardWith({ run }, join(folder, 'their', 'system.yaml')) };
};

test('a program that the command names, and one in a folder above', async () => {
  const { card } = cardBeside({ 'their/proxy.mjs': 'one', 'their/other.mjs': 'two', 'lib/all.mjs': 'three' }, 'node', '${card}/proxy.mjs', '--lib=${card}/../lib/all.mjs');
  expect(await readCardFiles(card)).toEqual({ '../lib/all.mjs': hashOf('three'), 'proxy.mjs': hashOf('one') });
});

test('the files of a folder that it names, but the card itself, what is hidden and what is installed', async () => {
  const { card } = cardBeside({ 'their/app.py': 'one', 'their/.cache': 'two', 'lib/node_modules/x.js': 'three', 'lib/y.js': 'four' }, 'run', '${card}', '${card}/../lib');
  expect(await readCardFiles(card)).toEqual({ '../lib/y.js': hashOf('four'), 'app.py': hashOf('one') });
});

test('what is not there is not listed, what is too large is not read', async () => {
  const { card, folder } = cardBeside({ 'their/large.bin': '' }, 'node', '${card}/none.mjs', '${card}/large.bin');
  truncateSync(join(folder, 'their', 'large.bin'), 16 * 1024 * 1024 + 1);
  expect(await readCardFiles(card)).toEqual({ 'large.bin': null });
});

test('a card that names nothing beside it has none', async () => {
  expect(await readCardFiles(cardBeside({ 'their/proxy.mjs': 'one' }, 'proxy').card)).toEqual({});
});

test('each that is not as it was is said, and where nobody can tell, that', () => {
  const [one, two] = [hashOf('one'), hashOf('two')];
  expect(cardFileDifferences({ 'a.mjs': one, 'b.mjs': one }, { 'a.mjs': one, 'b.mjs': one })).toEqual([]);
  expect(cardFileDifferences({ 'a.mjs': one, 'b.mjs': one, c: null }, { 'a.mjs': two, d: two, c: null })).toEqual([
    `file beside the card a.mjs: was ${one.slice(0, 12)}, is ${two.slice(0, 12)}`,
    `file beside the card b.mjs: was ${one.slice(0, 12)}, is not there`,
    'file beside the card c: too large to be told whether it is the same',
    `file beside the card d: was not there, is ${two.slice(0, 12)}`,
  ]);
  expect(cardFileDifferences(undefined, { 'a.mjs': one })).toEqual([
    'files beside the card are not recorded in the evidence: whether they are the same cannot be told: a.mjs',
  ]);
  expect(cardFileDifferences(undefined, {})).toEqual([]);
});
