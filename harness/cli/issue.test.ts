// `hangup issue` on bundles of every kind that real runs have left: text, archive, link; and what it refuses.
import { randomBytes } from 'node:crypto';
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PACKAGE_ROOT } from '../scenario/identity.ts';
import { runCommand } from './program.ts';
import { testTerminal } from './test-terminal.ts';

const GOLDEN = join(PACKAGE_ROOT, 'evidence', 'golden');
const KINDS = readdirSync(GOLDEN).sort();

const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-issue-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

const issue = async (bundle: string, cwd: string, ...more: readonly string[]) => {
  const { terminal, out, err } = testTerminal({ cwd });
  const code = await runCommand(['issue', bundle, ...more], terminal);
  return { code, text: out(), errors: err() };
};

const judged = async (bundle: string): Promise<{ readonly code: number; readonly output: string }> => {
  const { terminal, out } = testTerminal();
  const code = await runCommand(['judge', bundle], terminal);
  return { code, output: out() };
};

test.each(KINDS)('golden bundle %s: a text without a path of this machine, and an archive that judges as the bundle does', async (kind) => {
  const cwd = temporaryFolder();
  const { code, text, errors } = await issue(join(GOLDEN, kind), cwd);
  expect(code, errors).toBe(0);
  expect(text.length).toBeLessThan(60_000);
  expect(text.split('\n')[0]!.length).toBeLessThan(600);
  for (const own of [PACKAGE_ROOT, homedir(), cwd]) expect(text).not.toContain(own);
  expect(text).toMatch(/^npx hangup rerun [\w.-]+\.hangup\.zip$/m);
  const [archive, ...others] = readdirSync(cwd);
  expect(others).toEqual([]);
  expect(text).toContain(archive!);
  expect(errors).toMatch(/^title: .+\narchive: .+\.hangup\.zip \(\d+ kB\); attach it to the issue\n$/);
  const [before, after] = [await judged(join(GOLDEN, kind)), await judged(join(cwd, archive!))];
  expect(after.code).toBe(before.code);
  const table = (output: string): readonly string[] => output.split('\n').filter((line) => !/^Evidence: |^Note: /.test(line));
  expect(table(after.output)).toEqual(table(before.output));
});

test('says by its first words what the run came to', async () => {
  const first = async (kind: string): Promise<string> =>
    (await issue(join(GOLDEN, kind), temporaryFolder(), '--no-archive')).text.split('\n')[0]!;
  expect(await first('failed')).toContain('does not do what is right when its client resets its connection (RST)');
  expect(await first('passed')).toContain('Not reproduced.');
  expect(await first('inconclusive')).toContain('Nothing can be concluded');
  expect(await first('error')).toContain('broke off with an error');
  expect(await first('interrupted')).toContain('was cut off before its end');
  expect(await first('cut-off')).toContain('was cut off before its end');
});

