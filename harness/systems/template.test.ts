// References filled in: nothing that is not defined becomes nothing.
import { expect, test } from 'vitest';
import { ProblemError } from '../model/problem.ts';
import { fillDeep, fillMap, fillText } from './template.ts';

const VALUES = { port: 8000, 'account.id': 'a1', text: '1' };

const problemOf = (work: () => unknown): { code: string; message: string; hint?: string } => {
  try {
    work();
  } catch (error) {
    if (error instanceof ProblemError) return error.problems[0] as never;
    throw error;
  }
  throw new Error('nothing was thrown');
};

test('fills references wherever they stand', () => {
  expect(fillText('http://${account.id}:${port}/', VALUES, 'here')).toBe('http://a1:8000/');
  expect(fillText('$port ${', VALUES, 'here')).toBe('$port ${');
});

test('a name that is not defined fails, with what is; so does a name of every object', () => {
  expect(problemOf(() => fillText('${porte}', VALUES, 'card.yaml: run'))).toMatchObject({
    code: 'unknown-reference',
    message: 'card.yaml: run: ${porte} is not defined here',
    hint: 'defined: account.id, port, text',
  });
  for (const name of ['constructor', 'toString', '__proto__']) {
    expect(problemOf(() => fillText(`\${${name}}`, VALUES, 'here')).code).toBe('unknown-reference');
    expect(problemOf(() => fillDeep([`\${${name}}`], VALUES, 'here')).code).toBe('unknown-reference');
  }
});

test('a secret that was not given says how to give it, and no other name', () => {
  expect(problemOf(() => fillText('${secret.token}', VALUES, 'here')).hint).toBe('give it by --secret token=...');
});

test('what stands for a number alone becomes a number, in lists and maps; text stays text', () => {
  expect(fillDeep({ a: ['${port}', '${text}', 'p${port}'], b: null, c: true }, VALUES, 'here')).toEqual({
    a: [8000, '1', 'p8000'],
    b: null,
    c: true,
  });
});

test('maps name the entry that failed', () => {
  expect(fillMap({ PORT: '${port}' }, VALUES, 'env')).toEqual({ PORT: '8000' });
  expect(problemOf(() => fillMap({ PORT: '${x}' }, VALUES, 'env')).message).toContain('env.PORT');
});
