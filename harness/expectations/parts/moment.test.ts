// When a claim counts from, fact by fact: whose mark, whose exchange, and whether the leave went out.
import { describe, expect, test } from 'vitest';
import { FACTS } from '../fixtures/facts.ts';
import { left, marked, noted, planned, tiny, written } from '../fixtures/tiny.ts';
import type { Entry } from '../fixtures/timeline.ts';
import type { Fact } from '../../model/observation.ts';
import { exchangesOf } from '../../model/exchanges.ts';
import type { Facts } from '../../model/facts.ts';
import { exchangeAt, momentOf } from './moment.ts';

const at = (entries: readonly Entry[], after: unknown = 'gone', facts: Partial<Facts> = {}) => {
  const { view, exchange } = tiny(entries, facts);
  return momentOf(view, after, exchange);
};
const open = (reason: string, evidence: readonly string[] = []) => ({ outcome: 'inconclusive', reason, evidence });
const failed = (client: string, more: Partial<Fact> = {}): Entry =>
  noted(50, { type: 'step', client, index: 1, step: 'receive', edge: 'end', outcome: 'failed', reason: 'nothing came', ...more } as Fact);

describe('a mark', () => {
  test.each<[string, readonly Entry[], string]>([
    ['that was never set', [], 'mark gone was never set'],
    ['since a step of hers failed', [failed('alice')], 'mark gone was never set: step 2 of alice, receive, failed: nothing came'],
    ["since a step of another's failed", [failed('bob')], 'mark gone was never set'],
    ['whatever was done', [failed('alice', { outcome: 'done', reason: null })], 'mark gone was never set'],
    ['whatever was begun', [noted(40, { type: 'step', client: 'alice', index: 0, step: 'request', edge: 'begin' })], 'mark gone was never set'],
  ])('%s', (_, entries, reason) => expect(at([planned(0), ...entries])).toEqual(open(reason)));

  test.each<[string, readonly Entry[], number, string]>([
    ['of nobody', [marked(30, 'x', null), marked(40, 'x', null)], 30, 'harness#2'],
    ['her own', [marked(30, 'x', 'bob'), marked(40, 'x')], 40, 'harness#3'],
    ['of another name', [marked(30, 'y'), marked(40, 'x')], 40, 'harness#3'],
  ])('%s', (_, entries, atMs, ref) =>
    expect(at([planned(0), ...entries], 'x')).toEqual({ atMs, openAtMs: atMs, earlyMs: -Infinity, lateMs: 0, words: 'mark x', leave: null, process: 'router', evidence: [ref] }),
  );
  test('at which another leaves', () => expect(at([planned(0), marked(30, 'gone', 'bob'), left(31)], 'gone', { leaves: [{ mark: 'gone', client: 'bob', how: 'fin' }] })).toMatchObject({ leave: null }));
});

describe('a leave', () => {
  const stays = { before: 'established', after: 'established' };
  const nothing = (how: string, socket = stays) => open(`alice left by ${how}, but nothing went out: its socket was ${socket.before} before and ${socket.after} after`, ['client.alice#1']);
  test.each<[string, readonly Entry[], object]>([
    ['that is on record', [marked(30), left(35)], { atMs: 30, lateMs: 5, words: "alice's FIN", leave: expect.objectContaining({ how: 'fin' }), evidence: ['client.alice#1'] }],
    ['in the moment of its mark', [marked(30), left(30)], { lateMs: 0, leave: expect.anything() }],
    ['that is on none', [marked(30)], open('alice did not leave at mark gone: no act is on record', ['harness#2'])],
    ['that came before its mark', [left(29), marked(30)], open('alice did not leave at mark gone: no act is on record', ['harness#2'])],
    ['that did nothing', [marked(30), left(35, 'alice', { socket: stays })], nothing('fin')],
    ['of which nothing is on the wire', [marked(30), left(35, 'alice', { how: 'rst', wire: 'nothing', socket: { before: 'established', after: 'closed' } })], nothing('rst', { before: 'established', after: 'closed' })],
    ['by being killed, whatever the last look showed', [marked(30), left(35, 'alice', { how: 'kill', socket: stays })], { leave: expect.anything() }],
    ['by being killed, without a word', [marked(30), left(35, 'alice', { how: 'kill', wire: 'nothing', socket: stays })], nothing('kill')],
    ['by vanishing', [marked(30), left(35, 'alice', { how: 'vanish', wire: 'nothing', socket: stays })], { words: "alice's vanishing", leave: expect.anything() }],
  ])('%s', (_, entries, wanted) => expect(at([planned(0), ...entries])).toMatchObject(wanted));
});

describe('a bound', () => {
  test.each<[string, keyof Facts['bounds'], object]>([
    ['open from half of its time on', 'lifetime', { atMs: 3_010, openAtMs: 1_510, earlyMs: 1_510, lateMs: 0, words: 'the lifetime bound of 3.0 s', leave: null, process: 'router', evidence: ['client.alice#1'] }],
    ['that may be met early', 'drain', { atMs: 2_000, openAtMs: 1_000, earlyMs: -Infinity, evidence: ['client.alice#2'] }],
    ['and another', 'settle', { atMs: 2_000, openAtMs: 1_000, earlyMs: -Infinity }],
    ['without an origin', 'shutdown', open("the shutdown bound of alice's exchange has no origin: the system was never told to stop")],
  ])('%s', (_, bound, wanted) => expect(at([planned(0), written(10), left(1_000)], { bound })).toMatchObject(wanted));
  test('that the card does not declare', () => expect(at([planned(0)], { bound: 'age' }, { bounds: {} })).toEqual(open('the card declares no age bound')));
});

describe('which of several exchanges', () => {
  const asks = (ms: number, marker: string, client = 'alice'): Entry => planned(ms, client, { marker });
  const found = (entries: readonly Entry[], after: unknown = 'gone') => {
    const { view } = tiny(entries, FACTS);
    return exchangeAt(view, exchangesOf(view.timeline), 'alice', after)?.marker;
  };
  const all = [asks(10, 'first'), asks(20, 'second'), asks(30, 'third'), asks(15, 'other', 'bob')];
  test.each<[string, readonly Entry[], unknown, string | undefined]>([
    ['the latest before her mark', [...all, marked(25)], 'gone', 'second'],
    ['the one that was asked in its very moment', [...all, marked(20)], 'gone', 'second'],
    ['before her mark, not another\'s', [...all, marked(12, 'gone', 'bob'), marked(25)], 'gone', 'second'],
    ["before another's, where she has none", [...all, marked(12, 'gone', 'bob'), marked(27, 'gone', 'bob')], 'gone', 'first'],
    ['the latest, where nobody has', [...all, marked(12, 'x')], 'gone', 'third'],
    ['the latest, where all come later', [...all, marked(5)], 'gone', 'third'],
    ['the latest, of a bound', [...all, marked(12)], { bound: 'age' }, 'third'],
    ['none', [asks(15, 'other', 'bob'), marked(25)], 'gone', undefined],
  ])('%s', (_, entries, after, marker) => expect(found(entries, after)).toBe(marker));
});
