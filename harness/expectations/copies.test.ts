// Claims about several clients of one script: each copy is judged, the worst is named, and how many fared the same;
// and what a scenario calls a claim is on its verdict.
import { expect, test } from 'vitest';
import { crowd, CROWD } from './fixtures/crowd.ts';
import { FACTS } from './fixtures/facts.ts';
import { verdictOf } from './fixtures/judging.ts';
import { timelineOf } from './fixtures/timeline.ts';
import { judge } from './judge.ts';

const reasonFor = (...many: readonly string[]): string => {
  const facts = { ...CROWD, clients: { ...CROWD.clients, many: CROWD.clients.alice }, copies: { many } };
  return verdictOf('only-mine-released', { entries: crowd(), facts, options: { client: 'many' } }).reason;
};

test('one of two', () => expect(reasonFor('alice', 'bob')).toMatch(/^bob of 2 copies: reservation 8 of bob's exchange was still active/));
test('two of three', () => expect(reasonFor('alice', 'bob', 'carol')).toMatch(/^bob and 1 more of 3 copies: reservation 8/));
test('one alone', () => expect(reasonFor('alice')).toMatch(/^alice's exchange was released/));

test('what the scenario calls it is on the verdict, and nothing where it says nothing', () => {
  const claim = { kind: 'process-alive', id: 'lives', options: {}, notApplicable: null };
  const verdicts = judge({ timeline: timelineOf(...crowd()), control: null, facts: { ...FACTS, ...CROWD }, claims: [{ ...claim, as: '(3) it lives' }, claim] });
  expect(verdicts.map(({ as, id }) => [id, as])).toEqual([['lives', '(3) it lives'], ['lives', undefined]]);
  expect('as' in verdicts[1]!).toBe(false);
});
