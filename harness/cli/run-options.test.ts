// Options as the command line spells them.
import { expect, test } from 'vitest';
import { ProblemError } from '../model/problem.ts';
import { jobs, keep, pattern, seed, shard } from './option-values.ts';
import { axis, axisOf, MOST_ATTEMPTS, pair, positive, size, splitList, toRunOptions } from './run-options.ts';

const refused = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    if (error instanceof ProblemError) return error.problems[0]!;
    throw error;
  }
  throw new Error('nothing was refused');
};

test('lists are split at commas, once or several times', () => {
  expect(splitList('a, b,,c')).toEqual(['a', 'b', 'c']);
  expect(splitList('c', splitList('a,b'))).toEqual(['a', 'b', 'c']);
  expect(splitList(' , ')).toEqual([]);
});

test('pairs add up; a value may hold anything, also nothing and another =', () => {
  const secret = pair('--secret', 'token=abcd');
  expect(secret('url=a=b', secret('empty='))).toEqual({ empty: '', url: 'a=b' });
});

test('what is no pair is refused without being repeated: it may be a secret', () => {
  for (const value of ['s3cr3t', '=s3cr3t']) {
    const { code, message, hint } = refused(() => pair('--secret', 'token=abcd')(value));
    expect(code).toBe('bad-option');
    expect(hint).toBe('for example --secret token=abcd');
    expect(`${message}${hint}`).not.toContain('s3cr3t');
  }
});

test('values of one axis add up; an axis without any is refused', () => {
  expect(axis('upstream=silent', axis('how=fin', axis('how=rst,kill')))).toEqual({ how: ['rst', 'kill', 'fin'], upstream: ['silent'] });
  expect(refused(() => axis('how=')).code).toBe('bad-option');
  expect(refused(() => axis('how')).code).toBe('bad-option');
});

test('an axis of a system is written as one of a matrix is, and told by its own name', () => {
  const version = axisOf('--axis', 'version=1.2,1.3');
  expect(version('version=2.0..2.4', version('starlette=*'))).toEqual({ starlette: ['*'], version: ['2.0..2.4'] });
  expect(refused(() => version('version='))).toMatchObject({ code: 'bad-option', message: '--axis version= names no value' });
});

test('how many side by side: a number, a share of what is taken by itself, or that', () => {
  expect([jobs('4'), jobs('50%'), jobs('auto')]).toEqual([4, '50%', null]);
  for (const value of ['0', '0%', '-1', '1.5', 'many', ''])
    expect(refused(() => jobs(value)), value).toMatchObject({ code: 'bad-option', message: expect.stringContaining('--jobs') });
});

test('a shard is one of so many, or what the CI says', () => {
  expect(shard('2/5')).toEqual({ index: 2, count: 5 });
  expect(shard('1/1')).toEqual({ index: 1, count: 1 });
  expect(shard('auto')).toBe('auto');
  for (const value of ['0/5', '6/5', '2', '2/', '/5', '-1/5', '1.5/5', '2/5/1', ' 2/5', 'AUTO', ''])
    expect(refused(() => shard(value)), value).toMatchObject({ code: 'bad-option', hint: 'for example --shard 2/5' });
});

test('a seed is a whole number that can be told from its neighbours', () => {
  expect(seed('0')).toBe(0);
  expect(seed(String(Number.MAX_SAFE_INTEGER))).toBe(Number.MAX_SAFE_INTEGER);
  for (const value of ['-1', '1.5', '1e3', 'x', '', '9007199254740992', '99999999999999999999'])
    expect(refused(() => seed(value)).code, value).toBe('bad-option');
});

test('a pattern is a regular expression; what is none is refused with how one is written', () => {
  expect(pattern('--grep')('how=(fin|rst)').test('disconnect/endless[how=rst]')).toBe(true);
  for (const value of ['(', '', 'a'.repeat(301)])
    expect(refused(() => pattern('--grep')(value))).toMatchObject({ code: 'bad-option', message: expect.stringContaining('--grep') });
});

test('what is kept: a path that was swallowed is refused, and where it goes is said', () => {
  expect([keep('violated'), keep('always')]).toEqual(['violated', 'always']);
  expect(refused(() => keep('scenarios/a.yaml'))).toMatchObject({ code: 'bad-option', hint: expect.stringContaining('behind the paths') });
});

test('what means nothing alone is refused, not ignored', () => {
  const flags = { runtime: 'auto' } as const;
  expect(refused(() => toRunOptions([], { ...flags, symptom: 'ab' })).message).toContain('--git-bisect');
  expect(refused(() => toRunOptions([], { ...flags, durations: 'd.json' })).message).toContain('--shard');
  expect(toRunOptions([], { ...flags, symptom: 'ab', gitBisect: true }).symptom).toBe('ab');
});

test('attempts until a failure have a bound, which is their number where one is given', () => {
  const repeatOf = (flags: object): number => toRunOptions([], { runtime: 'auto', ...flags }).repeat;
  expect([repeatOf({}), repeatOf({ untilFailure: true }), repeatOf({ untilFailure: true, repeat: 7 })]).toEqual([1, MOST_ATTEMPTS, 7]);
});

test('numbers are whole and at least one', () => {
  expect(positive('--jobs')('3')).toBe(3);
  for (const value of ['0', '-1', '1.5', 'x', '', '1e999'])
    expect(
      refused(() => positive('--jobs')(value)),
      value,
    ).toMatchObject({ code: 'bad-option', message: expect.stringContaining('--jobs') });
});

test('packets are kept where asked for, to a limit; with no evidence they have nowhere to go', () => {
  const flags = { runtime: 'auto', repeat: 1 } as const;
  expect(toRunOptions([], { ...flags, pcap: true }).captureBytes).toBe(64 * 1024 * 1024);
  expect(toRunOptions([], { ...flags, pcapLimit: size('--pcap-limit')('512KiB') }).captureBytes).toBe(524_288);
  expect(refused(() => toRunOptions([], { ...flags, pcap: true, evidence: 'none' })).code).toBe('bad-option');
  for (const value of ['0', 'many', '1.5', '-1KiB', '0B']) expect(refused(() => size('--pcap-limit')(value)).code).toBe('bad-option');
});

test('what is not given has its default', () => {
  expect(toRunOptions([], { runtime: 'auto', repeat: 1 })).toEqual({
    paths: [],
    runtime: 'auto',
    system: null,
    defects: [],
    output: null,
    secrets: {},
    reporters: ['terminal', 'html'],
    variables: {},
    tags: [],
    where: {},
    axes: {},
    shard: null,
    durations: null,
    grep: null,
    grepInvert: null,
    lastFailed: false,
    jobs: null,
    repeat: 1,
    untilFailure: false,
    maxFailures: null,
    seed: null,
    shuffle: false,
    keep: null,
    gitBisect: false,
    symptom: null,
    strict: false,
    dryRun: false,
    evidence: 'full',
    captureBytes: null,
  });
  expect(toRunOptions([], { runtime: 'auto', repeat: 1, reporter: [] }).reporters).toEqual(['terminal', 'html']);
  expect(toRunOptions([], { runtime: 'auto', repeat: 1, evidence: 'none' }).reporters).toEqual(['terminal']);
});
