// A search over the commits of a small git repository, killed in its middle and taken up again: the commit that leaks is named, though
// its card lists the leak as known and one commit does not start.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBundle } from '../bundle/read.ts';
import type { SearchState } from '../plan/bisect-run/state.ts';
import { bisectRepository } from './fixtures/bisect-repository.ts';
import { eventually, startCli, temporaryFolder } from './test-kit.ts';
import type { Finished, Started } from './test-kit.ts';

let folder: string;
let card: string;
let killed: { readonly state: SearchState; readonly output: string };
let resumed: Finished;

/** Two cards of one name have two folders. */
const homeOf = (path: string): string => {
  const digits = createHash('sha256').update(join('..', path)).digest('hex').slice(0, 6);
  return join(folder, 'evidence', `bisect-proxy-leak-plain-proxy-${digits}-version`);
};
const home = (): string => homeOf('card.yaml');
const file = (name: string): string => readFileSync(join(home(), name), 'utf8');
const stateNow = (): SearchState => JSON.parse(file('bisect.json')) as SearchState;

const bisect = (...words: readonly string[]): Started =>
  startCli(
    ['bisect', join('proxy', 'leak.yaml'), '--system', './card.yaml', '--runtime', 'process', '--good', 'v0', '--bad', 'v6', ...words],
    { folder, env: { XDG_CACHE_HOME: join(folder, 'cache') } },
  );

beforeAll(async () => {
  folder = temporaryFolder(true);
  const { path } = bisectRepository(join(folder, 'proxy'));
  card = readFileSync(join(path, 'card.yaml'), 'utf8')
    .replace('${card}', '${source}')
    .replace(/^run:/m, "versions: { from: git, repository: ./proxy, tags: 'v*' }\nknown: [{ scenario: proxy/leak, violates: [upstream-closed] }]\nrun:");
  writeFileSync(join(folder, 'card.yaml'), card);
  const first = bisect();
  await eventually('two runs in bisect.json', () => existsSync(join(home(), 'bisect.json')) && stateNow().probes.length >= 2, 60_000);
  first.child.kill('SIGKILL');
  await first.finished;
  killed = { state: stateNow(), output: first.output() };
  resumed = await bisect().finished;
}, 240_000);

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));

test('what was there before it was killed is there, and it goes on to the commit that leaks', () => {
  expect(resumed.code, `${killed.output}${resumed.output}`).toBe(0);
  expect(stateNow().probes.slice(0, killed.state.probes.length)).toEqual(killed.state.probes);
  expect(resumed.output).toContain(`going on: ${killed.state.probes.length} runs are there already`);
  expect(resumed.output).toContain('The first bad version is v5: v4 is good.');
  expect(JSON.parse(file('result.json'))).toMatchObject({
    word: 'found', culprit: { version: 'v5' }, good: { at: 'version=v4', bad: 0 }, symptom: { fingerprint: expect.stringMatching(/^upstream-closed@/) },
  });
});

test('the evidence of both neighbours is there, beside each other too', async () => {
  const { good, bad } = JSON.parse(file('result.json')) as Record<'good' | 'bad', { readonly evidence: string }>;
  const [ofGood, ofBad] = [await readBundle(join(home(), good.evidence)), await readBundle(join(home(), bad.evidence))];
  expect([ofGood.verdicts.outcome, ofBad.verdicts.outcome]).toEqual(['passed', 'failed']);
  expect([ofGood.isSealed, ofBad.isSealed]).toEqual([true, true]);
  expect(file('comparison.html')).toContain('good: version=v4');
  expect(file('result.md')).toContain('**The first bad version is v5: v4 is good.**');
  expect(resumed.output).toMatch(/hangup open \S+\/comparison\.html/);
});

test('the page is over, asks nobody, and leads to each run', () => {
  const page = file('index.html');
  expect(page).not.toContain('http-equiv="refresh"');
  expect(page).toContain("default-src 'none'");
  const links = [...page.matchAll(/href="([^"]+report\.html)"/g)].map(([, link]) => decodeURIComponent(link!));
  expect(links.length).toBeGreaterThan(4);
  expect(links.filter((link) => !existsSync(join(home(), link)))).toEqual([]);
});

test('another card of the same name has a folder of its own; a budget that comes to no answer is refused', async () => {
  writeFileSync(join(folder, 'other.yaml'), card);
  const dry = await bisect('--system', './other.yaml', '--dry-run').finished;
  expect(dry.output).toContain(`in ${relative(folder, homeOf('other.yaml'))}\n`);
  expect(homeOf('other.yaml')).not.toBe(home());
  const refused = await bisect('--max-probes', '1').finished;
  expect([refused.code, refused.output]).toEqual([4, expect.stringMatching(/--max-probes 1 comes to no answer: with --confidence 95 % the shortest search takes \d+ runs/)]);
});

test('known already, it starts nothing; with another card it is refused, at the line', async () => {
  const before = stateNow().probes.length;
  const again = await bisect().finished;
  expect(again.code, again.output).toBe(0);
  expect(stateNow().probes).toHaveLength(before);
  writeFileSync(join(folder, 'card.yaml'), `${card}# changed\n`);
  const refused = await bisect().finished;
  expect(refused.code, refused.output).toBe(4);
  expect(refused.output).toMatch(/bisect\.json:\d+:5: the card's text is not as it was .*\[bisect-changed\]/);
});
