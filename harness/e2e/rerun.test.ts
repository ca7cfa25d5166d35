// What one person has run, another runs again from nothing but the archive: the same is found, what is not as it was is said
// first, and a system that was put right is seen to be.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBundle } from '../bundle/read.ts';
import { createMachineLocks } from '../plan/machine-locks.ts';
import { bundleFolders, bundlesOf, eventually, FIXTURES, nothingLeft, recorded, runCli, startCli, temporaryFolder } from './test-kit.ts';
import type { Finished } from './test-kit.ts';

const SCENARIO = `version: 1
name: its system ends by itself, where the variable says so
system: { card: ../card.yaml, settings: { fault: "\${fault:none}" } }
matrix: { events: [2, 3] }
upstreams: { model: { endless: { every: 50ms } } }
clients:
  alice: { script: [{ request: chat }, { receive: { events: "\${events}" } }] }
watch: 1s
expect: [process-alive]
`;

const WAITS = `version: 1
name: a client waits
system: none
locks: [NAME]
clients: { alice: { script: [{ wait: 100ms }] } }
expect: [script-done]
`;

const CARD = readFileSync(join(FIXTURES, 'plain-proxy', 'system.yaml'), 'utf8').replace('${card}', join(FIXTURES, 'plain-proxy'));

let folder: string;
let first: Finished;
let bundle: string;
let archive: string;

const writeCard = (text: string): void => writeFileSync(join(folder, 'card.yaml'), text);

beforeAll(async () => {
  folder = temporaryFolder(true);
  mkdirSync(join(folder, 'scenarios'));
  writeFileSync(join(folder, 'scenarios', 'dying.yaml'), SCENARIO);
  writeCard(CARD);
  first = await runCli(['scenarios/dying.yaml'], { folder }, ['--var', 'fault=exit', '--where', 'events=3']);
  bundle = bundleFolders(folder)[0]!;
  archive = join(folder, 'it.hangup.zip');
  await startCli(['issue', bundle, '--archive', archive], { folder }).finished;
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));

const rerun = (from: string, ...words: readonly string[]): Promise<Finished> => {
  const elsewhere = temporaryFolder();
  return startCli(['rerun', from, '--output', join(elsewhere, 'evidence'), ...words], { folder: elsewhere }).finished;
};

