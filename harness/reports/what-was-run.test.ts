// Which system, which version, what was planted and where: what every report says of a set, and what it says of a busy machine.
import { expect, test } from 'vitest';
import { busyHint } from './busy.ts';
import { endOf, runOf, START } from './fixtures/set.ts';
import { systemOf, systemsOf, whatWasRun } from './what-was-run.ts';

const on = (run: Parameters<typeof runOf>[1]['run']) => runOf('a/b', { outcome: 'passed', ...(run ? { run } : {}) });

test('a system with its version and what was planted in it, as it was asked for', () => {
  expect(systemOf(on({ card: 'proxy' }))).toBe('proxy');
  expect(systemOf(on({ card: 'proxy', version: '1.2.3', presets: ['seed-main'], defects: ['x', 'y'] }))).toBe('proxy 1.2.3 with seed-main');
  // What the scenario plants by itself nobody asked for.
  expect(systemOf(on({ card: 'proxy', presets: [], defects: ['x', 'y'] }))).toBe('proxy with x, y');
});

test('each system once, with the runtime; many are counted', () => {
  const set = ['a', 'b', 'a'].map((card) => on({ card }));
  expect(systemsOf(set)).toEqual(['a', 'b']);
  expect(whatWasRun({ summaries: set, start: START })).toBe('on a; b, runtime process');
  expect(whatWasRun({ summaries: set })).toBe('on a; b');
  expect(whatWasRun({ summaries: [] })).toBeNull();
  expect(whatWasRun({ summaries: [...'abcdefgh'].map((card) => on({ card })) })).toBe('on a; b; c; d; e; f; 2 more');
});

test('runs that a busy machine left open are counted, with what to do; those that are open otherwise are not', () => {
  const open = (reason: string) => runOf('a/b', { outcome: 'inconclusive', claims: { x: 'inconclusive', y: 'held' }, reason });
  const lagged = open('harness lagged 1.2 s at 3.4 s, the margin is 500 ms');
  expect(busyHint([lagged, open('fault x did not fire: no'), lagged])).toMatch(/^The machine was too busy to judge 2 runs: .*fewer --jobs/);
  expect(busyHint([open('fault x did not fire: no')])).toBeNull();
  expect(busyHint(endOf([]).summaries)).toBeNull();
});
