// What the language means: the example of the design, defaults, shorthands, matrix and variables.
import { describe, expect, test } from 'vitest';
import { ProblemError } from '../model/problem.ts';
import type { Problem } from '../model/problem.ts';
import { parseScenarios } from './load-scenarios.ts';
import type { Scenario } from './scenario.ts';
import { testRegistries } from './test-registries.ts';
import { GOOD_SCENARIO, scenarioWith } from './test-scenario.ts';

const parse = (text: string, variables: Record<string, string> = {}): readonly Scenario[] =>
  parseScenarios('good.yaml', text, 'test/good', { registries: testRegistries, variables });
const problemsOf = (act: () => unknown): readonly Problem[] => {
  try {
    act();
  } catch (error) {
    if (error instanceof ProblemError) return error.problems;
    throw error;
  }
  return [];
};
const isDeepFrozen = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isDeepFrozen));

describe('a good scenario', () => {
  test('the example of the design is read word for word', () => {
    const [scenario, ...others] = parse(GOOD_SCENARIO);
    expect(others).toEqual([]);
    expect(scenario).toMatchObject({
      id: 'test/good',
      tests: null,
      tags: ['disconnect', 'billing'],
      system: { card: 'reference-router', settings: {}, instances: 1 },
      upstreams: { model: { behaviour: { kind: 'endless', options: { every: { ms: 100 } } }, onFin: 'continue' } },
      watch: { count: 3, period: 'renewal' },
      faults: [],
      catches: { 'ignores-disconnect': ['upstream-closed', 'renewal-stopped', 'refundable'] },
      matrix: {},
    });
    expect(scenario!.clients.alice).toEqual({
      account: { balance: 10000, sameAs: null },
      instance: 1,
      behaviour: null,
      script: [
        { kind: 'request', options: { name: 'chat' }, mark: null },
        { kind: 'receive', options: { events: 3, 'or-after': { ms: 2000 } }, mark: null },
        { kind: 'await', options: { renewals: 1, within: { count: 2, period: 'renewal' } }, mark: null },
        { kind: 'disconnect', options: { how: 'fin' }, mark: 'gone' },
      ],
    });
    expect(scenario!.expect.map(({ kind }) => kind)).toEqual([
      'upstream-closed',
      'billing-terminal',
      'renewal-stopped',
      'nothing-reserved',
      'no-late-charge',
      'refundable',
      'clean-shutdown',
    ]);
  });

  test('is frozen all the way down', () => {
    expect(isDeepFrozen({ not: 'frozen' })).toBe(false);
    for (const scenario of parse(GOOD_SCENARIO)) expect(isDeepFrozen(scenario)).toBe(true);
  });

  test('defaults, bare kinds and shorthands', () => {
    const [scenario] = parse(
      scenarioWith({
        upstreams: [
          'upstreams: { model: endless, other: { silent: , on-fin: close },',
          '  third: { endless: 5ms }, fourth: { endless: { bytes: 64KiB } } }',
        ].join('\n'),
        catches: 'saw: { seed-main: { what: went well, violates: [] } }',
      }),
    );
    expect(scenario!.upstreams).toEqual({
      model: { behaviour: { kind: 'endless', options: { every: { ms: 100 } } }, onFin: 'continue' },
      other: { behaviour: { kind: 'silent', options: {} }, onFin: 'close' },
      third: { behaviour: { kind: 'endless', options: { every: { ms: 5 } } }, onFin: 'continue' },
      fourth: { behaviour: { kind: 'endless', options: { every: { ms: 100 }, bytes: 65536 } }, onFin: 'continue' },
    });
    expect(scenario!.watch).toEqual({ count: 3, period: 'renewal' });
    expect(scenario!.saw).toEqual({ 'seed-main': { what: 'went well', violates: [] } });
    expect(scenario!.expect[1]!.options).toEqual({ upstream: 'model', within: { ms: 2000 } });
  });

  test('what a run must conclude, and what is planted in it', () => {
    const [scenario] = parse(
      scenarioWith({ system: 'system: { card: x, planted: [leaks] }', catches: 'concludes: { upstream-closed: { inconclusive: not open } }' }),
    );
    expect(scenario!.concludes).toEqual({ 'upstream-closed': { outcome: 'inconclusive', because: 'not open' } });
    expect(scenario!.system.planted).toEqual(['leaks']);
    const [plain] = parse(scenarioWith({}));
    expect([plain!.concludes, plain!.system.planted]).toEqual([undefined, undefined]);
    const ofMatrix = parse(scenarioWith({ system: 'system: { card: x, planted: ["${defect}", none] }\nmatrix: { defect: [none, leaks] }' }));
    expect(ofMatrix.map(({ id, system }) => [id.replace(/^.*\[/, '['), system.planted])).toEqual([['[defect=none]', undefined], ['[defect=leaks]', ['leaks']]]);
  });

  test('faults, bounds, shared accounts, barriers, durations as settings', () => {
    const client = '{ account: { same-as: alice }, script: [barrier: all] }';
    const [scenario] = parse(
      scenarioWith({
        system: 'system: { card: x, settings: { read: 3s, reserve: 100, mode: fast, loud: true }, instances: 2 }\ntests: progress',
        clients: [
          'clients: { alice: { account: { balance: 5 }, script: [barrier: all, { disconnect: rst, mark: gone }] },',
          `  bob: ${client}, plain: { script: [pause] } }`,
        ].join('\n'),
        faults: 'faults: [{ after: gone, signal: { signal: SIGTERM, instance: 2 } }]',
        expect: [
          'expect: [renewal-stopped: { client: alice, after: { bound: progress } },',
          '  expect-status: { status: [200, 404] }, ratio: { p: 0.5 }]',
        ].join('\n'),
      }),
    );
    expect(scenario!.tests).toBe('progress');
    expect(scenario!.system.settings).toEqual({ read: { ms: 3000 }, reserve: 100, mode: 'fast', loud: true });
    expect(scenario!.clients.bob!.account).toEqual({ balance: 0, sameAs: 'alice' });
    expect(scenario!.clients.plain!.account).toBeNull();
    expect(scenario!.faults).toEqual([{ after: 'gone', item: { kind: 'signal', options: { signal: 'SIGTERM', instance: 2 } }, mark: null }]);
    expect(scenario!.expect[0]!.options.after).toEqual({ bound: 'progress' });
    expect(scenario!.expect[2]!.options).toEqual({ p: 0.5, loud: false });
  });

  test('instances and their clocks, who connects to which, and what is done before the start or when something was done', () => {
    const [scenario] = parse(
      scenarioWith({
        system: 'system: { card: x, instances: 3, clocks: { 2: { ahead: 1h }, 3: { behind: 90s } } }',
        clients: [
          'clients: { alice: { account: { balance: 5 }, instance: 2, script: [request: chat, { disconnect: rst, mark: gone }] },',
          '  bob: { script: [{ await: { mark: gone }, mark: then }, await: { mark: stopped }, await: { mark: then }] } }',
        ].join('\n'),
        faults: [
          'faults:',
          '  - { before: start, ledger-rows: { rows: [{ client: alice }] } }',
          '  - { after: gone, stop-upstream: model, mark: stopped }',
          '  - { after: stopped, signal: SIGTERM }',
        ].join('\n'),
        expect: 'expect: [{ renewal-stopped: { client: alice, after: stopped }, as: "(2) no renewal" }, clean-shutdown]',
      }),
    );
    expect(scenario!.system).toMatchObject({ instances: 3, clocks: { 2: 3_600_000, 3: -90_000 } });
    expect([scenario!.clients.alice!.instance, scenario!.clients.bob!.instance]).toEqual([2, 1]);
    expect(scenario!.faults.map(({ after, item, mark }) => [after, item.kind, mark])).toEqual([
      [null, 'ledger-rows', null],
      ['gone', 'stop-upstream', 'stopped'],
      ['stopped', 'signal', null],
    ]);
    expect(scenario!.expect.map(({ kind, as }) => [kind, as])).toEqual([['renewal-stopped', '(2) no renewal'], ['clean-shutdown', null]]);
    const [plain] = parse(scenarioWith({}));
    expect([plain!.system.instances, plain!.system.clocks]).toEqual([1, {}]);
  });

  test('small anchors are followed', () => {
    const [scenario] = parse(
      scenarioWith({
        clients: [
          'clients: { alice: { account: &money { balance: 7 }, script: [disconnect: fin] },',
          '  bob: { account: *money, script: [pause] } }',
        ].join('\n'),
      }),
    );
    expect(scenario!.clients.bob!.account).toEqual({ balance: 7, sameAs: null });
  });
});

describe('matrix and variables', () => {
  const matrix = (text: string, name = 'name: ${how} ${n}'): string =>
    scenarioWith({
      name,
      matrix: `matrix: ${text}`,
      clients:
        'clients: { alice: { account: { balance: "${balance:10}" }, script: [request: chat, { disconnect: "${how}", mark: gone }] } }',
    });

  test('expands to stable ids in the order of the file', () => {
    const ids = parse(matrix('{ how: [fin, rst], n: [1, 2 sweeps] }')).map(({ id }) => id);
    expect(ids).toEqual([
      'test/good[how=fin,n=1]',
      'test/good[how=fin,n=2-sweeps]',
      'test/good[how=rst,n=1]',
      'test/good[how=rst,n=2-sweeps]',
    ]);
    const more = parse(matrix('{ how: [kill, fin, rst], n: [3, 1, 2 sweeps] }')).map(({ id }) => id);
    expect(more).toEqual(expect.arrayContaining(ids));
    expect(new Set(more).size).toBe(9);
  });

  test('exclude leaves out what matches, wholly or in part', () => {
    const ids = parse(matrix('{ how: [fin, rst], n: [1, 2], exclude: [{ how: fin, n: 2 }, { how: rst, n: 1 }] }')).map(({ id }) => id);
    expect(ids).toEqual(['test/good[how=fin,n=1]', 'test/good[how=rst,n=2]']);
    expect(parse(matrix('{ how: [fin, rst], n: [1, 2], exclude: [{ how: fin }] }')).map(({ id }) => id)).toEqual([
      'test/good[how=rst,n=1]',
      'test/good[how=rst,n=2]',
    ]);
  });

  test('a problem that every cell has is told once, one of a single cell too', () => {
    const text = matrix('{ how: [fin, rest, rst], n: [1, 2] }').replace('upstream: model', 'upstream: modl');
    expect(problemsOf(() => parse(text)).map(({ code, message }) => `${code} ${message}`)).toEqual([
      'bad-value "rest" is not possible here',
      'unknown-name no upstream is called `modl`',
    ]);
  });

  test('what is substituted keeps its type, and a text around it makes it text', () => {
    const text = matrix('{ how: [fin], n: [1] }', 'name: about ${n} ${how}, ${loud:true}');
    expect(parse(text)[0]).toMatchObject({
      name: 'about 1 fin, true',
      clients: { alice: { account: { balance: 10 } } },
      matrix: { how: 'fin', n: '1' },
    });
    expect(parse(text, { balance: '25' })[0]!.clients.alice!.account!.balance).toBe(25);
    expect(problemsOf(() => parse(text, { balance: 'much' })).map(({ code }) => code)).toEqual(['wrong-type']);
  });

  test('variables may stand in the matrix, axes may not', () => {
    expect(parse(matrix('{ how: ["${first:fin}", rst], n: [1] }'), { first: 'kill' }).map(({ id }) => id)).toEqual([
      'test/good[how=kill,n=1]',
      'test/good[how=rst,n=1]',
    ]);
    expect(problemsOf(() => parse(matrix('{ how: [fin], n: ["${how}"] }'))).map(({ code }) => code)).toEqual(['unknown-reference']);
  });

  test('dotted references stay, once they are known to exist', () => {
    const text = scenarioWith({ system: 'system: { card: x, settings: { a: "${upstreams.model.url}/v1", b: "${system.address}" } }' });
    expect(parse(text)[0]!.system.settings).toEqual({ a: '${upstreams.model.url}/v1', b: '${system.address}' });
  });
});
