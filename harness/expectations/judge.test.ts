import { describe, expect, test } from 'vitest';
import type { Claim } from '../model/facts.ts';
import type { Observation } from '../model/observation.ts';
import { createTimeline } from '../model/timeline.ts';
import { FACTS } from './fixtures/facts.ts';
import { LEAK } from './fixtures/knobs.ts';
import { control, story } from './fixtures/story.ts';
import { observationsOf, timelineOf } from './fixtures/timeline.ts';
import { harnessFaultsOf, judge } from './judge.ts';
import { expectations } from './registry.ts';

const claim = (kind: string, options: Claim['options'], more: Partial<Claim> = {}): Claim => ({
  kind,
  id: kind,
  options,
  notApplicable: null,
  ...more,
});
const CLOSED = claim('upstream-closed', { within: 2_000, upstream: 'model', after: 'gone' });
const judged = (claims: readonly Claim[], entries = story()) =>
  judge({ timeline: timelineOf(...entries), control: timelineOf(...control()), facts: FACTS, claims });

test('one verdict a claim, in their order, ids kept', () => {
  const verdicts = judged([claim('nothing-reserved', { client: 'alice' }, { id: 'nothing-reserved#2' }), CLOSED]);
  expect(verdicts.map(({ id, claim: kind, outcome }) => [id, kind, outcome])).toEqual([
    ['nothing-reserved#2', 'nothing-reserved', 'held'],
    ['upstream-closed', 'upstream-closed', 'held'],
  ]);
});

test('what does not apply keeps its reason and is not judged', () => {
  expect(judged([{ ...CLOSED, notApplicable: 'no namespace' }], story(LEAK))).toEqual([
    {
      claim: 'upstream-closed',
      id: 'upstream-closed',
      options: { after: 'gone', upstream: 'model', within: 2_000 },
      outcome: 'does-not-apply',
      reason: 'no namespace',
      evidence: [],
    },
  ]);
});

test('a claim that the facts rule out does not apply, though nobody said so before', () => {
  expect(
    judge({
      timeline: timelineOf(...story()),
      control: null,
      facts: { ...FACTS, ledger: null },
      claims: [claim('nothing-reserved', { client: 'alice' })],
    })[0],
  ).toMatchObject({ outcome: 'does-not-apply', reason: 'the card has no ledger' });
});

test('keys of verdict and options are in a fixed order, and absent where there is nothing', () => {
  const [held] = judged([CLOSED]);
  expect(Object.keys(held!)).toEqual(['claim', 'id', 'options', 'outcome', 'reason', 'evidence']);
  expect(JSON.stringify(held!.options)).toBe('{"after":"gone","upstream":"model","within":2000}');
  const [violated] = judged([claim('nothing-reserved', { client: 'alice' })], story(LEAK));
  expect(Object.keys(violated!)).toEqual(['claim', 'id', 'options', 'outcome', 'reason', 'evidence', 'class', 'interval']);
  const nested = judged([
    claim('upstream-closed', { within: 1, upstream: 'model', after: { bound: 'read' }, list: [{ b: 1, a: 2 }], nothing: null }),
  ]);
  expect(JSON.stringify(nested[0]!.options)).toBe(
    '{"after":{"bound":"read"},"list":[{"a":2,"b":1}],"nothing":null,"upstream":"model","within":1}',
  );
});

describe('a judge that fails', () => {
  test("accuses nobody, clears nobody, and is the harness's own fault", () => {
    const verdicts = judged([claim('upstream-closed', { upstream: 'model', after: 'gone' }), CLOSED]);
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(['inconclusive', 'held']);
    expect(verdicts[0]!.reason).toBe('harness fault: the judge of upstream-closed failed: option within is not a number');
    expect(verdicts[0]!.evidence).toEqual([]);
    expect(harnessFaultsOf(verdicts)).toEqual([
      { family: 'harness', code: 'judge-failed', message: 'the judge of upstream-closed failed: option within is not a number' },
    ]);
  });
  test('an unknown kind is one too', () => {
    expect(judged([claim('no-such-claim', {})])[0]!.reason).toMatch(
      /^harness fault: the judge of no-such-claim failed: no expectation no-such-claim; there are upstream-closed, /,
    );
  });
});

test('evidence names each observation once', () => {
  const [verdict] = judged(
    [claim('stream-complete', { client: 'alice' })],
    story({ goneMs: null, toldMs: 1_700, told: { how: 'complete' } }),
  );
  expect(new Set(verdict!.evidence).size).toBe(verdict!.evidence.length);
});

test('the order of arrival, duplicates and ties change nothing', () => {
  const claims = [
    CLOSED,
    claim('billing-terminal', { client: 'alice', after: 'gone', within: 2_000 }),
    claim('renewal-stopped', { client: 'alice', after: 'gone' }),
    claim('charged-once', { client: 'alice', after: 'gone' }),
  ];
  // Two actors in the same microsecond, and the same observation told twice.
  const observations = observationsOf(story({ closedMs: 3_001, terminalMs: 3_060 }));
  const say = (list: readonly Observation[]) =>
    JSON.stringify(judge({ timeline: createTimeline(list), control: timelineOf(...control()), facts: FACTS, claims }));
  expect(say(observations.toReversed())).toBe(say(observations));
  expect(say([...observations, ...observations])).toBe(say(observations));
});

test('each definition says what it is: kind, example, options with their meaning', () => {
  for (const { kind, about, fields, example } of expectations.all) {
    expect(kind).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(about, kind).toMatch(/^[A-Z].*\.$/);
    expect(example, kind).toBeDefined();
    for (const [name, { about: meaning }] of Object.entries(fields.options)) expect(meaning, `${kind}.${name}`).toMatch(/\.$/);
  }
});

test('only the claim of a close because of the leave asks for a control', () => {
  expect(expectations.all.filter(({ usesControl }) => usesControl).map(({ kind }) => kind)).toEqual(['upstream-closed']);
});

describe('a name that stands for copies', () => {
  const copies = { alice: ['alice-1', 'alice-2'] };
  const reserved = (client: string) => claim('nothing-reserved', { client });
  const facts = { ...FACTS, copies, clients: { ...FACTS.clients, 'alice-1': FACTS.clients.alice!, 'alice-2': FACTS.clients.alice! } };
  const ask = (claims: readonly Claim[], entries = story()) =>
    judge({ timeline: timelineOf(...entries), control: timelineOf(...control()), facts, claims })[0]!;

  test('is claimed of each: held by all, or violated by name', () => {
    expect(ask([reserved('alice')])).toMatchObject({ outcome: 'held', options: { client: 'alice' } });
    expect(ask([reserved('alice')]).reason).toMatch(/^each of 2 copies; alice-1: /);
    const leaked = ask([reserved('alice')], story(LEAK));
    expect(leaked.outcome).toBe('violated');
    expect(leaked.reason).toMatch(/^alice-1 and 1 more of 2 copies: /);
  });

  test('that does not apply to one of them applies to none', () => {
    const one = { ...facts, clients: { ...facts.clients, 'alice-2': { account: null, address: '' } } };
    const found = judge({ timeline: timelineOf(...story()), control: null, facts: one, claims: [reserved('alice')] })[0]!;
    expect(`${found.outcome}: ${found.reason}`).toBe('does-not-apply: alice-2 uses no account');
  });

  test('and of one where one is named', () => {
    expect(ask([reserved('alice-2')]).reason).not.toMatch(/copies/);
  });
});
