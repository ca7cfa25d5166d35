// What one run says to a search: only the same symptom is bad, and what is not the version's doing is no answer at all.
import { describe, expect, test } from 'vitest';
import type { Problem } from '../../model/problem.ts';
import { symptomOf } from '../../model/symptom.ts';
import type { Outcome, ScenarioOutcome, Verdict } from '../../model/verdict.ts';
import { answerOf, seenOf } from './answer.ts';

const verdict = (id: string, outcome: Outcome, reason = 'as it was'): Verdict => ({ claim: id, id, options: {}, outcome, reason, evidence: [] });
const problem = (code: string): Problem => ({ family: 'environment', code, message: `${code} happened\nand more` });
const seen = (outcome: ScenarioOutcome, verdicts: readonly Verdict[], problems: readonly Problem[] = []) => seenOf({ outcome, verdicts, problems });

const leak = verdict('upstream-closed', 'violated', "upstream exchange 2 was still open 1.5 s after alice's RST and took 14 more events");
const late = verdict('upstream-closed', 'violated', "upstream exchange 2 was closed only 2.5 s after alice's RST");
const death = verdict('process-alive', 'violated', 'proxy died by itself at 1.4 s with exit code 7');
const wanted = symptomOf(leak).fingerprint;

describe('an answer', () => {
  test.each([
    ['bad', 'failed', [leak, verdict('process-alive', 'held')]],
    ['bad', 'failed', [leak, death]],
    ['other', 'failed', [late]],
    ['other', 'failed', [verdict('upstream-closed', 'held'), death]],
    ['good', 'passed', [verdict('upstream-closed', 'held')]],
    ['good', 'inconclusive', [verdict('upstream-closed', 'held'), verdict('clean-shutdown', 'inconclusive')]],
    ['unclear', 'inconclusive', [verdict('upstream-closed', 'inconclusive')]],
    ['unclear', 'does-not-apply', [verdict('upstream-closed', 'does-not-apply')]],
  ] as const)('is %s', (answer, outcome, verdicts) => {
    expect(answerOf(seen(outcome, verdicts), { wanted })).toBe(answer);
  });

  test('a claim alone stands for all of its reasons', () => {
    expect(answerOf(seen('failed', [late]), { wanted: 'upstream-closed' })).toBe('bad');
  });

  test('what is seen where all is well too is no other symptom', () => {
    const background = new Set([symptomOf(death).fingerprint]);
    expect(answerOf(seen('failed', [verdict('upstream-closed', 'held'), death]), { wanted, background })).toBe('good');
    expect(answerOf(seen('failed', [leak, death]), { wanted, background })).toBe('bad');
  });

  test('a system that does not start is untestable; the machine and hangup stop the search', () => {
    expect(answerOf(seen('error', [], [problem('system-not-ready')]), { wanted })).toBe('untestable');
    expect(answerOf(seen('untestable', [], []), { wanted })).toBe('untestable');
    expect(answerOf(seen('error', [], [problem('system-not-ready'), problem('disk-full')]), { wanted })).toBe('stopped');
    expect(answerOf(seen('error', [], [problem('engine-unreachable')]), { wanted })).toBe('stopped');
    expect(answerOf(seen('interrupted', []), { wanted })).toBe('stopped');
  });

  test('why there is no verdict is one line', () => {
    expect(seen('error', [], [problem('system-exited')]).why).toBe('system-exited happened');
    expect(seen('inconclusive', [verdict('upstream-closed', 'inconclusive', 'too slow')]).why).toBe('upstream-closed: too slow');
    expect(seen('failed', [leak]).why).toBe('');
  });
});
