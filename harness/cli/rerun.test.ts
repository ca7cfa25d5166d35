// What a bundle is run again with, and how its verdicts are compared: all that can be told without running.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MANIFEST, VERDICTS } from '../bundle/fixture.ts';
import { readBundle } from '../bundle/read.ts';
import type { Bundle } from '../bundle/read.ts';
import type { Verdicts } from '../bundle/format.ts';
import { toCardText } from '../plan/asked.ts';
import { PACKAGE_ROOT } from '../scenario/identity.ts';
import { cardOfThen } from './rerun-card.ts';
import { cellOfThen } from './rerun-cell.ts';
import { codeOf, compareVerdicts, comparisonText } from './rerun-compare.ts';
import { cellDifferences, versionDifferences } from './rerun-differences.ts';

const golden = (kind: string): Promise<Bundle> => readBundle(join(PACKAGE_ROOT, 'evidence', 'golden', kind));
const CHOSEN = { runtime: { kind: 'process' }, isolation: 'namespace', why: '' } as unknown as Parameters<typeof cellOfThen>[0]['chosen'];

const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-rerun-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

const withRun = (bundle: Bundle, run: Partial<Bundle['resolved']['run']>, rest: Partial<Bundle> = {}): Bundle => ({
  ...bundle,
  ...rest,
  resolved: { ...bundle.resolved, run: { ...bundle.resolved.run, ...run } },
});

const cellFor = (bundle: Bundle, cwd = PACKAGE_ROOT, system: string | null = null, secrets = {}) =>
  cellOfThen({ bundle, chosen: CHOSEN, secrets, system, cwd });

test('the same cell: scenario, card, defects, settings and claims are those of then', async () => {
  const bundle = await golden('failed');
  const { cell, asked, notes } = await cellFor(bundle);
  expect(cell.id).toBe(bundle.manifest.scenario);
  expect(cell.defects).toEqual(bundle.resolved.run.defects);
  expect(cell.presets).toEqual(bundle.resolved.run.presets);
  expect(cell.settings).toEqual(bundle.resolved.run.settings);
  expect(cell.claims).toEqual(bundle.resolved.judged.claims);
  // Word for word, whether the card in the tree is still that one or not.
  expect([...asked.cards.values()].map(({ hash }) => hash)).toEqual([bundle.resolved.run.cardHash]);
  expect([...asked.cards.keys()]).toEqual([cell.card.file]);
  expect(cellDifferences(bundle, cell)).toEqual([]);
  expect(notes.filter((note) => !note.startsWith('the card has changed') && !note.startsWith('file beside'))).toEqual([]);
  expect((await cellFor(withRun(bundle, { cardFiles: asked.cards.get(cell.card.file)!.files! }))).notes.join()).not.toContain('beside');
  // Of a time before these were recorded.
  expect((await cellFor(withRun(bundle, { cardFiles: undefined }))).notes.join()).toMatch(/files beside the card are not recorded .*: start\.mjs$/);
  expect((await cellFor(withRun(bundle, { cardFiles: { 'start.mjs': '0'.repeat(64) } }))).notes.join()).toMatch(/file beside the card start\.mjs: was 000000000000, is [0-9a-f]{12}/);
});

test('a card that has changed: the one in the evidence is used, and that is said', async () => {
  const folder = temporaryFolder();
  const bundle = await golden('known');
  mkdirSync(join(folder, 'scenarios'));
  writeFileSync(join(folder, 'scenarios', 'plain-proxy.yaml'), `${bundle.cardText!.replace('about: ', 'about: another one, ')}`);
  const elsewhere = withRun(bundle, { file: 'scenarios/known.yaml' });
  const { cell, notes } = await cellFor(elsewhere, folder);
  expect(notes.join()).toMatch(
    /the card has changed \(was [0-9a-f]{12}, is [0-9a-f]{12}\): the one in the evidence is used; --system \.\/plain-proxy\.yaml takes/,
  );
  expect(cell.card.about).not.toContain('another one');
  expect(cell.card.folder).toBe(join(folder, 'scenarios'));
  const asked = await cellFor(elsewhere, folder, 'scenarios/plain-proxy.yaml');
  expect(asked.cell.card.about).toContain('another one');
  expect(asked.notes.join()).toContain('another card is used, as it was asked for');
});

