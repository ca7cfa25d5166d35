// What is said before a run is what the run will do: the same numbers, every claim in its own words.
import { describe, expect, test } from 'vitest';
import type { Explained } from '../expectations/expectation.ts';
import { expectations } from '../expectations/registry.ts';
import { exampleOptions } from '../scenario/example.ts';
import { PARSE_OPTIONS } from '../scenario/issues.ts';
import { parseScenarios } from '../scenario/load-scenarios.ts';
import { registries } from '../scenario/registries.ts';
import { itemSchema } from '../scenario/item.ts';
import { resolveCell } from '../systems/cell.ts';
import { controlKey } from '../systems/control-cell.ts';
import { cellWith, METERED } from '../systems/fixture.ts';
import { loadCard } from '../systems/load-card.ts';
import { resolveDurations } from '../systems/periods.ts';
import { settleLimitMs } from '../run/settle.ts';
import { controlsOf } from './controls.ts';
import { explainCell } from './explain.ts';
import type { Explanation } from './explanation.ts';

const explained = (...given: Parameters<typeof cellWith>): Explanation => {
  const cell = cellWith(...given);
  return explainCell(cell, controlsOf([cell]).get(controlKey(cell)));
};

const BOUNDED = {
  ...METERED,
  bounds: 'bounds: { read: 3s, progress: 4s, shutdown: 1s }',
  settings: 'settings: { read: { env: READ_S, unit: s }, mode: { env: MODE } }',
};
const VANISHES = 'clients: { alice: { account: { balance: 10 }, script: [ request: chat, { disconnect: vanish, mark: gone } ] } }';

describe('every expectation', () => {
  const { facts } = cellWith({}, BOUNDED);
  test.each(expectations.all)('$kind says what it needs, what violates it, what leaves it open', (definition) => {
    const parsed = itemSchema('expectation', expectations).parse({ [definition.kind]: exampleOptions(definition) }, PARSE_OPTIONS);
    const options = resolveDurations(parsed.item.options, { renewalMs: 500, leaseMs: 1_500, sweepMs: 1_000 }, definition.kind);
    expect(definition.explain).toBeDefined();
    const said: Explained = definition.explain!(facts, options);
    for (const lines of [said.needs, said.violatedIf, said.inconclusiveIf]) {
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) expect(line).toMatch(/^[^\n]*[^.\s]$/);
    }
    expect(JSON.stringify(said)).not.toMatch(/undefined|NaN|null|\[object/);
    // Pure: asked again it says the same.
    expect(definition.explain!(facts, options)).toEqual(said);
  });

  test('uses the numbers of the cell', () => {
    const [closed] = explained({}, BOUNDED).claims;
    expect(closed).toMatchObject({
      id: 'upstream-closed', notApplicable: null, usesControl: true,
      deadline: { ms: 2_000, words: 'after mark gone', from: 'scenario', byMs: 2_000 },
    });
    expect(closed!.needs![0]).toBe('the exchange seen open at upstream model at mark gone, at which alice leaves by fin');
    expect(closed!.violatedIf![0]).toBe('the exchange is still open 2.0 s after mark gone, and 500 ms for measuring');
    expect(closed!.inconclusiveIf!.join()).toMatch(/control/);
  });
});

