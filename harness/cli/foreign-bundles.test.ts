// Bundles with a seal of their own that hangup never wrote: by strangers, or by a later version. Every command says what is damaged, or
// shows what it can: none ends with an error of hangup.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeSeal } from '../bundle/seal.ts';
import { PACKAGE_ROOT } from '../scenario/identity.ts';
import { runCommand } from './program.ts';
import { testTerminal } from './test-terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'hangup-foreign-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Json = { [key: string]: Json };
type Foreign = readonly [file: string, change: (json: Json) => void];
const set = (of: Json, changes: object): void => void Object.assign(of, changes);
/** `String` and `Number` of it throw. */
const UNTOLD = { toString: 1, valueOf: 1 };
const eachVerdict = (changes: object) => (json: Json): void => (json.verdicts as unknown as Json[]).forEach((one) => set(one, changes));

/** Refused, with the place that is named. */
const DAMAGED: Readonly<Record<string, readonly [...Foreign, said: string]>> = {
  'hashes that are none': ['resolved.json', ({ run }) => set(run!, { cardFiles: { a: 5 } }), 'run.cardFiles.*'],
  'a runtime that there is not': ['manifest.json', (json) => set(json, { runtime: 'bogus' }), 'runtime'],
};
/** Shown as far as that goes. */
const SHOWN: Readonly<Record<string, Foreign>> = {
  'claims without options': ['resolved.json', ({ judged }) => (judged!.claims as unknown as Json[]).forEach((one) => set(one, { options: {} }))],
  'an interval that ends before it begins': ['verdicts.json', eachVerdict({ interval: { fromMs: 1_000, toMs: -70 } })],
  'an interval beyond all time': ['verdicts.json', eachVerdict({ interval: { fromMs: 1e300, toMs: -1e300 } })],
  'verdicts without options': ['verdicts.json', eachVerdict({ options: undefined })],
  'verdicts of claims that there are not': ['verdicts.json', eachVerdict({ claim: 'later', id: 'later' })],
  'times that are none': ['manifest.json', (json) => set(json, { startedAt: 'x', phases: { a: 1e308, b: 1e308 } })],
  'options that no text can be made of': [
    'resolved.json', ({ judged, run }) => {
      (judged!.claims as unknown as Json[]).forEach((one) => set(one, { options: { client: UNTOLD, within: [UNTOLD, 'x'] } }));
      set(run!, { settings: { MODE: UNTOLD } });
    },
  ],
  'hashes of later': ['resolved.json', ({ run }) => set(run!, { cardFiles: { a: 'short', b: null } })],
};

const make = async (name: string, [file, change]: Foreign): Promise<void> => {
  const bundle = join(folder, name);
  cpSync(join(PACKAGE_ROOT, 'evidence', 'golden', 'failed'), bundle, { recursive: true });
  const json = JSON.parse(readFileSync(join(bundle, file), 'utf8')) as Json;
  change(json);
  writeFileSync(join(bundle, file), JSON.stringify(json));
  rmSync(join(bundle, 'seal.json'));
  await writeSeal(bundle);
};

beforeAll(async () => {
  cpSync(join(PACKAGE_ROOT, 'evidence', 'golden', 'failed'), join(folder, 'good'), { recursive: true });
  for (const [name, [file, change]] of [...Object.entries(DAMAGED), ...Object.entries(SHOWN)]) await make(name, [file, change]);
});

const commandsOn = (name: string): readonly (readonly string[])[] => [
  ['judge', name],
  ['report', name, '--format', 'html,markdown,junit,ctrf,json,tap', '--output', 'out'],
  ['report', name, 'good', '--format', 'html,markdown,junit,ctrf,json,tap', '--output', 'out'],
  ['compare', name, 'good', '--html', 'out/compare.html'],
  ['compare', 'good', name],
  ['diff', name],
  ['issue', name, '--no-archive'],
  ['issue', name, '--archive', 'out/a.zip', '--force', '--limit', '50kB'],
  ['open', '--print', name],
];

const hangup = async (words: readonly string[]) => {
  const { terminal, err } = testTerminal({ cwd: folder });
  return { code: await runCommand(words, terminal), err: err() };
};

test.each(Object.keys(DAMAGED))('%s: every command names the place', async (name) => {
  for (const words of [...commandsOn(name), ['rerun', name]]) {
    const { code, err } = await hangup(words);
    expect({ words, code }).toEqual({ words, code: 4 });
    expect(err).toMatch(/\[bundle-damaged\]/);
    expect(err).toContain(`${DAMAGED[name]![0]} cannot be read: ${DAMAGED[name]![2]} is missing, or is not what it must be`);
  }
});

test.each(Object.keys(SHOWN))('%s: no command ends with an error of hangup', async (name) => {
  for (const words of commandsOn(name)) {
    const { code, err } = await hangup(words);
    expect(err, words.join(' ')).not.toContain('unexpected');
    // What was judged may be otherwise than what now is: that is told by 3, and only by the one that judges.
    if (words[0] !== 'judge') expect({ words, code: [0, 1].includes(code) }).toEqual({ words, code: true });
  }
});