test('a card that is nowhere here: the one in the evidence, without its neighbours', async () => {
  const bundle = await golden('known');
  const { cell, notes } = await cellFor(withRun(bundle, { file: 'scenarios/known.yaml' }), temporaryFolder());
  expect(cell.card.system).toBe('plain-proxy');
  expect(notes.join()).toContain(
    'there is no card `./plain-proxy.yaml` here: the one in the evidence is used, without the files beside it, which evidence does not hold; where it needs them, put them beside a copy of its system.yaml and name that by --system',
  );
});

test('evidence without a card, or with one that secrets were taken out of: the one here, and a line that says so', async () => {
  const bundle = await golden('known');
  const wanted = (changed: Bundle) => cardOfThen({ bundle: changed, system: null, named: 'reference-router', cwd: temporaryFolder() });
  const { cardHash: _, ...run } = bundle.resolved.run;
  const old = { ...bundle, cardText: null, resolved: { ...bundle.resolved, run } };
  expect((await wanted(old)).notes).toEqual([
    'the evidence does not hold the card: it is used as it is now, and whether it is the same cannot be told',
  ]);
  const masked = { ...bundle, cardText: 'version: 1\nsystem: "[redacted]"\n' };
  expect((await wanted(masked)).notes.join()).toContain('secrets were taken out of the one in the evidence');
  const nowhere = cardOfThen({ bundle: old, system: null, named: './none.yaml', cwd: temporaryFolder() });
  await expect(nowhere).rejects.toMatchObject({ problems: [{ code: 'unknown-card', hint: expect.stringMatching(/^name one by --system: a copy of the bundle's system\.yaml, /) }] });
  const asked = cardOfThen({ bundle, system: './none.yaml', named: 'reference-router', cwd: temporaryFolder() });
  await expect(asked).rejects.toMatchObject({ problems: [{ code: 'unknown-card' }] });
});

const VARIED = `version: 1
name: varied
system: reference-router
matrix: { how: [fin, rst] }
upstreams: { model: { endless: { every: 100ms } } }
clients: { alice: { account: { balance: 10 }, script: [ request: chat, { receive: { events: "\${events:3}" } }, { disconnect: "\${how}", mark: gone } ] } }
watch: 1s
expect: [ process-alive ]
`;

test('variables and the place in the matrix come from the evidence; of old evidence from its command line', async () => {
  const bundle = await golden('passed');
  const of = (run: Partial<Bundle['resolved']['run']>, argv: readonly string[]): Bundle => ({
    ...withRun(bundle, { ...run, presets: [], defects: [] }),
    scenarioText: VARIED,
    manifest: { ...bundle.manifest, scenario: 'disconnect/varied[how=rst]', argv },
  });
  const events = async (changed: Bundle): Promise<unknown> =>
    (await cellFor(changed)).cell.scripts.alice!.find(({ kind }) => kind === 'receive')!.options.events;
  expect(await events(of({ variables: { events: '7' } }, ['run', '--var', 'events=9']))).toBe(7);
  const { variables: _, ...old } = of({}, ['run', 'x.yaml', '--var', 'events=5']).resolved.run;
  const before = of({}, ['run', 'x.yaml', '--var', 'events=5']);
  expect(await events({ ...before, resolved: { ...before.resolved, run: old } })).toBe(5);
  const { cell } = await cellFor(of({ variables: {} }, []));
  expect(cell.scenario.matrix).toEqual({ how: 'rst' });
  await expect(cellFor({ ...before, manifest: { ...before.manifest, scenario: 'disconnect/varied[how=kill]' } })).rejects.toMatchObject({
    problems: [{ code: 'not-rerunnable', hint: 'it makes disconnect/varied[how=fin], disconnect/varied[how=rst]' }],
  });
});

test('a control is not run alone, and a secret is asked for again', async () => {
  const bundle = await golden('known');
  const control = { ...bundle, manifest: { ...bundle.manifest, isControl: true } };
  await expect(cellFor(control)).rejects.toMatchObject({ problems: [{ code: 'not-rerunnable' }] });
  const cardText = bundle.cardText!.replace('HOST: ', 'KEY: "${secret.key}", HOST: ');
  const secretly = withRun(bundle, { file: 'scenarios/known.yaml', cardHash: toCardText(cardText).hash }, { cardText });
  await expect(cellFor(secretly, temporaryFolder())).rejects.toMatchObject({ problems: [{ code: 'missing-secret' }] });
  expect((await cellFor(secretly, temporaryFolder(), null, { key: 'abcdefgh' })).cell.id).toBe('goldens/known');
});

test('what is not as it was is told, one line each; addresses and accounts of the stage are not', async () => {
  const bundle = await golden('failed');
  const { cell } = await cellFor(bundle);
  const facts = { ...bundle.resolved.judged.facts, periods: { ...bundle.resolved.judged.facts.periods, leaseMs: 77 } };
  const claims = bundle.resolved.judged.claims.map((claim, index) =>
    index === 0 ? { ...claim, options: { ...claim.options, within: 5 } } : claim,
  );
  const changed = {
    ...withRun(bundle, { settings: { ...bundle.resolved.run.settings, LEASE_MS: '77', GONE: '1' } }),
    scenarioText: 'other',
  };
  const lines = cellDifferences(
    { ...changed, manifest: { ...bundle.manifest, runtime: 'docker' }, resolved: { ...changed.resolved, judged: { facts, claims } } },
    cell,
  );
  expect(lines).toEqual(
    expect.arrayContaining([
      'the scenario in the evidence is not word for word what was run: secrets were taken out of it',
      'runtime: was docker, is process',
      expect.stringMatching(/^LEASE_MS: was "77", is "\d+"$/),
      'GONE: was "1", is not set',
      expect.stringMatching(/^periods\.leaseMs: was 77, is \d+$/),
      expect.stringMatching(/^claim upstream-closed\.within: was 5, is \d+$/),
    ]),
  );
  expect(lines.join()).not.toMatch(/address|account/);
});

test('versions: hangup, and all that either of the two knows', () => {
  const was = { harness: MANIFEST.harness, versions: { node: 'v1', gone: '1', same: 'x' } };
  const is = { harness: { ...MANIFEST.harness, dirty: true }, versions: { node: 'v2', came: '2', same: 'x' } };
  expect(versionDifferences(was, was)).toEqual([]);
  expect(versionDifferences(was, is)).toEqual([
    'hangup: was 0.1.0 at commit abcdef012345, is 0.1.0 at commit abcdef012345 with changes',
    'came: was not told, is 2',
    'gone: was 1, is not told',
    'node: was v1, is v2',
  ]);
});

test('versions: of what came along the first few, and how many more', () => {
  const of = (version: string) => {
    const along = Array.from({ length: 20 }, (_, index) => [`npm part-${String(index).padStart(2, '0')} (came along)`, version]);
    return { harness: MANIFEST.harness, versions: { 'npm proxy': version, ...(Object.fromEntries(along) as Readonly<Record<string, string>>) } };
  };
  const told = versionDifferences(of('1'), of('2'));
  expect(told).toHaveLength(14);
  expect(told).toEqual(expect.arrayContaining(['npm part-11 (came along): was 1, is 2', 'npm proxy: was 1, is 2', 'and 8 more packages that came along']));
  expect(versionDifferences(of('1'), of('1'))).toEqual([]);
});

test('verdicts: the same outcomes are the same, whatever was measured; others are named with both', () => {
  const other: Verdicts = { ...VERDICTS, verdicts: VERDICTS.verdicts.map((each) => ({ ...each, reason: 'measured anew' })) };
  expect(compareVerdicts(VERDICTS, other).isSame).toBe(true);
  expect(comparisonText('s', VERDICTS, other)).toContain('The same outcome, and the same of 5 claims.');
  // What is violated in another way has the same outcome, and is not told as the same.
  const stale: Verdicts = { ...other, verdicts: other.verdicts.map((each) => (each.class === 'renewing' ? { ...each, class: 'stale' } : each)) };
  const told = comparisonText('s', VERDICTS, stale);
  expect(told).toMatch(/same outcome {2}renewal-stopped +was violated \(renewing\), is violated \(stale\)/);
  expect(told).toMatch(/the same of 5 claims\. \d claims? of another class\.\n$/);
  const better: Verdicts = {
    ...other,
    outcome: 'inconclusive',
    verdicts: other.verdicts.map((each, index) => (index < 2 ? { ...each, outcome: 'held' as const } : each)).slice(0, 4),
  };
  const { isSame, claims } = compareVerdicts(VERDICTS, better);
  expect(isSame).toBe(false);
  expect(claims.filter((each) => !each.isSame).map(({ id }) => id)).toEqual(['upstream-closed', 'renewal-stopped', 'refundable']);
  const text = comparisonText('s', VERDICTS, better);
  expect(text).toContain('s: was failed, is inconclusive');
  expect(text).toMatch(/changed {2}renewal-stopped +was violated \(renewing\), is held \(renewing\) +measured anew/);
  expect(text).toMatch(/changed {2}refundable +was does-not-apply, is not claimed/);
  expect(text).toMatch(/same {5}clean-shutdown +held\n/);
});

test('where one of the two was not judged, nothing is compared, and it is not the same', () => {
  const none: Verdicts = { ...VERDICTS, outcome: 'interrupted', verdicts: [] };
  expect(comparisonText('s', none, VERDICTS)).toBe(
    's: was interrupted, is failed\nThat run was not judged, so there is nothing to compare.\n',
  );
  expect(comparisonText('s', VERDICTS, none)).toContain('This run was not judged');
  expect(compareVerdicts(none, VERDICTS).isSame).toBe(false);
  expect(compareVerdicts(none, none).isSame).toBe(true);
});

test.each<readonly [was: Verdicts['outcome'], is: Verdicts['outcome'], code: number]>([
  // What was cut off says nothing of what is: neither that it is the same nor that it is not.
  ['interrupted', 'failed', 2], ['interrupted', 'passed', 2], ['error', 'passed', 2], ['untestable', 'does-not-apply', 2], ['interrupted', 'error', 3],
  ['interrupted', 'interrupted', 130], ['untestable', 'untestable', 2], ['failed', 'untestable', 2], ['failed', 'error', 3],
  ['failed', 'failed', 0], ['failed', 'passed', 1], ['passed', 'does-not-apply', 1], ['does-not-apply', 'does-not-apply', 5],
])('a run that was %s and is %s ends with %i', (was, is, code) => {
  const of = (outcome: Verdicts['outcome']): Verdicts =>
    ({ ...VERDICTS, outcome, verdicts: ['interrupted', 'error', 'untestable'].includes(outcome) ? [] : VERDICTS.verdicts });
  expect(codeOf(of(was), of(is))).toBe(code);
});

test('a copy of a bundle elsewhere is the same to it', async () => {
  const folder = join(temporaryFolder(), 'copy');
  cpSync(join(PACKAGE_ROOT, 'evidence', 'golden', 'failed'), folder, { recursive: true });
  const { cell } = await cellFor(await readBundle(folder), temporaryFolder());
  expect(cell.id).toBe('goldens/leaves');
});