test('the first run is what the others are compared with', async () => {
  expect(first.code, first.output).toBe(1);
  const { resolved, cardText, isSealed } = await readBundle(bundle);
  expect(isSealed).toBe(true);
  expect(cardText).toBe(CARD);
  expect(resolved.run).toMatchObject({ variables: { fault: 'exit' }, system: null, cardHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
});

test('from its archive, in another folder, with neither scenario nor card at hand', async () => {
  const again = await rerun(archive);
  expect(again.code, again.output).toBe(0);
  expect(again.output).toContain('there is no card `../card.yaml` here: the one in the evidence is used');
  expect(again.output).toContain('dying[events=3]');
  expect(again.output).toContain('was failed, is failed');
  expect(again.output).toMatch(/same {2}process-alive {2}violated/);
  await nothingLeft(again.folder);
  const made = [...(await bundlesOf(again.folder)).values()][0]!;
  const { resolved, scenarioText } = await readBundle(bundle);
  expect(made.isSealed).toBe(true);
  expect(made.cardText).toBe(CARD);
  expect(made.scenarioText).toBe(scenarioText);
  expect(made.resolved.run).toMatchObject({
    variables: { fault: 'exit' },
    matrix: resolved.run.matrix,
    settings: resolved.run.settings,
    cardHash: resolved.run.cardHash,
  });
});

test('what it made is run again as well, with nothing different', async () => {
  const again = await rerun(archive);
  const made = bundleFolders(again.folder)[0]!;
  const third = await startCli(['rerun', made, '--output', join(again.folder, 'more')], { folder: again.folder }).finished;
  expect(third.code, third.output).toBe(0);
  expect(readdirSync(join(again.folder, 'more'))).toHaveLength(2);
});

test('a system that was put right: the old card is used unless the new one is asked for, and then the verdict has changed', async () => {
  writeCard(CARD.replace('env: FAULT', 'env: NO_FAULT'));
  try {
    // From the folder of the first run, where the scenario's card is found.
    const from = (...words: readonly string[]) =>
      startCli(['rerun', bundle, '--output', join(folder, 'again'), ...words], { folder }).finished;
    const asItWas = await from();
    expect(asItWas.code, asItWas.output).toBe(0);
    expect(asItWas.output).toMatch(/the card has changed \(was [0-9a-f]{12}, is [0-9a-f]{12}\): the one in the evidence is used/);
    const asItIs = await from('--system', 'card.yaml');
    expect(asItIs.code, asItIs.output).toBe(1);
    expect(asItIs.output).toContain('NO_FAULT: was not set, is "exit"');
    expect(asItIs.output).toMatch(/changed {2}process-alive {2}was violated, is held {2}\S/);
    // Said before anything is started.
    expect(asItIs.output.indexOf('Not as it was:')).toBeLessThan(asItIs.output.indexOf('was failed, is passed'));
  } finally {
    writeCard(CARD);
  }
});

test('a system that does not start is an error, and no change', async () => {
  const other = join(folder, 'broken.yaml');
  writeFileSync(other, CARD.replace('proxy.mjs', 'none.mjs'));
  const again = await rerun(bundle, '--system', other);
  expect(again.code, again.output).toBe(3);
  expect(again.output).toContain('was failed, is error');
  expect(again.output).toContain('This run was not judged, so there is nothing to compare.');
});

test('a run that was cut off is run again, and 2 says that there was nothing to compare with', async () => {
  const cut = join(temporaryFolder(), 'cut');
  cpSync(bundle, cut, { recursive: true });
  for (const name of ['seal.json', 'verdicts.json']) rmSync(join(cut, name));
  const again = await rerun(cut);
  expect(again.code, again.output).toBe(2);
  expect(again.output).toContain('was error, is failed');
  expect(again.output).toContain('That run was not judged, so there is nothing to compare.');
});

test('interrupted: 130, and nothing left', async () => {
  const elsewhere = temporaryFolder();
  const started = startCli(['rerun', archive, '--output', join(elsewhere, 'evidence')], { folder: elsewhere });
  await recorded(started, 'dying-events-3', '"system-ready"');
  started.child.kill('SIGINT');
  const finished = await started.finished;
  expect(finished.code, finished.output).toBe(130);
  await nothingLeft(elsewhere);
});

test('a lock that another hangup holds is waited for, which is told, and is let go when interrupted', async () => {
  const place = temporaryFolder();
  const name = `rerun-${process.pid}`;
  writeFileSync(join(place, 'waits.yaml'), WAITS.replace('NAME', name));
  const ran = await runCli(['waits.yaml'], { folder: place });
  expect(ran.code, ran.output).toBe(0);
  const held = await createMachineLocks()!.take([name]);
  if (!('release' in held)) throw new Error('somebody else has it');
  const started = startCli(['rerun', bundleFolders(place)[0]!, '--output', join(place, 'again')], { folder: place });
  await eventually('rerun to say what it waits for', () => started.output().includes(`for the lock "${name}", held by another hangup on this machine, process ${process.pid}`), 30_000);
  started.child.kill('SIGINT');
  const { code, output } = await started.finished;
  held.release();
  expect(code, output).toBe(130);
});

test('what is no bundle, or was changed, is refused before anything is started', async () => {
  const elsewhere = temporaryFolder();
  writeFileSync(archive.replace('it.', 'cut.'), readFileSync(archive).subarray(0, 2_000));
  for (const [from, code] of [
    [join(elsewhere, 'nowhere'), 'not-a-bundle'],
    [archive.replace('it.', 'cut.'), 'bundle-damaged'],
  ] as const) {
    const { code: exit, output } = await startCli(['rerun', from], { folder: elsewhere }).finished;
    expect(exit, output).toBe(4);
    expect(output).toContain(code);
  }
  expect(readdirSync(elsewhere)).toEqual([]);
});
