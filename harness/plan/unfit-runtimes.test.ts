// Which runtimes nothing that was asked for could be run on.
import { expect, test } from 'vitest';
import { cardWith, scenariosWith } from '../systems/fixture.ts';
import type { Loaded } from './select.ts';
import { unfitRuntimes } from './unfit-runtimes.ts';

const PROCESS = cardWith();
const BOTH = cardWith({
  run: 'run: [ { name: proxy, process: { command: [node, "${card}/proxy.js"] }, docker: { image: "x:1" } } ]',
});
const WISH = { defects: [], tags: [], where: {} };
const load = (id: string, tag: string, card: Loaded['card']): readonly Loaded[] =>
  scenariosWith({ tags: `tags: [${tag}]` }, id).map((scenario) => ({ scenario, card, isNamed: false }));
const MIXED = [...load('a/theirs', 'A1', PROCESS), ...load('b/ours', 'B1', BOTH)];

test('containers, where no card has an image', () => {
  expect(unfitRuntimes(load('a/theirs', 'A1', PROCESS), WISH)).toEqual({ docker: 'the card of small has no image for proxy' });
});

test('none where one of the cards can be run on it', () => {
  expect(unfitRuntimes(MIXED, WISH)).toEqual({});
  expect(unfitRuntimes([], WISH)).toEqual({});
});

test('only cards of what is wanted count', () => {
  expect(unfitRuntimes(MIXED, { ...WISH, tags: ['A1'] })).toEqual({ docker: 'the card of small has no image for proxy' });
});
