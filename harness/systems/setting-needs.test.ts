// What a scenario sets and a card does not offer, and what it concludes of another card: neither may accuse a system of what it
// never promised.
import { expect, test } from 'vitest';
import { cardWith, cellWith, METERED, scenarioWith } from './fixture.ts';
import { boundsOf, periodsOf } from './periods.ts';
import { whyNoConclusion, whyNoSetting } from './setting-needs.ts';

const setting = (text: string) => scenarioWith({ system: `system: { card: small, settings: { ${text} } }` });
const why = (text: string, card = cardWith()): string | null => whyNoSetting(card, setting(text));

test('a bound that is declared nowhere, and what else the card has no setting for', () => {
  expect(why('progress: 2s')).toBe('the card of small declares no bound progress, nor how one is set');
  expect(why('retries: 3')).toBe('the card of small has no setting retries');
  expect(why('on-disconnect: drain')).toBe('the card of small has no setting on-disconnect');
  expect(why('retries: 3', cardWith({ settings: 'settings: { retries: { env: RETRIES } }' }))).toBeNull();
});

test('not what the card declares by itself, nor what nobody sees without a ledger', () => {
  expect(why('progress: 2s', cardWith({ bounds: 'bounds: { progress: 9s }' }))).toBeNull();
  expect(why('lease: 6s')).toBeNull();
  expect(why('on-disconnect: cancel')).toBeNull();
  expect(why('reserve: 20')).toBeNull();
  expect(why('reserve: 20', cardWith(METERED))).toBe('the card of small has no setting reserve');
});

test('what cannot be set is not in effect: the card\'s own length is', () => {
  const card = cardWith({ ...METERED, bounds: 'bounds: { progress: 9s }' });
  expect(boundsOf(card, setting('progress: 2s')).bounds).toEqual({ progress: 9_000 });
  expect(boundsOf(cardWith(), setting('progress: 2s')).bounds).toEqual({});
  expect(periodsOf(card, setting('lease: 6s')).leaseMs).toBe(1_500);
  expect(cellWith({ system: 'system: { card: small, settings: { on-disconnect: drain } }' }, METERED).facts.policy.onDisconnect).toBe('cancel');
});

test('no claim of such a scenario applies, by the reason', () => {
  const { claims } = cellWith({ system: 'system: { card: small, settings: { retries: 3 } }' }, METERED);
  expect(claims.map(({ notApplicable }) => notApplicable)).toEqual(claims.map(() => 'the card of small has no setting retries'));
});

test('what a run must conclude is said of the own card only', () => {
  const concluding = (card: string) => ({ ...scenarioWith({ system: `system: ${card}` }), concludes: {} });
  expect(whyNoConclusion(cardWith(), concluding('reference-router'))).toBe('it says what a run on reference-router must conclude, which is not said of small');
  expect(whyNoConclusion(cardWith(), concluding('small'))).toBeNull();
  expect(whyNoConclusion(cardWith(), concluding('./small.yaml'))).toBeNull();
  expect(whyNoConclusion(cardWith(), scenarioWith())).toBeNull();
});

test('a wait that is left out leaves its mark, since others wait for that', () => {
  const clients = 'clients: { alice: { script: [ request: chat, { await: { renewals: 1 }, mark: killed }, { await: { terminal: true } } ] } }';
  const scripts = (card: Readonly<Record<string, string>>) => cellWith({ clients, expect: 'expect: [ process-alive ]' }, card).scripts['alice']!;
  expect(scripts({}).map(({ kind, mark }) => [kind, mark])).toEqual([['request', null], ['wait', 'killed']]);
  expect(scripts({})[1]!.options).toEqual({ for: 0 });
  expect(scripts(METERED).map(({ kind, mark }) => [kind, mark])).toEqual([['request', null], ['await', 'killed'], ['await', null]]);
});
