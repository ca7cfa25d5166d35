// A search for the symptom of a bundle goes on with that symptom, whatever becomes of the bundle: under another path it is the same
// question, another bundle at the same path is another one, and where it is gone the search still knows.
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SearchState } from '../plan/bisect-run/state.ts';
import { bisectRepository, LEAKY, PROXY } from './fixtures/bisect-repository.ts';
import { startCli, temporaryFolder } from './test-kit.ts';
import type { Finished } from './test-kit.ts';

/** Ends by itself when its client has left. */
const DYING = PROXY.replace("outgoing.on('close', () => upstream.destroy())", "outgoing.on('close', () => (posts > 1 ? process.exit(7) : upstream.destroy()))");

let folder: string;
const hangup = (...words: readonly string[]): Promise<Finished> => startCli(words, { folder, env: { XDG_CACHE_HOME: join(folder, 'cache') } }).finished;
const about = [join('proxy', 'leak.yaml'), '--system', './card.yaml', '--runtime', 'process'];
const bisect = (symptom: string, ...words: readonly string[]): Promise<Finished> =>
  hangup('bisect', ...about, '--good', 'v0', '--bad', 'v1', '--symptom', symptom, '--output', 'searches', ...words);

const home = (): string => join(folder, 'searches', readdirSync(join(folder, 'searches')).find((name) => !name.includes('.old-'))!);
const stateNow = (): SearchState => JSON.parse(readFileSync(join(home(), 'bisect.json'), 'utf8')) as SearchState;

/** Of a run at that version, where it was moved to. */
const bundleOf = async (version: string, to: string): Promise<void> => {
  const ran = await hangup('run', ...about, '--axis', `version=${version}`, '--output', `evidence-${version}`);
  expect(ran.code, ran.output).toBe(1);
  const latest = join(folder, `evidence-${version}`, 'latest');
  // Beside it lies that of its control.
  const outcomeOf = (name: string): unknown => (JSON.parse(readFileSync(join(latest, name, 'verdicts.json'), 'utf8')) as { readonly outcome: unknown }).outcome;
  const [name] = readdirSync(latest).filter((one) => existsSync(join(latest, one, 'verdicts.json')) && outcomeOf(one) === 'failed');
  renameSync(join(latest, name!), join(folder, to));
};

beforeAll(async () => {
  folder = temporaryFolder(true);
  const { path } = bisectRepository(join(folder, 'proxy'), [PROXY, LEAKY, DYING]);
  const card = readFileSync(join(path, 'card.yaml'), 'utf8').replace('${card}', '${source}').replace(/^run:/m, "versions: { from: git, repository: ./proxy, tags: 'v*' }\nrun:");
  writeFileSync(join(folder, 'card.yaml'), card);
  await bundleOf('v1', 'leak');
  await bundleOf('v2', 'death');
  cpSync(join(folder, 'leak'), join(folder, 'mine'), { recursive: true });
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));

test('it goes on where the bundle is elsewhere or gone, and not where another one lies in its place', async () => {
  const first = await bisect('mine');
  expect(first.code, first.output).toBe(0);
  expect(first.output).toContain('The first bad version is v1: v0 is good.');
  const { probes, question: { symptom } } = stateNow();
  expect(symptom).toMatch(/^upstream-closed@[0-9a-f]{8}$/);

  for (const same of ['leak', './leak', symptom!]) {
    const again = await bisect(same);
    expect(again.code, again.output).toBe(0);
    expect(again.output).toContain(`going on: ${probes.length} runs are there already`);
  }

  rmSync(join(folder, 'mine'), { recursive: true });
  const gone = await bisect('mine');
  expect(gone.code, gone.output).toBe(0);
  expect(gone.output).toContain(`looked for: ${symptom}, as this search has it: mine is not there any more`);

  const unknown = await bisect('theirs');
  expect([unknown.code, unknown.output]).toEqual([4, expect.stringContaining('makes no claim "theirs"')]);
  const fresh = await bisect('mine', '--fresh');
  expect([fresh.code, fresh.output]).toEqual([4, expect.stringContaining(`--symptom ${symptom}`)]);

  cpSync(join(folder, 'death'), join(folder, 'mine'), { recursive: true });
  const other = await bisect('mine');
  expect(other.code, other.output).toBe(4);
  expect(other.output).toMatch(/bisect\.json:\d+:5: the symptom that is looked for is not as it was .*\[bisect-changed\]/);
  expect(stateNow().probes).toEqual(probes);
}, 240_000);

test('what can be taken up no longer is set aside by one that begins anew, and keeps nobody from asking what would be done', async () => {
  const state = join(home(), 'bisect.json');
  const damaged = readFileSync(state, 'utf8').replace(/"format": \d+/, '"format": 3');
  writeFileSync(state, damaged);
  const refused = await bisect('upstream-closed');
  expect([refused.code, refused.output]).toEqual([4, expect.stringContaining('[bisect-unreadable]')]);
  const dry = await bisect('upstream-closed', '--dry-run');
  expect(dry.code, dry.output).toBe(0);
  expect(readFileSync(state, 'utf8')).toBe(damaged);
  const anew = await bisect('upstream-closed', '--fresh');
  expect(anew.code, anew.output).toBe(0);
  expect(anew.output).toContain('The first bad version is v1: v0 is good.');
  expect(stateNow().question.symptom).toBe('upstream-closed');
  expect(readFileSync(join(`${home()}.old-1`, 'bisect.json'), 'utf8')).toBe(damaged);
}, 240_000);
