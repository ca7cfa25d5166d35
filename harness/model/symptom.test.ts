// The same fault must have the same fingerprint in every run, and another fault must not have it.
import { describe, expect, test } from 'vitest';
import { isSymptom, reasonWithoutChance, symptomOf, symptomsOf, symptomWords } from './symptom.ts';

const of = (reason: string, kind?: string, id = 'upstream-closed') => symptomOf({ id, reason, ...(kind === undefined ? {} : { class: kind }) }).fingerprint;

describe('what differs by chance is left out', () => {
  test.each([
    ["upstream exchange 2 was still open 1.5 s after alice's FIN and took 14 more events", "upstream exchange 11 was still open 980 ms after alice's RST and took 3.1 KiB more"],
    ["reservation d5dad272 was still active 1.5 s after alice's RST; lease of reservation d5dad272 moved 7 times", "reservation beefcafe was still active 2.0 s after alice's RST; lease of reservation beefcafe moved 1 time"],
    ['account acct-alice has 100 reserved 1.7 s after the baseline, which had 0, in 1 live row', 'account acct-alice has 40 reserved 2.5 min after the baseline, which had 0, in 12 live rows'],
    ['the refund was refused: status 400, {"detail":"100 is held for 1 unsettled request(s)."}; account acct-alice had 100 reserved', 'the refund was refused: status 400, ; account acct-alice had 7 reserved'],
    ['processes of the system were left: pids 17', 'processes of the system were left: pids 18, 19, 20'],
    ['reservation added-5f3e-1 of what a fault added to account acct-alice was still active', 'reservation added-77ab-2 of what a fault added to account acct-alice was still active'],
  ])('%s', (one, other) => {
    expect(of(one)).toBe(of(other));
  });
});

describe('what says why stays', () => {
  test.each([
    ["upstream exchange 2 was still open 1.5 s after alice's RST", "upstream exchange 2 was only half-closed 1.5 s after alice's RST"],
    ["reservation 3 was still active 1 s after alice's FIN", "reservation 3 was still active 1 s after alice's half-close"],
    ['proxy died by itself at 1.4 s with exit code 7', 'proxy died by itself at 1.4 s with exit code 9'],
    ['proxy died by itself at 1.4 s with exit code 7', 'proxy died by itself at 1.4 s with signal SIGSEGV'],
    ['the refund was refused: status 400', 'the refund was refused: status 500'],
  ])('%s / %s', (one, other) => {
    expect(of(one)).not.toBe(of(other));
  });

  test('the class and the claim are part of it', () => {
    const reason = "reservation 7 was still active 1 s after alice's FIN";
    expect(of(reason, 'renewing')).not.toBe(of(reason, 'stale but unswept'));
    expect(of(reason)).not.toBe(of(reason, undefined, 'billing-terminal'));
  });

  test('words that end in s are not cut', () => {
    expect(reasonWithoutChance('reservation 1 was charged 3 times, at most 1 is right')).toBe('reservation # was charged # time, at most # is right');
  });
});

test('symptoms are what is violated, and are asked for by fingerprint or by claim', () => {
  const verdicts = [
    { id: 'upstream-closed', outcome: 'held', reason: 'closed' },
    { id: 'charged-once', outcome: 'violated', class: 'renewing', reason: 'alice: nothing was charged; 3 events' },
  ] as const;
  const [symptom, ...more] = symptomsOf(verdicts);
  expect(more).toEqual([]);
  expect(symptom!.fingerprint).toMatch(/^charged-once@[0-9a-f]{8}$/);
  expect([symptom!.fingerprint, 'charged-once', 'charged', 'charged-once@00000000'].map((wanted) => isSymptom(symptom!, wanted))).toEqual([true, true, false, false]);
  expect(symptomWords(symptom!)).toBe('charged-once (renewing: alice: nothing was charged)');
});
