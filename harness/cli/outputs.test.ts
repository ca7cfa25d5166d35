// Where commands write: through links, pipes and devices and never in their place, and into no bundle.
import { execFileSync } from 'node:child_process';
import { cpSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { readBundle } from '../bundle/read.ts';
import { PACKAGE_ROOT } from '../scenario/identity.ts';
import { runCommand } from './program.ts';
import { prepareReportFile } from './report-file.ts';
import { testTerminal } from './test-terminal.ts';

let home = '';

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-outputs-'));
  home = folder;
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['failed', 'passed']) cpSync(join(PACKAGE_ROOT, 'evidence', 'golden', name), join(home, name), { recursive: true });
});

const hangupIn = async (cwd: string, ...words: readonly string[]) => {
  const { terminal, out, err } = testTerminal({ cwd });
  const code = await runCommand(words, terminal);
  return { code, out: out(), err: err() };
};
const hangup = (...words: readonly string[]) => hangupIn(home, ...words);

const WRITERS: readonly (readonly [words: readonly string[], code: number, begin: string])[] = [
  [['judge', 'failed', '--output', 'there'], 1, '{'],
  [['report', 'failed', '--format', 'markdown', '--output', 'there'], 0, '# goldens/leaves'],
  [['compare', 'failed', 'passed', '--html', 'there'], 1, '<!doctype html>'],
];

test.each(WRITERS)('%j writes to what a link leads to, and leaves the link', async (words, code, begin) => {
  writeFileSync(join(home, 'elsewhere'), 'before');
  symlinkSync('elsewhere', join(home, 'there'));
  expect((await hangup(...words)).code).toBe(code);
  expect(lstatSync(join(home, 'there')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(home, 'elsewhere'), 'utf8').toLowerCase().startsWith(begin.toLowerCase())).toBe(true);
});

test.each(WRITERS)('%j writes into a pipe, which is one afterwards', async (words, code, begin) => {
  execFileSync('mkfifo', [join(home, 'there')]);
  const [{ code: given }, text] = await Promise.all([hangup(...words), readFile(join(home, 'there'), 'utf8')]);
  expect(given).toBe(code);
  expect(text.toLowerCase().startsWith(begin.toLowerCase())).toBe(true);
  expect(lstatSync(join(home, 'there')).isFIFO()).toBe(true);
});

test('an archive takes the place of no link, not even by force', async () => {
  writeFileSync(join(home, 'elsewhere'), 'before');
  symlinkSync('elsewhere', join(home, 'it.zip'));
  symlinkSync('nowhere', join(home, 'broken.zip'));
  for (const name of ['it.zip', 'broken.zip']) {
    const { code, out, err } = await hangup('issue', 'failed', '--archive', name, '--force');
    expect({ code, out }).toEqual({ code: 4, out: '' });
    expect(err).toContain(`${name} is no plain file [bad-option]`);
    expect(lstatSync(join(home, name)).isSymbolicLink()).toBe(true);
  }
  expect(readFileSync(join(home, 'elsewhere'), 'utf8')).toBe('before');
});

test('what is read is never written over, by whatever name', async () => {
  for (const name of ['failed', 'passed']) await hangup('issue', name, '--archive', `${name}.zip`);
  symlinkSync('failed.zip', join(home, 'link.zip'));
  writeFileSync(join(home, 'claims.yaml'), 'expect:\n  - clean-shutdown\n');
  const files = ['failed.zip', 'passed.zip', 'claims.yaml'];
  const before = files.map((name) => readFileSync(join(home, name)));
  const commands = [
    ['judge', 'failed.zip', '--output', 'failed.zip'],
    ['judge', 'link.zip', '--output', './failed.zip'],
    ['judge', 'failed.zip', '--output', 'link.zip'],
    ['judge', 'failed', '--expect', 'claims.yaml', '--output', 'claims.yaml'],
    ['report', 'failed.zip', '--output', 'failed.zip'],
    ['report', 'failed.zip', 'passed.zip', '--output', 'passed.zip'],
    ['compare', 'failed.zip', 'passed.zip', '--html', 'passed.zip'],
    ['compare', 'failed', 'link.zip', '--html', 'failed.zip'],
    ['issue', 'failed.zip', '--archive', 'failed.zip', '--force', '--limit', '50kB'],
    ['issue', 'link.zip', '--archive', 'failed.zip', '--force', '--limit', '50kB'],
  ];
  for (const words of commands) {
    const { code, out, err } = await hangup(...words);
    expect({ words, code, out }).toEqual({ words, code: 4, out: '' });
    expect(err).toContain('is what is read, which is never changed [bad-option]');
  }
  expect(files.map((name) => readFileSync(join(home, name)))).toEqual(before);
  // What lies beside it may be written, and so may one that is only called alike.
  expect((await hangup('judge', 'failed.zip', '--output', 'failed.zip.json')).code).toBe(1);
});

