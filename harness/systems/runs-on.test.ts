// Which runtimes a card can be run on, and what is said on another one.
import { expect, test } from 'vitest';
import type { CardProcess } from './card.ts';
import { otherRuntime, runtimesOf, whyNotOn } from './runs-on.ts';

const COMMAND = { process: { command: ['node', 'x.mjs'], env: {} } };
const IMAGE = { docker: { image: 'x:1', env: {}, init: false } };
const cardOf = (...run: readonly Partial<CardProcess>[]) => ({
  system: 'theirs',
  run: run.map((each, index) => ({ name: `p${index + 1}`, stop: { signal: 'SIGTERM', grace: '1s', exit: [0] }, ...each }) as CardProcess),
});

test('a card of commands only is run as processes', () => {
  const card = cardOf(COMMAND, { ...COMMAND, ...IMAGE });
  expect(runtimesOf(card)).toEqual(['process']);
  expect(whyNotOn(card, 'process')).toBeNull();
  expect(whyNotOn(card, 'docker')).toBe('the card of theirs has no image for p1');
  expect(otherRuntime(card)).toBe('; --runtime process can run it');
});

test('a card of images only is run in containers', () => {
  const card = cardOf(IMAGE);
  expect(runtimesOf(card)).toEqual(['docker']);
  expect(whyNotOn(card, 'process')).toBe('the card of theirs has no command for p1');
});

test('one with both is run on either; one whose processes have nothing in common on none', () => {
  expect(runtimesOf(cardOf({ ...COMMAND, ...IMAGE }))).toEqual(['docker', 'process']);
  expect(runtimesOf(cardOf(COMMAND, IMAGE))).toEqual([]);
  expect(otherRuntime(cardOf(COMMAND, IMAGE))).toBe('');
});
