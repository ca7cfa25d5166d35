// `hangup report`, `open` and `compare` on real bundles: what they print and write, that no seal is ever broken, and what they
// say of paths that are none.
import { cp, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../bundle/fixture.ts';
import { createRedactor } from '../bundle/redact.ts';
import { readBundle } from '../bundle/read.ts';
import { createBundleWriter } from '../bundle/write.ts';
import { BAD, GOOD } from '../reports/compare/fixture.ts';
import type { ReportInput } from '../reports/view/input.ts';
import { commandsOf, whyNotShown } from './open-browser.ts';
import { runCommand } from './program.ts';
import { testTerminal } from './test-terminal.ts';
import type { Terminal } from './command.ts';

let home = '';

const write = async (folder: string, { manifest, resolved, timeline, verdicts }: ReportInput, isControl = false): Promise<string> => {
  const writer = await createBundleWriter(folder, { manifest: { ...manifest, isControl }, scenarioText: 'version: 1\n', resolved, redactor: createRedactor() });
  for (const each of timeline.all) writer.observe(each);
  await writer.closeTimeline();
  await writer.writeVerdicts(verdicts);
  await writer.seal();
  return folder;
};

type Answer = { readonly code: number; readonly out: string; readonly err: string };

const hangup = async (words: readonly string[], environment: Terminal['environment'] = {}): Promise<Answer> => {
  const { terminal, out, err } = testTerminal({ cwd: home, environment });
  const code = await runCommand(words, terminal);
  return { code, out: out(), err: err() };
};

beforeEach(async () => {
  home = temporaryFolder();
  await mkdir(join(home, 'runs'));
  await write(join(home, 'runs', 'bad'), BAD);
  await write(join(home, 'runs', 'good'), GOOD);
  await write(join(home, 'runs', 'control-1'), GOOD, true);
});

describe('report', () => {
  test('renders a bundle beside it, says where, and leaves its seal whole', async () => {
    const { code, out } = await hangup(['report', 'runs/bad', '--format', 'html,markdown']);
    expect({ code, out }).toEqual({ code: 0, out: `${join(home, 'runs', 'bad.report.html')}\n${join(home, 'runs', 'bad.report.md')}\n` });
    expect(await readFile(join(home, 'runs', 'bad.report.html'), 'utf8')).toContain('disconnect/endless[how=fin]');
    expect((await readBundle(join(home, 'runs', 'bad'))).isSealed).toBe(true);
  });

  test('prints one format, alone, on standard output', async () => {
    const { code, out } = await hangup(['report', 'runs/bad', '--format', 'markdown', '--output', '-']);
    expect(code).toBe(0);
    expect(out).toMatch(/^# disconnect\/endless.*: failed\n/);
    expect((await hangup(['report', 'runs/bad', '--format', 'html,markdown', '--output', '-'])).code).toBe(4);
  });

  test('makes an index of a folder of bundles, with a page for each but the controls and what was only begun', async () => {
    await cp(join(home, 'runs', 'bad'), join(home, 'runs', '.begun.partial'), { recursive: true });
    const { code, out } = await hangup(['report', 'runs', '--format', 'html,markdown,junit']);
    expect(code).toBe(0);
    const names = ['bad.report.html', 'bad.report.md', 'good.report.html', 'good.report.md', 'index.html', 'summary.md', 'junit.xml'];
    expect(out).toBe(names.map((name) => `${join(home, 'runs', name)}\n`).join(''));
    const index = await readFile(join(home, 'runs', 'index.html'), 'utf8');
    expect(index).toContain('href="bad.report.html"');
    expect(index).toContain('href="good.report.html"');
    expect(await readFile(join(home, 'runs', 'summary.md'), 'utf8')).toContain('](bad.report.md)');
  });

  test('leaves what a run has written beside its bundles, and writes again over its own', async () => {
    await writeFile(join(home, 'runs', 'junit.xml'), '<testsuites/>');
    const { code, out } = await hangup(['report', 'runs', '--format', 'html,junit']);
    const names = ['bad.report.html', 'good.report.html', 'index.html', 'junit.xml'];
    expect({ code, out }).toEqual({ code: 0, out: names.map((name) => `${join(home, 'hangup-report', name)}\n`).join('') });
    expect(await readFile(join(home, 'runs', 'junit.xml'), 'utf8')).toBe('<testsuites/>');
    expect((await readdir(join(home, 'runs'))).sort()).toEqual(['bad', 'control-1', 'good', 'junit.xml']);
    // Of other names it is free; the second time what is there is its own, also when there is more to say.
    const index = join(home, 'runs', 'index.html');
    expect((await hangup(['report', 'runs'])).out).toContain(`${index}\n`);
    await cp(join(home, 'runs', 'good'), join(home, 'runs', 'more'), { recursive: true });
    expect((await hangup(['report', 'runs'])).out).toContain(`${index}\n`);
    expect(await readFile(index, 'utf8')).toContain('href="more.report.html"');
    await writeFile(index, 'of a run');
    expect((await hangup(['report', 'runs'])).out).not.toContain(index);
    expect(await readFile(index, 'utf8')).toBe('of a run');
  });

  test('takes several bundles, of one name too, into one folder', async () => {
    await mkdir(join(home, 'older'));
    await cp(join(home, 'runs', 'good'), join(home, 'older', 'bad'), { recursive: true });
    await hangup(['report', 'runs/bad', 'older/bad', '--output', 'both']);
    expect((await readdir(join(home, 'both'))).sort()).toEqual(['bad-2.report.html', 'bad.report.html', 'index.html']);
  });

  test('what is told apart by a number takes the name of no other', async () => {
    for (const [from, to] of [['bad', 'x/a'], ['good', 'y/a'], ['bad', 'y/a-2'], ['good', 'z/a']] as const) {
      await mkdir(dirname(join(home, to)), { recursive: true });
      await cp(join(home, 'runs', from), join(home, to), { recursive: true });
    }
    const { code } = await hangup(['report', 'x/a', 'y/a', 'y/a-2', 'z/a', '--format', 'markdown', '--output', 'all']);
    expect(code).toBe(0);
    expect((await readdir(join(home, 'all'))).sort()).toEqual(['a-2.report.md', 'a-3.report.md', 'a-4.report.md', 'a.report.md', 'summary.md']);
    const outcomes = await Promise.all(['a', 'a-3', 'a-2', 'a-4'].map(async (name) => (await readFile(join(home, 'all', `${name}.report.md`), 'utf8')).split('\n')[0]));
    expect(outcomes.map((line) => line!.split(': ').at(-1))).toEqual(['failed', 'passed', 'failed', 'passed']);
  });

  test('JUnit and CTRF name the pages that were made, of folders and of archives', async () => {
    expect((await hangup(['issue', 'runs/bad', '--archive', 'bad.zip'])).code).toBe(0);
    const sets = [
      [['runs'], ['bad', 'good'], ''], [['runs/good', 'bad.zip'], ['bad', 'good'], ''], [['bad.zip'], ['bad'], 'bad.'], [['runs/good'], ['good'], 'good.'],
    ] as const;
    for (const [paths, names, before] of sets) {
      expect((await hangup(['report', ...paths, '--format', 'html,markdown,junit,ctrf', '--output', 'out'])).code).toBe(0);
      const pages = names.flatMap((name) => [`out/${name}.report.html`, `out/${name}.report.md`]);
      for (const page of pages) expect((await stat(join(home, page))).isFile()).toBe(true);
      const junit = await readFile(join(home, 'out', `${before}junit.xml`), 'utf8');
      expect([...junit.matchAll(/\[\[ATTACHMENT\|([^\]]+)\]\]/g)].map((match) => match[1]!).sort()).toEqual(pages);
      type Ctrf = { readonly results: { readonly tests: readonly { readonly attachments?: readonly { readonly path: string }[] }[] } };
      const { results } = JSON.parse(await readFile(join(home, 'out', `${before}ctrf-report.json`), 'utf8')) as Ctrf;
      expect(results.tests.flatMap(({ attachments = [] }) => attachments.map(({ path }) => path)).sort()).toEqual(pages);
    }
  });

  test('never writes into a bundle, by whatever way', async () => {
    await symlink(join(home, 'runs', 'bad'), join(home, 'link'));
    for (const output of ['runs/bad/new.html', 'runs/bad/logs/x/new.html', 'link/new.html', 'runs/good/../bad/new.html']) {
      const { code, err } = await hangup(['report', 'runs/bad', '--output', output]);
      expect(code).toBe(4);
      expect(err).toContain('[bad-option]');
    }
    expect((await readBundle(join(home, 'runs', 'bad'))).isSealed).toBe(true);
  });

  test('refuses what was changed, what is none, and formats that there are not', async () => {
    await writeFile(join(home, 'runs', 'bad', 'verdicts.json'), '{}');
    expect((await hangup(['report', 'runs/bad'])).err).toContain('[bundle-tampered]');
    expect((await hangup(['report', 'nowhere'])).err).toContain('[not-a-bundle]');
    const { code, err } = await hangup(['report', 'runs/good', '--format', 'htm']);
    expect({ code, err }).toEqual({ code: 4, err: expect.stringMatching(/there is no format "htm" \[unknown-format\]\n +hint: did you mean `html`/) as string });
  });
});

describe('compare', () => {
  test('shows both, and its exit code says that they differ', async () => {
    const { code, out } = await hangup(['compare', 'runs/bad', 'runs/good']);
    expect(code).toBe(1);
    expect(out).toMatch(/renewal-stopped +violated +held +differs/);
    expect((await hangup(['compare', 'runs/good', 'runs/good'])).code).toBe(0);
  });

  test('is JSON, and a page, where that is asked for', async () => {
    const { code, out, err } = await hangup(['compare', 'runs/bad', 'runs/good', '--json', '--html', 'made/both.html', '--at', 'gone']);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ agree: false, alignment: { mark: 'gone', aMs: 1500, bMs: 1750 } });
    expect(err).toBe(`${join(home, 'made', 'both.html')}\n`);
    const page = await readFile(join(home, 'made', 'both.html'), 'utf8');
    expect(page.match(/<svg class="picture" viewBox="0 0 1320 /g)).toHaveLength(2);
    expect(page).toContain('<title id="run-b-title">Lanes of run b, runs/good</title>');
    expect(page).toContain("script-src 'none'");
    expect((await hangup(['compare', 'runs/bad', 'runs/good', '--html', 'runs/bad/x.html'])).code).toBe(4);
  });

  test('refuses a mark that is not there', async () => {
    const { code, err } = await hangup(['compare', 'runs/bad', 'runs/good', '--at', 'gnoe']);
    expect(code).toBe(4);
    expect(err).toMatch(/runs\/bad has no mark "gnoe" \[unknown-mark\]\n +hint: did you mean `gone`/);
  });
});

describe('open', () => {
  const address = (...path: readonly string[]): string => `${pathToFileURL(join(home, ...path)).href}\n`;

  test('prints the address where nobody can look, and where it is asked to', async () => {
    await writeFile(join(home, 'runs', 'index.html'), '');
    expect(await hangup(['open', 'runs'], { CI: 'true', DISPLAY: ':0' })).toEqual({ code: 0, out: address('runs', 'index.html'), err: '' });
    expect((await hangup(['open', 'runs', '--print'], { BROWSER: 'false' })).out).toBe(address('runs', 'index.html'));
    await mkdir(join(home, 'evidence'));
    await symlink('../runs', join(home, 'evidence', 'latest'));
    expect((await hangup(['open', '--print'])).out).toBe(address('evidence', 'latest', 'index.html'));
  });

  test('makes the page of a bundle that has none, outside of it', async () => {
    const { code, out } = await hangup(['open', 'runs/bad', '--print']);
    expect(code).toBe(0);
    const page = fileURLToPath(out.trim());
    onTestFinished(() => rm(dirname(page), { recursive: true }));
    expect(page).not.toContain(join(home, 'runs'));
    expect(await readFile(page, 'utf8')).toContain('disconnect/endless[how=fin]');
    expect((await readBundle(join(home, 'runs', 'bad'))).isSealed).toBe(true);
  });

  test('starts the browser that BROWSER names, the first that there is', async () => {
    await writeFile(join(home, 'runs', 'index.html'), '');
    const seen = join(home, 'seen');
    await writeFile(join(home, 'browser'), `#!/bin/sh\nprintf %s "$1" > '${seen}.part' && mv '${seen}.part' '${seen}'\n`, { mode: 0o755 });
    const { code, out, err } = await hangup(['open', 'runs'], { BROWSER: `/no/such/browser:${join(home, 'browser')} %s`, PATH: process.env.PATH });
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err).toBe(`opened ${address('runs', 'index.html')}`);
    await expect.poll(() => readFile(seen, 'utf8').catch(() => 'the browser was not started'), { timeout: 10_000 }).toBe(address('runs', 'index.html').trim());
    expect((await hangup(['open', 'runs'], { BROWSER: '/no/such/browser' })).code).toBe(3);
  });

  test('says what to do where there is nothing to open', async () => {
    expect((await hangup(['open'])).err).toContain('[no-evidence]');
    expect((await hangup(['open', 'nowhere'])).err).toContain('[not-a-bundle]');
    expect((await hangup(['open', 'runs'])).err).toMatch(/\[no-report\]\n +hint: hangup report runs/);
  });

  test('knows where nobody can look', () => {
    expect(whyNotShown({}, 'linux')).toBe('no display');
    expect(whyNotShown({ DISPLAY: ':0' }, 'linux')).toBeNull();
    expect(whyNotShown({}, 'darwin')).toBeNull();
    expect(whyNotShown({ CI: 'true' }, 'darwin')).toBe('CI');
    expect(whyNotShown({ BROWSER: 'none', DISPLAY: ':0' }, 'linux')).toBe('BROWSER is none');
    expect(commandsOf('firefox -P x:open %s now', 'file:///a%20b')).toEqual([['firefox', '-P', 'x', 'file:///a%20b'], ['open', 'file:///a%20b', 'now']]);
  });
});
