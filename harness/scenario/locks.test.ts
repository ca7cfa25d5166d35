// Locks as they are written, in scenarios; and how those of a card and of a scenario become one list.
import { expect, test } from 'vitest';
import { ProblemError } from '../model/problem.ts';
import { parseScenarios } from './load-scenarios.ts';
import { joinLocks } from './locks.ts';
import { testRegistries } from './test-registries.ts';
import { scenarioWith } from './test-scenario.ts';

const parse = (locks: string) => parseScenarios('a.yaml', scenarioWith({ locks }), 'test/a', { registries: testRegistries })[0]!;
const problemsOf = (locks: string): readonly string[] => {
  try {
    parse(locks);
    return [];
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return error.problems.map(({ code, message }) => `${code}: ${message}`);
  }
};

test('a name is held alone, one that is only read beside other readers; without any there are none', () => {
  expect(parse('locks: [gpu, { read: data-set }]').locks).toEqual([{ name: 'gpu', mode: 'write' }, { name: 'data-set', mode: 'read' }]);
  expect(parse('').locks).toBeUndefined();
});

test.each(['locks: gpu', 'locks: [-gpu]', 'locks: [1]', 'locks: [{ write: gpu }]', 'locks: [""]', `locks: [${'x'.repeat(41)}]`])('%s is refused', (text) => {
  expect(problemsOf(text)).not.toEqual([]);
});

test('who writes and reads one, writes; the order is that of the names', () => {
  const read = { name: 'b', mode: 'read' } as const;
  const write = { name: 'b', mode: 'write' } as const;
  const other = { name: 'a', mode: 'read' } as const;
  for (const lists of [[[read], [write]], [[write], [read]], [[read, write]]]) expect(joinLocks(...lists)).toEqual([write]);
  expect(joinLocks([read, other], [])).toEqual([other, read]);
});
