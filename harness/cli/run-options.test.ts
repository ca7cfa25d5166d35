// Options as the command line spells them.
import { expect, test } from 'vitest';
import { ProblemError } from '../model/problem.ts';
import { axis, pair, positive, size, splitList, toRunOptions } from './run-options.ts';

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
    jobs: null,
    repeat: 1,
    strict: false,
    dryRun: false,
    evidence: 'full',
    captureBytes: null,
  });
  expect(toRunOptions([], { runtime: 'auto', repeat: 1, reporter: [] }).reporters).toEqual(['terminal', 'html']);
  expect(toRunOptions([], { runtime: 'auto', repeat: 1, evidence: 'none' }).reporters).toEqual(['terminal']);
});
