// Refunds to the millisecond: asked while the one before was answered, as the phase began, by somebody else's
// account; and what was plainly given back stands, whatever became of the system afterwards.
import { describe } from 'vitest';
import { crowd, CROWD } from './fixtures/crowd.ts';
import type { Crowd } from './fixtures/crowd.ts';
import { FACTS } from './fixtures/facts.ts';
import { MARKER } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import type { Row } from './fixtures/table.ts';
import { at, isSample, without } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';

const ask = (atMs: number, verdict: 'accepted' | 'refused', more: { readonly tookMs?: number; readonly answer?: string } = {}): Entry =>
  at(atMs, 'harness', { type: 'refund', account: 'acc', attempt: 1, status: verdict === 'accepted' ? 200 : 400, answer: '', verdict, ...more });
const finished = (atMs: number): Entry => at(atMs, 'harness', { type: 'let-finish', marker: MARKER, count: 1 });
const died = at(8_300, 'system', { type: 'process-exited', process: 'router', code: 3, signal: null });

describe('refundable', () => {
  const asked = (...extra: readonly Entry[]) => ({ entries: story({ refund: null, extra }) });
  table('refundable', { client: 'alice' }, [
    ['asked as the questions began', asked(ask(8_010, 'accepted', { tookMs: 10 })), 'held', 'the refund was accepted', { evidence: 2 }],
    ['asked before they began, and answered in them', asked(ask(8_010, 'accepted', { tookMs: 11 })), 'inconclusive', 'no refund was asked for account acc', { evidence: 0 }],
    ['asked as a sibling was let finish', asked(ask(8_100, 'refused'), finished(8_190), ask(8_200, 'accepted', { tookMs: 10 })), 'held', 'the refund was accepted'],
    ['asked before that', asked(finished(8_191), ask(8_200, 'accepted', { tookMs: 10 })), 'inconclusive', 'no refund was asked'],
    ['somebody was let finish long before', asked(finished(4_000), ask(8_100, 'accepted')), 'held', 'the refund was accepted'],
    ['a long answer is cut', asked(ask(8_100, 'accepted', { answer: `a ${'b'.repeat(300)}` })), 'held', `the refund was accepted: status 200, a ${'b'.repeat(158)}`, { whole: true }],
    ['the system died after the answer', asked(ask(8_100, 'accepted'), died), 'held', 'the refund was accepted'],
    ['the system died, and nobody asked', asked(died), 'inconclusive', 'router died by itself'],
    ['the ledger as it was when it was asked', { entries: story({ refund: null, terminalMs: 8_055, charges: [], extra: [ask(8_060, 'refused', { tookMs: 5 })] }) }, 'violated', 'account acc had 100 reserved', { evidence: 2 }],
    ["another account's request shows nothing", { entries: without(story(), ({ fact }) => fact.type === 'request-received'), facts: FACTS }, 'inconclusive', 'no request of account acc ever reached an upstream'],
  ]);
});

describe('refund-refused', () => {
  const tell = (changes: Partial<Crowd>, edit: (entries: readonly Entry[]) => readonly Entry[] = (entries) => entries): Row[1] => ({ entries: edit(crowd(changes)), facts: CROWD });
  const accepted: Partial<Crowd> = { refunds: [{ atMs: 8_105, verdict: 'accepted' }] };
  const refused: Partial<Crowd> = { refunds: [{ atMs: 8_105, verdict: 'refused' }, { atMs: 9_000, verdict: 'accepted' }], bob: { upstreamEndMs: 8_500, toldMs: 8_510, terminalMs: 8_520 } };
  table('refund-refused', { client: 'bob' }, [
    ['accepted, whereupon the system died', tell({ ...accepted, extra: [died] }), 'violated', 'was accepted'],
    ['refused, whereupon the system died', tell({ refunds: [{ atMs: 8_105, verdict: 'refused' }], extra: [died] }), 'inconclusive', 'router died by itself'],
    ['refused while it was live, and accepted when it was over', tell(refused), 'held', 'the refund asked at 8.1 s was refused'],
    ['accepted when it was over, then asked again in vain', tell({ ...refused, refunds: [{ atMs: 8_600, verdict: 'accepted' }] }), 'inconclusive', "bob's exchange was over by the answer"],
    ['nobody planned it', tell(accepted, (entries) => without(entries, (entry) => entry.fact.type === 'exchange-planned' || isSample('ledger')(entry))), 'inconclusive', 'bob planned no exchange'],
    ['no upstream had it', tell(accepted, (entries) => without(entries, ({ actor }) => actor === 'upstream.model')), 'inconclusive', 'no upstream had it'],
  ]);
});
