// One client written, many there: names, accounts, and what may and may not be said of them.
import { describe, expect, test } from 'vitest';
import { ProblemError } from '../model/problem.ts';
import { parseScenarios } from './load-scenarios.ts';
import { registries } from './registries.ts';
import type { Scenario } from './scenario.ts';
import { scenarioWith } from './test-scenario.ts';

const parse = (parts: Readonly<Record<string, string>>): Scenario =>
  parseScenarios('copies.yaml', scenarioWith({ expect: 'expect: [clean-shutdown]', ...parts }), 'test/copies', { registries })[0]!;
const problemsOf = (parts: Readonly<Record<string, string>>): readonly string[] => {
  try {
    parse(parts);
    return [];
  } catch (error) {
    if (error instanceof ProblemError) return error.problems.map(({ code, message }) => `${code}: ${message}`);
    throw error;
  }
};

const SCRIPT = 'script: [request: chat, barrier: all, { disconnect: rst, mark: gone }]';
const crowd = (copies: unknown, more = ''): Readonly<Record<string, string>> => ({
  clients: `clients: { alice: { account: { balance: 7 }, copies: ${String(copies)}, ${SCRIPT} }${more} }`,
  expect: 'expect: [upstream-closed: { upstream: model, client: alice, after: gone, within: 2s }]',
});

describe('copies of a client', () => {
  test('are clients of their own, with one script and an account each', () => {
    const { clients, copies } = parse(crowd(3));
    expect(Object.keys(clients)).toEqual(['alice-1', 'alice-2', 'alice-3']);
    expect(copies).toEqual({ alice: ['alice-1', 'alice-2', 'alice-3'] });
    expect(new Set(Object.values(clients).map(({ script }) => JSON.stringify(script))).size).toBe(1);
    expect(clients['alice-2']!.account).toEqual({ balance: 7, sameAs: null });
    expect(clients['alice-2']).not.toHaveProperty('copies');
  });

  test('there may be one of them, and then it has a number too; without the key nothing changes', () => {
    expect(Object.keys(parse(crowd(1)).clients)).toEqual(['alice-1']);
    const plain = parse({ clients: 'clients: { alice: { account: { balance: 1 }, script: [{ disconnect: fin, mark: gone }] } }' });
    expect(plain).not.toHaveProperty('copies');
  });

  test('share the account of another, and one of theirs may be shared', () => {
    const more = ', payer: { account: { balance: 5 }, script: [pause] }, late: { account: { same-as: alice-2 }, script: [pause] }';
    const { clients } = parse({ ...crowd(2, more), expect: 'expect: [clean-shutdown]' });
    expect(clients.late!.account).toEqual({ balance: 0, sameAs: 'alice-2' });
    const shared = parse({
      clients: [
        'clients: { payer: { account: { balance: 5 }, script: [pause] },',
        `  alice: { account: { same-as: payer }, copies: 2, ${SCRIPT} } }`,
      ].join('\n'),
      expect: 'expect: [clean-shutdown]',
    });
    expect(shared.clients['alice-1']!.account!.sameAs).toBe('payer');
  });

  test('meet at a barrier that only they name; one alone does not', () => {
    expect(problemsOf(crowd(2))).toEqual([]);
    expect(problemsOf({ clients: `clients: { alice: { account: { balance: 7 }, ${SCRIPT} } }` })).toEqual([
      'lonely-barrier: only one client comes to the barrier `all`',
    ]);
  });

  test('a claim may speak of all or of one, a fault of one only', () => {
    const about = (client: string) => ({ ...crowd(2), expect: `expect: [nothing-reserved: ${client}]` });
    expect(problemsOf(about('alice'))).toEqual([]);
    expect(problemsOf(about('alice-2'))).toEqual([]);
    expect(problemsOf(about('alice-3'))).toEqual(['unknown-name: no client is called `alice-3`']);
    const rows = (account: string) => ({ ...crowd(2), faults: `faults: [{ after: gone, ledger-rows: { account: ${account} } }]` });
    expect(problemsOf(rows('alice-1'))).toEqual([]);
    expect(problemsOf(rows('alice'))).toEqual(['unknown-name: no client is called `alice`']);
  });

  test.each([0, 201, 1.5, '"many"'])('cannot be %s', (copies) => {
    expect(problemsOf(crowd(copies))).not.toEqual([]);
  });

  test('do not take the name of another client', () => {
    expect(problemsOf(crowd(2, `, alice-2: { ${SCRIPT} }`))).toContain('bad-name: `alice-2` is also the name of a copy');
  });
});

describe('the shape of an upstream', () => {
  const upstream = (text: string) => ({ upstreams: `upstreams: { model: ${text} }` });

  test('is as written, or left to the request', () => {
    expect(parse(upstream('{ endless: 10ms, shape: openai-chat }')).upstreams.model).toMatchObject({ shape: 'openai-chat' });
    expect(parse(upstream('endless')).upstreams.model).not.toHaveProperty('shape');
  });

  test('must be one that there is', () => {
    expect(problemsOf(upstream('{ endless: 10ms, shape: openai-chta }'))).toEqual(['bad-value: "openai-chta" is not possible here']);
  });
});