describe('lengths', () => {
  test('a range is shown as one, and counts with its longest length', () => {
    const script = '[ request: chat, { wait: 100ms..900ms, mark: rested }, { disconnect: fin, mark: gone } ]';
    const faults = 'faults: [ { after: rested, wait: 1s..2s, ledger-lock: 300ms..500ms, mark: let-go } ]';
    const { acts, marks, phases } = explained({ clients: `clients: { alice: { account: { balance: 10 }, script: ${script} } }`, faults });
    expect(acts.map(({ act }) => act)).toContain('wait: { for: 100 ms..900 ms }');
    expect(acts.at(-1)).toMatchObject({ who: 'fault', act: 'ledger-lock: { for: 300 ms..500 ms }', when: '1.0 s..2.0 s after mark rested' });
    expect(marks.map(({ mark, byMs }) => [mark, byMs])).toEqual([['rested', 900], ['gone', 900], ['let-go', 3_400]]);
    expect(phases.find(({ phase }) => phase === 'drive')).toMatchObject({ plannedMs: 900, atMostMs: 3_400 });
  });

  test('phases are as long as the run takes them to be, and each says who decided it', () => {
    const script = '[ request: chat, receive: { events: 1, within: 4s }, wait: 3s, { disconnect: fin, mark: gone } ]';
    const cell = cellWith({ clients: `clients: { alice: { script: ${script} } }` });
    const { phases, total, marks } = explainCell(cell, undefined);
    expect(phases.map(({ phase }) => phase)).toEqual(['prepare', 'path-control', 'baseline', 'drive', 'settle', 'watch', 'ask', 'stop']);
    const of = (name: string) => phases.find(({ phase }) => phase === name)!;
    expect(of('drive')).toMatchObject({ plannedMs: 3_000, atMostMs: 7_000, from: 'scenario' });
    expect(of('settle').atMostMs).toBe(settleLimitMs({ cell, facts: cell.facts }));
    expect(of('watch')).toMatchObject({ plannedMs: 1_000, atMostMs: 1_000, from: 'scenario' });
    expect(of('ask')).toMatchObject({ plannedMs: 500 });
    expect(of('stop')).toMatchObject({ atMostMs: 10_500, from: 'card' });
    expect(phases.at(-1)!.overByMs).toBe(total.atMostMs);
    expect(marks).toMatchObject([
      { mark: 'gone', byMs: 7_000, setBy: 'client alice: disconnect: { how: fin }', then: ['upstream-closed counts from it'] },
    ]);
  });

  test('a scenario that stops the system is not asked, and says when it stops', () => {
    const faults = 'faults: [ { after: gone, signal: SIGTERM, mark: told } ]';
    const { phases, acts } = explained({ faults, expect: 'expect: [ clean-shutdown: 20s ]' });
    expect(phases.find(({ phase }) => phase === 'ask')).toMatchObject({ atMostMs: 0, why: expect.stringContaining('left out') });
    const stop = phases.find(({ phase }) => phase === 'stop');
    expect(stop).toMatchObject({ atMostMs: 20_500, from: 'scenario', why: expect.stringContaining('mark gone') });
    expect(acts.at(-1)).toMatchObject({ who: 'fault', when: 'at mark gone', mark: 'told' });
    expect(acts.at(-1)!.act).toMatch(/^signal: \{ signal: SIGTERM/);
  });

  test('bounds say why they are as they are: tested, widened, fixed, set', () => {
    const scenario = { tests: 'tests: read', expect: 'expect: [ bounded-wait: { bound: read, client: alice } ]' };
    const { bounds, settings, claims } = explained(scenario, BOUNDED);
    const of = (name: string) => bounds.find((bound) => bound.name === name);
    expect(of('read')).toMatchObject({ value: '3.0 s', from: 'card', why: expect.stringContaining('this scenario tests it') });
    expect(of('progress')).toMatchObject({ value: '4.0 s', from: 'card', why: expect.stringContaining('cannot be set') });
    expect(settings).toEqual([{ name: 'READ_S', value: '3', from: 'card', why: 'the read above' }]);
    expect(claims[0]!.deadline).toMatchObject({ ms: 3_000, words: 'after the origin of the read bound', from: 'card', byMs: null });
    const widened = explained({}, BOUNDED).bounds.find(({ name }) => name === 'read');
    expect(widened).toMatchObject({ from: 'harness', why: expect.stringMatching(/^10 times the planned length of .* masks nothing$/) });
    const set = explained({ system: 'system: { card: x, settings: { read: 7s, mode: fast } }' }, BOUNDED);
    expect(set.bounds[0]).toMatchObject({ name: 'read', value: '7.0 s', from: 'scenario' });
    expect(set.settings).toContainEqual({ name: 'MODE', value: 'fast', from: 'scenario', why: 'system.settings.mode' });
  });
});

test('instances with their clocks, who connects to which, what is done before the start, and who waits for a mark', () => {
  const system = 'system: { card: x, instances: 2, clocks: { 2: { ahead: 1h } } }';
  const clients = [
    'clients:',
    '  alice: { account: { balance: 10 }, script: [ request: chat, { disconnect: fin, mark: gone } ] }',
    '  bob: { account: { same-as: alice }, instance: 2, script: [ await: { mark: gone, within: 3s } ] }',
  ].join('\n');
  const faults = 'faults: [ { before: start, ledger-rows: { account: alice, amount: 1 } } ]';
  const { instances, acts, marks } = explained({ system, clients, faults });
  expect(instances.map(({ clockAheadMs, clients: who }) => [clockAheadMs, who])).toEqual([[0, ['alice']], [3_600_000, ['bob']]]);
  expect(acts.at(-1)).toMatchObject({ who: 'fault', when: 'before the start' });
  expect(marks).toMatchObject([{ mark: 'gone', then: ['upstream-closed counts from it', 'client bob waits for it'] }]);
});

test('a fault holds on for as long as it says, and so do the drive and what counts from its end', () => {
  const faults = 'faults: [ { after: gone, ledger-lock: { for: 3s }, mark: unlocked }, { after: unlocked, signal: SIGUSR1, mark: last } ]';
  const closed = 'expect: [ upstream-closed: { upstream: model, after: unlocked, within: 2s } ]';
  const { marks, phases, claims } = explained({ faults, expect: closed });
  expect(marks.map(({ mark, byMs }) => [mark, byMs])).toEqual([['gone', 0], ['unlocked', 3_000], ['last', 3_000]]);
  expect(phases.find(({ phase }) => phase === 'drive')).toMatchObject({ atMostMs: 3_000, why: expect.stringContaining('its faults') });
  expect(claims[0]!.deadline).toMatchObject({ ms: 2_000, byMs: 5_000 });
  const before = explained({ faults: 'faults: [ { before: start, ledger-lock: { for: 1s } } ]' }).phases;
  const twiceMs = 2 * explained().phases[0]!.atMostMs + 10_000 + 1_000;
  expect(before[0]).toMatchObject({ phase: 'prepare', atMostMs: twiceMs, why: expect.stringContaining('twice') });
  expect(before.find(({ phase }) => phase === 'drive')!.atMostMs).toBe(0);
});

describe('what cannot be shown', () => {
  test('a claim that does not apply says why, and nothing else', () => {
    const { claims, notApplicable } = explained({ expect: 'expect: [ nothing-reserved: alice, process-alive ]' }, {});
    expect(claims[0]).toMatchObject({ notApplicable: 'the card has no ledger', deadline: null, usesControl: false });
    expect(claims[0]).not.toHaveProperty('needs');
    expect(notApplicable).toBeNull();
    expect(explained({ expect: 'expect: [ nothing-reserved: alice ]' }, {}).notApplicable).toBe('the card has no ledger');
  });

  test('a probe that is slower than what depends on it is told', () => {
    const { probes } = explained({}, { ...METERED, periods: 'periods: { renewal: 20ms, lease: 60ms }' });
    expect(probes.map(({ probe, isFastEnough, limitMs }) => [probe, isFastEnough, limitMs])).toEqual([
      ['ledger', false, 60], ['sockets', true, 2_500], ['process', false, 20],
    ]);
    expect(explained({}, {}).probes.map(({ probe, limitMs }) => [probe, limitMs])).toEqual([['sockets', 2_500], ['process', null]]);
  });

  test('the control: how long its client stays, or why there is none', () => {
    expect(explained().control).toMatchObject({ staysMs: 4_500 });
    expect(explained({ expect: 'expect: [ process-alive ]' }).control).toEqual({ staysMs: null, why: 'no claim needs one' });
    const due = 'expect: [ upstream-closed: { upstream: model, after: { bound: read }, within: 1s } ]';
    const { control } = explained({ clients: VANISHES, expect: due }, BOUNDED);
    expect(control).toMatchObject({ staysMs: null, why: expect.stringContaining('sends nothing') });
  });

  test('a planted defect is named at the claims that it must violate', () => {
    const scenario = { catches: 'catches: { leaks: [ upstream-closed ] }' };
    const defects = { defects: ['leaks', 'other'], presets: [] };
    expect(explained(scenario, METERED, defects).claims.map(({ id, caughtBy }) => [id, caughtBy])).toEqual([
      ['upstream-closed', ['leaks']], ['process-alive', []],
    ]);
  });
});

test('without a system nothing is started, asked or stopped, and no probe looks', async () => {
  const card = await loadCard('none');
  const text = (upstreams: string): string => `version: 1\nname: n\nsystem: none\n${upstreams}clients: { alice: { script: [wait: 1s] } }\nexpect: [script-done, process-alive]\n`;
  const [alone, served] = ['', 'upstreams: { model: silent }\n'].map((upstreams) => {
    const scenario = parseScenarios('n.yaml', text(upstreams), 'n', { registries })[0]!;
    return explainCell(resolveCell({ scenario, card, runtime: 'process', isolation: 'namespace', defects: [], presets: [] }), undefined);
  });
  const whyOf = ({ phases }: Explanation): string => phases.find(({ phase }) => phase === 'prepare')!.why;
  expect([whyOf(alone!), whyOf(served!)]).toEqual(['nothing is started', 'no system is started; one plain exchange with the upstream']);
  for (const { phases, probes, claims } of [alone!, served!]) {
    expect(phases.map(({ phase }) => phase)).not.toContain('stop');
    expect(phases.find(({ phase }) => phase === 'watch')!.plannedMs).toBe(0);
    expect(probes).toEqual([]);
    expect(claims.map(({ notApplicable }) => notApplicable)).toEqual([null, 'there is no system']);
  }
});