test('what the card lists is said beside it: known, or known and violated no more', async () => {
  const caveats = async (kind: string): Promise<readonly string[]> =>
    (await issue(join(GOLDEN, kind), temporaryFolder(), '--no-archive')).text.split('\n').filter((line) => line.startsWith('> '));
  expect(await caveats('known')).toEqual([expect.stringMatching(/^> Known already, as the card says: `process-alive` \(/)]);
  expect(await caveats('fixed')).toEqual([expect.stringMatching(/^> Listed by the card as known, and not violated here: `process-alive`/)]);
  expect(await caveats('passed')).toEqual([]);
});

test('a failed run: right beside seen in the words of the claims, facts, picture, control and versions', async () => {
  const { text } = await issue(join(GOLDEN, 'failed'), temporaryFolder(), '--no-archive');
  expect(text).toContain('After the mark and within the limit the upstream sees the system close the exchange');
  expect(text).toMatch(/\| gone \+ [\d.]+ s \| `upstream\.model#\d+` \|/);
  expect(text).toContain('```text\n');
  expect(text).toMatch(
    /A control is the same run with a client that stays\. There its exchange at upstream\.model stayed open for [\d.]+ s/,
  );
  expect(text).toMatch(/direct ones were seen within [\d.]+ m?s, FIN and RST on the client and the upstream leg\./);
  expect(text).toMatch(/\| system \| `reference-router` \(card `[0-9a-f]{12}`\) \|/);
  expect(text).toMatch(/^npx hangup run .*--defect ignores-disconnect$/m);
});

test('nothing is written over unless it is asked for; where to write may be said', async () => {
  const cwd = temporaryFolder();
  const bundle = join(GOLDEN, 'known');
  writeFileSync(join(cwd, 'mine.zip'), 'mine');
  const refused = await issue(bundle, cwd, '--archive', 'mine.zip');
  expect(refused).toMatchObject({ code: 3, text: '' });
  expect(refused.errors).toContain('archive-exists');
  expect(readFileSync(join(cwd, 'mine.zip'), 'utf8')).toBe('mine');
  expect((await issue(bundle, cwd, '--archive', 'mine.zip', '--force')).code).toBe(0);
  const none = await issue(bundle, cwd, '--no-archive');
  expect(none.code).toBe(0);
  expect(none.errors).not.toContain('archive');
  expect(none.text).toContain('npx hangup run ');
  expect(readdirSync(cwd)).toEqual(['mine.zip']);
});

test('a smaller limit leaves out, and text, terminal and archive say what', async () => {
  const cwd = temporaryFolder();
  const folder = join(cwd, 'bundle');
  cpSync(join(GOLDEN, 'cut-off'), folder, { recursive: true });
  // A clone has no empty folders.
  mkdirSync(join(folder, 'logs'), { recursive: true });
  for (let line = 0; line < 20_000; line += 1) appendFileSync(join(folder, 'logs', 'proxy.log'), `${(line * 48_271) % 65_537} ${line}\n`);
  const { code, text, errors } = await issue(folder, cwd, '--limit', '50kB', '--archive', 'small.zip');
  expect(code, errors).toBe(0);
  expect(errors).toContain('left out of logs/proxy.log: the middle');
  expect(text).toContain('- `logs/proxy.log`: the middle');
  expect(readFileSync(join(cwd, 'small.zip')).length).toBeLessThanOrEqual(50_000);
  // An archive in place of a bundle: what it lacks is still said, and it is attached as it is.
  const again = await issue(join(cwd, 'small.zip'), cwd);
  expect(again.text).toContain('- `logs/proxy.log`: the middle');
  expect(again.errors).toContain('archive (as it was given): ');
  expect(readdirSync(cwd).sort()).toEqual(['bundle', 'small.zip']);
});

test('captured packets stay at home unless they are asked for, and then a warning is given', async () => {
  const cwd = temporaryFolder();
  const folder = join(cwd, 'bundle');
  cpSync(join(GOLDEN, 'cut-off'), folder, { recursive: true });
  mkdirSync(join(folder, 'capture'));
  writeFileSync(join(folder, 'capture', 'stage.pcap'), 'Bearer of every key');
  const without = await issue(folder, cwd, '--archive', 'without.zip');
  expect(without.errors).toContain('left out of capture/stage.pcap: all packets, since keys are in them');
  expect(without.errors).not.toContain('warning');
  expect(without.text).toContain('- `capture/stage.pcap`: all packets');
  const within = await issue(folder, cwd, '--archive', 'within.zip', '--with-packets');
  expect(within.errors).toContain('warning: captured packets are in the archive');
  expect(readFileSync(join(cwd, 'within.zip')).length).toBeGreaterThan(readFileSync(join(cwd, 'without.zip')).length - 2_000);
  // Asked for, and left out all the same: there is nothing to warn of.
  writeFileSync(join(folder, 'capture', 'stage.pcap'), randomBytes(400_000));
  const large = await issue(folder, cwd, '--archive', 'large.zip', '--with-packets', '--limit', '300kB');
  expect(large.errors).toContain('left out of capture/stage.pcap');
  expect(large.errors).not.toContain('warning');
  // An archive that holds them is packed anew without them.
  const again = await issue(join(cwd, 'within.zip'), cwd);
  expect(again.errors).toContain('left out of capture/stage.pcap: all packets');
  expect(again.errors).not.toContain('as it was given');
});

test('what an archive says that it lacks is a line of text, whoever wrote it', async () => {
  const cwd = temporaryFolder();
  const folder = join(cwd, 'bundle');
  cpSync(join(GOLDEN, 'failed'), folder, { recursive: true });
  rmSync(join(folder, 'seal.json'));
  const left = [{ path: 'logs/\u001b]0;x\u0007', what: 'all\n\u001b[2J', bytes: 1 }];
  writeFileSync(join(folder, 'reduced.json'), JSON.stringify({ format: 1, of: null, canBeJudged: true, left }));
  const { text, errors } = await issue(folder, cwd);
  const { output } = await judged(folder);
  for (const shown of [text, errors, output]) expect(shown).not.toContain('\u001b');
  expect(errors).toContain('  left out of logs/·]0;x·: all··[2J\n');
  expect(output).toContain('(left out: logs/·]0;x·: all··[2J)');
});

test('a link where one is asked for: from the card or from the command, and to nowhere else', async () => {
  const cwd = temporaryFolder();
  const bundle = join(GOLDEN, 'known');
  const { code, text } = await issue(bundle, cwd, '--no-archive', '--open-in', 'github', '--repository', 'owner/name');
  expect(code).toBe(0);
  expect(text.split('\n')).toHaveLength(2);
  const url = new URL(text);
  expect(url.href.length).toBeLessThanOrEqual(8_000);
  expect(`${url.origin}${url.pathname}`).toBe('https://github.com/owner/name/issues/new');
  expect(url.searchParams.get('title')).toBe('plain-proxy: process-alive violated');
  expect(url.searchParams.get('body')).toContain('died by itself');
  const unknown = await issue(bundle, cwd, '--open-in', 'github');
  expect(unknown).toMatchObject({ code: 4, text: '' });
  expect(unknown.errors).toContain('--repository owner/name');
  expect(existsSync(join(cwd, 'goldens-known.hangup.zip'))).toBe(false);
  expect(await issue(bundle, cwd, '--open-in', 'github', '--repository', 'https://evil.example/a/b')).toMatchObject({ code: 4 });
});

test('a bundle that was changed is refused, file named, and no archive is made of it', async () => {
  const cwd = temporaryFolder();
  const folder = join(cwd, 'bundle');
  cpSync(join(GOLDEN, 'failed'), folder, { recursive: true });
  appendFileSync(join(folder, 'verdicts.json'), ' ');
  const { code, text, errors } = await issue(folder, cwd);
  expect({ code, text }).toEqual({ code: 4, text: '' });
  expect(errors).toContain('verdicts.json was changed');
  expect(readdirSync(cwd)).toEqual(['bundle']);
});

test.each([
  ['nowhere', 'not-a-bundle'],
  ['notes.txt', 'not-a-bundle'],
])('%s is no bundle', async (name, expected) => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'notes.txt'), 'no bundle');
  const { code, errors } = await issue(name, cwd);
  expect(code).toBe(4);
  expect(errors).toContain(expected);
});

test.each(['0', 'much', '10 parsecs', '-1MB'])('--limit %s is no size', async (limit) => {
  const { code, errors } = await issue(join(GOLDEN, 'known'), temporaryFolder(), `--limit=${limit}`);
  expect(code).toBe(4);
  expect(errors).toContain('--limit takes a size');
});
