// The command line as a whole: help and examples, what is refused and with which exit code.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, onTestFinished, test } from 'vitest';
import { reporters } from '../reports/registry.ts';
import { commands } from './commands.ts';
import { packageVersion } from './package-version.ts';
import { runCommand } from './program.ts';
import { testTerminal } from './test-terminal.ts';
import type { Terminal } from './command.ts';

const COMMANDS = commands.map(({ define }) => define(new Command()).name());

const call = async (argv: readonly string[], over: Partial<Terminal> = {}) => {
  const { terminal, out, err } = testTerminal({ argv, ...over });
  return { code: await runCommand(argv, terminal), out: out(), err: err() };
};

const aborted = (): AbortSignal => AbortSignal.abort(new Error('interrupted'));

describe('help', () => {
  test.each(COMMANDS)('%s: what it does, and examples that begin with it', async (command) => {
    const { code, out, err } = await call([command, '--help']);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(new RegExp(`^Usage: hangup ${command} `));
    expect(out).toMatch(new RegExp(`\nExamples:\n(  \\$ hangup ${command}.*\n)+`));
    expect(out).not.toMatch(/default: (\{|\[|false|undefined|"")/);
  });

  test('the program lists every command; run names every reporter and every exit code', async () => {
    const { code, out } = await call(['--help']);
    expect(code).toBe(0);
    for (const command of COMMANDS) expect(out).toMatch(new RegExp(`^  ${command} `, 'm'));
    const { out: run } = await call(['run', '--help']);
    expect(run.replace(/\s+/g, ' ')).toContain(`each one of ${reporters.kinds.join(', ')}; `);
    for (const exit of ['0 passed', '1 failed', '2 inconclusive', '3 environment', '4 usage', '5 nothing', '130 interrupted'])
      expect(run).toContain(exit);
  });

  test.each(COMMANDS)('%s: its options fit a terminal of 80 columns', async (command) => {
    const { out } = await call([command, '--help'], { columns: 80 });
    const options = out.slice(0, out.indexOf('\nExamples:')).split('\n').filter((line) => line.startsWith(' '));
    expect(options.length).toBeGreaterThan(0);
    expect(options.filter((line) => line.length > 80)).toEqual([]);
  });

  test('--symptom and --jobs take the same wherever they are', async () => {
    const helps = await Promise.all(['run', 'soak', 'bisect'].map(async (command) => (await call([command, '--help'])).out.replace(/\s+/g, ' ')));
    for (const help of helps) expect(help).toContain('runs side by side at most: a number, 50% of what auto takes, or auto');
    for (const help of [helps[0], helps[2]]) expect(help).toMatch(/--symptom <what> (?:(?! --symptom | Options: ).)*a claim, a fingerprint, or the bundle of a run that failed/);
    expect(helps[2]).toContain('(default: the first of values that --axis lists, else it must be named or looked for)');
  });
});

test('the version is that of the package', async () => {
  expect(await call(['--version'])).toEqual({ code: 0, out: `${packageVersion()}\n`, err: '' });
});

test('no arguments: help on standard error, exit 4', async () => {
  const { code, out, err } = await call([]);
  expect([code, out]).toEqual([4, '']);
  expect(err).toContain('Usage: hangup');
});

test.each([
  [['rnu'], "unknown command 'rnu'"],
  [['rnu'], '(hangup --help shows the commands)'],
  [['run', '--rutime', 'docker'], "unknown option '--rutime'"],
  [['run', '--rutime', 'docker'], '(hangup run --help shows its options)'],
  [['run', '--runtime', 'podman'], 'Allowed choices are auto, docker, process'],
  [['run', '--repeat', '100001'], '--repeat takes 100000 at most, not 100001'],
  [['run', '--grep', '(a+)+$'], 'without a repetition of a repetition'],
  [['run', 'scenarios/disconnect/finite.yaml', '--axis', '__proto__=x'], 'axis "__proto__"'],
  [['run', '--repeat', '0'], '--repeat takes a whole number of at least 1, not "0"'],
  ...['run', 'soak', 'bisect'].map((command): [readonly string[], string] => [[command, 'a.yaml', '--jobs', 'many'], '--jobs takes a whole number of at least 1, a share such as 50%, or auto, not "many"']),
  [['run', '--secret', 'hidden'], '--secret takes name=value'],
  [['run', '--reporter', 'terminl'], 'there is no reporter "terminl"'],
  [['run', '--secret', 'token=abc'], 'a secret of 3 characters'],
  [['run', 'no/such/file.yaml'], 'no/such/file.yaml'],
  [['run', '--system', './no-such-card.yaml'], 'there is no card'],
  [['judge'], "missing required argument 'bundle'"],
  [['list', 'more'], 'too many arguments'],
])('%j is refused before anything is started: exit 4', async (argv, message) => {
  const { code, out, err } = await call(argv);
  expect([code, out]).toEqual([4, '']);
  expect(err).toContain(message);
});

test('a word that is nearly a command is told which', async () => {
  expect((await call(['vaildate'])).err).toContain('Did you mean validate?');
});

describe('run --dry-run', () => {
  const RUN = ['run', '--runtime', 'process', '--dry-run'];

  test('shows cells and claims, starts nothing', async () => {
    const { code, out, err } = await call([
      ...RUN,
      'scenarios/disconnect/endless.yaml',
      '--where',
      'how=rst',
      '--defect',
      'ignores-disconnect',
    ]);
    expect(code).toBe(0);
    expect(err).toMatch(/^1 scenario would be run on runtime process: .*\nseed \d+, in the order of the files\n/);
    expect(out).toMatch(
      /^disconnect\/endless\[how=rst\]\n {2}on reference-router, runtime process, with ignores-disconnect\n {2}upstream-closed, /,
    );
    expect(out.split('\n').filter((line) => /^\S/.test(line))).toHaveLength(1);
  });

  const idsOf = (out: string): readonly string[] => out.split('\n').filter((line) => /^\S/.test(line));

  test('by names: those that a pattern finds in id or name, without those that another one finds', async () => {
    const { code, out } = await call([...RUN, 'scenarios/disconnect/endless.yaml', '--grep', 'how=(fin|rst|half)', '--grep-invert', 'how=rst']);
    expect(code).toBe(0);
    expect(idsOf(out)).toEqual(['disconnect/endless[how=fin]', 'disconnect/endless[how=half-close]']);
    const none = await call([...RUN, 'scenarios/disconnect/endless.yaml', '--grep', 'no such thing']);
    expect([none.code, none.out]).toEqual([5, '']);
    expect(none.err).toContain('--grep and --grep-invert leave none');
  });

  test('a pattern finds the same for a night as for a run', async () => {
    const found = async (command: string, pattern: string): Promise<readonly string[]> =>
      idsOf((await call([command, '--runtime', 'process', '--dry-run', 'scenarios/disconnect/endless.yaml', 'scenarios/disconnect/silent.yaml', '--grep', pattern])).out).toSorted();
    for (const [pattern, first] of [['hangs up on a silent', 'disconnect/silent[how=fin]'], ['endless.how=rst', 'disconnect/endless[how=rst]']] as const) {
      expect(await found('run', pattern)).toContain(first);
      expect(await found('soak', pattern)).toEqual(await found('run', pattern));
    }
  });

  test('shuffled: the same seed gives the same order, another one another, and none is lost', async () => {
    const shuffled = async (seed: string) => idsOf((await call([...RUN, 'scenarios/disconnect', '--shuffle', '--seed', seed])).out);
    const inOrder = idsOf((await call([...RUN, 'scenarios/disconnect', '--seed', '7'])).out);
    expect(await shuffled('7')).toEqual(await shuffled('7'));
    expect(await shuffled('7')).not.toEqual(await shuffled('8'));
    expect(await shuffled('7')).not.toEqual(inOrder);
    expect((await shuffled('7')).toSorted()).toEqual(inOrder.toSorted());
  });

  test('what failed in the last run, and nothing else; where there is none, that is said', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hangup-dry-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const again = [...RUN, 'scenarios/disconnect/endless.yaml', '--output', folder, '--last-failed'];
    expect(await call(again)).toMatchObject({ code: 4, out: '', err: expect.stringContaining('[no-last-run]') });
    const write = (isFine: boolean): void =>
      writeFileSync(join(folder, 'last-run.json'), JSON.stringify({
        format: 1, endedAt: '2026-01-02T03:04:05.000Z', seed: 7, exitCode: 1,
        cells: [
          { cell: 'disconnect/endless[how=rst]', outcome: 'failed', isFine },
          { cell: 'disconnect/endless[how=fin]', outcome: 'passed', isFine: true },
        ],
      }));
    write(false);
    const { code, out } = await call(again);
    expect([code, idsOf(out)]).toEqual([0, ['disconnect/endless[how=rst]']]);
    write(true);
    expect(await call(again)).toMatchObject({ code: 5, out: '', err: expect.stringContaining('nothing failed in the last run') });
  });

  test('times that are drawn are shown for each attempt, and are those of the seed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hangup-dry-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(
      join(folder, 'ranged.yaml'),
      [
        'version: 1',
        'name: leaves some time later',
        'system: reference-router',
        'upstreams: { model: { endless: { every: 50ms } } }',
        'clients: { alice: { account: { balance: 10 }, script: [ request: chat, { wait: 100ms..900ms }, { disconnect: fin, mark: gone } ] } }',
        'faults: [ { after: gone, wait: 0ms..2s, signal: SIGTERM } ]',
        'expect: [ clean-shutdown ]',
        '',
      ].join('\n'),
    );
    const times = async (...words: readonly string[]) =>
      (await call([...RUN, join(folder, 'ranged.yaml'), ...words])).out.split('\n').filter((line) => line.includes('times'));
    const [first, second] = await times('--seed', '7', '--repeat', '2');
    expect(first).toMatch(/^ {2}times of attempt 1: alice\.2\.wait\.for [\d.]+ m?s, fault\.1\.signal\.wait [\d.]+ m?s$/);
    expect(second).not.toBe(first!.replace('attempt 1', 'attempt 2'));
    expect(await times('--seed', '7')).toEqual([first!.replace(' of attempt 1', '')]);
    expect(await times('--seed', '8')).not.toEqual(await times('--seed', '7'));
  });

  test('says of a claim that does not apply why', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hangup-dry-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(
      join(folder, 'card.yaml'),
      [
        'version: 1',
        'system: theirs',
        'run: [ { name: proxy, process: { command: [node, main.js] } } ]',
        'listen: { port: 8000 }',
        'ready: { http: / }',
        'requests: { chat: { method: POST, path: /, body: {}, marker: body.user } }',
        '',
      ].join('\n'),
    );
    const { code, out } = await call([...RUN, 'scenarios/disconnect/endless.yaml', '--where', 'how=fin', '--system', './card.yaml'], {
      cwd: folder,
    });
    expect(code).toBe(0);
    expect(out).toContain('on theirs, runtime process');
    expect(out).toMatch(/^  .*renewal-stopped.*: does not apply, the card has no ledger$/m);
  });

  test('a card that does not have the requests of the scenarios is told before the run', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hangup-dry-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(
      join(folder, 'card.yaml'),
      [
        'version: 1',
        'system: theirs',
        'run: [ { name: proxy, process: { command: [node, main.js] } } ]',
        'listen: { port: 8000 }',
        'ready: { http: / }',
        'requests: { complete: { method: POST, path: /, body: {}, marker: body.user } }',
        '',
      ].join('\n'),
    );
    const { code, err } = await call([...RUN, 'scenarios/disconnect/endless.yaml', '--system', './card.yaml'], { cwd: folder });
    expect(code).toBe(4);
    expect(err).toContain('the card `theirs` has no request `chat`');
    expect(err).toContain('endless.yaml:');
  });

  test('what matches nothing exits 5, with the nearest tag', async () => {
    const { code, err } = await call([...RUN, '--tag', 'disconect']);
    expect(code).toBe(5);
    expect(err).toContain('no scenario matched');
    expect(err).toContain('did you mean `disconnect`?');
  });

  test('a value that no axis has exits 4', async () => {
    const { code, err } = await call([...RUN, '--where', 'how=rts']);
    expect(code).toBe(4);
    expect(err).toContain('did you mean `rst`?');
  });
});

test('interrupted before it began: 130, and nothing is blamed', async () => {
  expect(await call(['run', '--runtime', 'process', 'scenarios/disconnect/endless.yaml'], { signal: aborted() })).toEqual({
    code: 130,
    out: '',
    err: '',
  });
});