const FROM_WITHIN: readonly (readonly string[])[] = [
  ['judge', '../failed', '--output', 'verdicts.json'],
  ['judge', '../failed', '--expect', '../claims.yaml', '--output', 'logs/new.json'],
  ['report', '../failed', '--output', 'new.html'],
  ['report', '../failed', '../copy'],
  ['compare', '../failed', '../copy', '--html', 'new.html'],
  ['issue', '../failed'],
  ['issue', '../failed', '--archive', 'verdicts.json', '--force'],
  ['rerun', '../failed'],
  ['run', join(PACKAGE_ROOT, 'scenarios', 'disconnect', 'endless.yaml')],
  ['merge', '../shards', '--output', 'new'],
];
test.each(FROM_WITHIN.map((words) => [words] as const))('a bundle in which somebody stands is not written into: %j', async (words) => {
  const bundle = join(home, 'passed');
  cpSync(join(home, 'failed'), join(home, 'copy'), { recursive: true });
  writeFileSync(join(home, 'claims.yaml'), 'expect:\n  - clean-shutdown\n');
  const before = readdirSync(bundle, { recursive: true }).sort();
  const { code, out, err } = await hangupIn(bundle, ...words);
  expect({ code, out }).toEqual({ code: 4, out: '' });
  expect(err).toContain(`lies in the bundle ${bundle}, which is never changed [bad-option]`);
  expect(readdirSync(bundle, { recursive: true }).sort()).toEqual(before);
  expect((await readBundle(bundle)).isSealed).toBe(true);
});

test('nor is it by a file of a reporter, or by a link to what is not there yet; a folder with another manifest.json is none', async () => {
  symlinkSync('passed/new.json', join(home, 'there'));
  expect((await hangup('judge', 'failed', '--output', 'there')).err).toContain('which is never changed [bad-option]');
  await expect(prepareReportFile('junit', join(home, 'there'))).rejects.toMatchObject({ problems: [{ code: 'bad-option' }] });
  expect((await readBundle(join(home, 'passed'))).isSealed).toBe(true);
  writeFileSync(join(home, 'manifest.json'), '{"name":"a page"}');
  expect((await hangup('judge', 'failed', '--output', 'new.json')).code).toBe(1);
});

const INTO = ['failed', 'failed/logs', 'link', 'failed/../failed/new'];
test.each(INTO)('a rerun does not put its bundle into the one it was given: %s', async (output) => {
  symlinkSync('failed', join(home, 'link'));
  const { code, err } = await hangup('rerun', 'failed', '--output', output);
  expect(code).toBe(4);
  expect(err).toContain('which is never changed [bad-option]');
  expect((await readBundle(join(home, 'failed'))).isSealed).toBe(true);
});

test('a list of formats without one is a mistake, and one that is named twice is written once', async () => {
  for (const none of ['', ',']) expect(await hangup('report', 'failed', '--format', none)).toMatchObject({ code: 4, out: '' });
  expect(readdirSync(home).sort()).toEqual(['failed', 'passed']);
  expect((await hangup('report', 'failed', '--format', 'markdown,markdown')).out).toBe(`${join(home, 'failed.report.md')}\n`);
});

test('a temporary folder that is none is said to be, by whoever needs one', async () => {
  const before = process.env.TMPDIR;
  onTestFinished(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
  await hangup('issue', 'failed', '--archive', 'whole.zip');
  process.env.TMPDIR = join(home, 'nowhere');
  const issue = ['issue', 'failed', '--archive', 'it.zip', '--limit', '50kB'];
  for (const words of [issue, ['judge', 'whole.zip'], ['open', '--print', 'whole.zip']]) {
    const { code, err } = await hangup(...words);
    expect(code).toBe(3);
    expect(err).toContain(`nothing can be put into the temporary folder ${join(home, 'nowhere')}`);
  }
  expect(readdirSync(home).sort()).toEqual(['failed', 'passed', 'whole.zip']);
});

test('what several write to one place at once is what one of them wrote, whole', async () => {
  const writers = ['failed', 'passed', 'failed', 'passed'].flatMap((name) => [
    hangup('issue', name, '--archive', 'same.zip', '--force'),
    hangup('report', name, '--output', 'same.html'),
  ]);
  for (const { code, err } of await Promise.all(writers)) expect(code, err).toBe(0);
  expect(readdirSync(home).sort()).toEqual(['failed', 'passed', 'same.html', 'same.zip']);
  expect((await hangup('judge', 'same.zip')).out).toContain('The same as verdicts.json, byte for byte.');
  expect(readFileSync(join(home, 'same.html'), 'utf8').trimEnd().endsWith('</html>')).toBe(true);
});

test('a command that was interrupted while it ended says so by its code', async () => {
  const interrupt = new AbortController();
  const { terminal, out } = testTerminal({ cwd: home, signal: interrupt.signal });
  const ended = runCommand(['judge', 'passed'], terminal);
  interrupt.abort(new Error('interrupted'));
  expect(await ended).toBe(130);
  expect(out()).toContain('passed');
});
