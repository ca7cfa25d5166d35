// The exit codes of `run --git-bisect`: 0, 1, 125, 128 or 130, and nothing between that git would take for a bad revision.
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../bundle/fixture.ts';
import { problem } from '../model/problem.ts';
import type { Problem } from '../model/problem.ts';
import { symptomOf } from '../model/symptom.ts';
import type { Outcome, ScenarioOutcome } from '../model/verdict.ts';
import type { CellResult } from '../plan/run-cell.ts';
import { sealedStory } from './judge-fixture.ts';
import { asGitBisect } from './run-git-bisect.ts';
import { testTerminal } from './test-terminal.ts';

const REASON = "upstream exchange 2 was still open 1.5 s after alice's RST";
const FINGERPRINT = symptomOf({ id: 'upstream-closed', reason: REASON }).fingerprint;

const result = (outcome: ScenarioOutcome, claim: Outcome = 'held', reason = REASON, problems: readonly string[] = []): CellResult =>
  ({
    outcome,
    verdicts: [{ claim: 'upstream-closed', id: 'upstream-closed', options: {}, outcome: claim, reason, evidence: [] }],
    problems: problems.map((code): Problem => ({ family: 'environment', code, message: code })),
  }) as unknown as CellResult;

const two = (outcome: ScenarioOutcome, first: Outcome, second: Outcome): CellResult => {
  const one = result(outcome, first);
  return { ...one, verdicts: [...one.verdicts, { ...one.verdicts[0]!, claim: 'process-alive', id: 'process-alive', outcome: second }] };
};

const failed = result('failed', 'violated');
const codeOf = async (results: readonly CellResult[], symptom: string | null = null, code = 0) => {
  const { terminal, err } = testTerminal();
  return { code: await asGitBisect(terminal, { gitBisect: true, symptom }, async () => ({ code, results })), said: err() };
};

describe('codes', () => {
  test.each([
    ['all is well', 0, [result('passed')], null],
    ['a violation', 1, [failed], null],
    ['the violation that is looked for', 1, [failed], FINGERPRINT],
    ['its claim, for whatever reason', 1, [failed], 'upstream-closed'],
    ['another symptom', 125, [result('failed', 'violated', 'half-closed')], FINGERPRINT],
    ['another claim', 125, [two('failed', 'held', 'violated')], 'upstream-closed'],
    ['its claim does not apply, another held', 125, [two('passed', 'does-not-apply', 'held')], 'upstream-closed'],
    ['its claim held, another does not apply', 0, [two('passed', 'held', 'does-not-apply')], FINGERPRINT],
    ['well where it applies', 0, [result('passed'), result('does-not-apply', 'does-not-apply')], null],
    ['a claim that not every scenario makes', 0, [result('passed'), two('passed', 'held', 'held')], 'process-alive'],
    ['a claim that one makes which broke off', 125, [result('passed'), { ...result('error', 'held', REASON, ['system-not-ready']), verdicts: [] }], 'process-alive'],
    ['a claim that nothing makes', 128, [failed], 'process-alive'],
    ['inconclusive', 125, [result('inconclusive', 'inconclusive')], null],
    ['nothing applied', 125, [result('does-not-apply', 'does-not-apply')], null],
    ['it cannot be built', 125, [result('untestable')], null],
    ['it is not ready', 125, [result('error', 'held', REASON, ['system-not-ready'])], null],
    ['the engine is not there', 128, [result('error', 'held', REASON, ['engine-unreachable'])], null],
    ['a bad one counts before what was not tested', 1, [result('inconclusive', 'inconclusive'), failed], null],
    ['what was not tested counts before a good one', 125, [result('passed'), result('inconclusive', 'inconclusive')], null],
    ['nothing was run', 128, [], null],
  ] as const)('%s', async (_, code, results, symptom) => {
    expect((await codeOf(results, symptom)).code).toBe(code);
  });

  test('a reporter that failed blames no revision', async () => {
    expect((await codeOf([result('passed')], null, 3)).code).toBe(128);
  });

  test('it says what was seen in place of what is looked for', async () => {
    const { said } = await codeOf([result('failed', 'violated', 'half-closed')], FINGERPRINT);
    expect(said).toMatch(/^git bisect: 125, not tested: this revision is passed over; seen: upstream-closed@[0-9a-f]{8}; looked for: upstream-closed@[0-9a-f]{8}\n$/);
  });

  test.each([[125, 'install-failed'], [125, 'image-not-built'], [125, 'source-not-built'], [128, 'registry-unreachable'], [128, 'engine-failed'], [128, 'unknown-card'], [128, 'engine-unreachable']])('%i for %s, before anything is run', async (code, why) => {
    const { terminal, err } = testTerminal();
    const work = async () => {
      throw problem('environment', why, 'it could not be');
    };
    expect(await asGitBisect(terminal, { gitBisect: true, symptom: null }, work)).toBe(code);
    expect(err()).toContain(`it could not be [${why}]`);
  });

  test('a symptom that is none is told before anything is run', async () => {
    const { terminal, err } = testTerminal();
    const work = async () => Promise.reject(new Error('it was run'));
    expect(await asGitBisect(terminal, { gitBisect: true, symptom: 'no/such/bundle' }, work)).toBe(128);
    expect(err()).toContain('[bad-option]');
  });

  test('a bundle that is another one after the run stops the search: the next step would look for something else', async () => {
    const folder = temporaryFolder();
    const [first, second] = [await sealedStory({ closedMs: null }), await sealedStory({ terminalMs: null })];
    const point = (to: string): void => {
      rmSync(join(folder, 'latest'), { force: true });
      symlinkSync(to, join(folder, 'latest'));
    };
    point(first);
    const { terminal, err } = testTerminal({ cwd: folder });
    const step = (work: () => void) => asGitBisect(terminal, { gitBisect: true, symptom: 'latest' }, async () => {
      work();
      return { code: 0, results: [result('passed')] };
    });
    expect(await step(() => {})).toBe(0);
    expect(await step(() => point(second))).toBe(128);
    expect(err()).toMatch(/--symptom "latest" is another bundle after this run.*\[bad-option\][\s\S]*--symptom upstream-closed@[0-9a-f]{8}/);
  });

  test('a claim that nothing makes is told with those that there are', async () => {
    expect((await codeOf([failed], 'upstream-close')).said).toMatch(/nothing that was run claims upstream-close\b.*\[bad-option\][\s\S]*upstream-closed/);
  });

  test('without --git-bisect the code stays as it is', async () => {
    const { terminal } = testTerminal();
    expect(await asGitBisect(terminal, { gitBisect: false, symptom: null }, async () => ({ code: 2, results: [] }))).toBe(2);
  });
});
