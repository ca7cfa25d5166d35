// Stored evidence judged by other claims: what changes, what cannot be shown, what is refused, and that nothing is written.
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished, test } from 'vitest';
import type { Verdicts } from '../bundle/format.ts';
import { LEAK } from '../expectations/fixtures/knobs.ts';
import type { Entry } from '../expectations/fixtures/timeline.ts';
import type { ProblemError } from '../model/problem.ts';
import type { Verdict } from '../model/verdict.ts';
import { sealedStory } from './judge-fixture.ts';
import { judgeBundle } from './judge.ts';

const claimsFile = (text: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-claims-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'claims.yaml'), text);
  return join(folder, 'claims.yaml');
};

const judged = async (folder: string, text: string) => {
  const file = claimsFile(text);
  const output = join(dirname(file), 'verdicts.json');
  const shown = await judgeBundle(folder, { expect: file, output });
  const written = JSON.parse(readFileSync(output, 'utf8')) as Verdicts;
  return { ...shown, ...written };
};

const said = (verdicts: readonly Verdict[]): readonly string[] => verdicts.map(({ id, outcome }) => `${id} ${outcome}`);

it('says what other claims come to, beside what was said', async () => {
  const folder = await sealedStory(LEAK);
  const text = readFileSync(join(import.meta.dirname, 'fixtures/claims.yaml'), 'utf8');
  const { verdicts, outcome, output, exitCode } = await judged(folder, text);
  expect(said(verdicts)).toEqual(['upstream-closed violated', 'nothing-reserved violated']);
  expect(verdicts[0]).toMatchObject({ as: 'closed in the end', options: { within: 3_000 } });
  expect({ outcome, exitCode }).toEqual({ outcome: 'failed', exitCode: 1 });
  expect(output).toMatch(/^Run on .* with seed-main\.$/m);
  expect(output).not.toContain('must be violated');
  expect(output).toContain('Beside verdicts.json (failed there, failed by these claims):');
  expect(output).toMatch(/upstream-closed +violated +also violated +with other options/);
  expect(output).toMatch(/nothing-reserved +violated +was not asked/);
  expect(output).toContain('not asked now: renewal-stopped (violated)');
});

it('changes nothing in the bundle, and writes nothing unless told where', async () => {
  const folder = await sealedStory();
  const listing = (): readonly string[] => readdirSync(folder, { recursive: true }).map(String).sort();
  const before = listing();
  const file = claimsFile('expect: [ process-alive ]');
  await judgeBundle(folder, { expect: file });
  expect(listing()).toEqual(before);
  expect(readdirSync(dirname(file))).toEqual(['claims.yaml']);
  const inside = judgeBundle(folder, { output: join(folder, 'logs', 'verdicts.json') });
  await expect(inside).rejects.toThrow(`lies in the bundle ${folder}, which is never changed`);
  // Through a link it is the same folder: `evidence/latest` is one.
  const link = join(dirname(file), 'latest');
  symlinkSync(folder, link);
  for (const [bundle, output] of [[link, join(folder, 'v.json')], [folder, join(link, 'logs', 'v.json')]] as const)
    await expect(judgeBundle(bundle, { output })).rejects.toThrow(`lies in the bundle ${bundle}, which is never changed`);
  expect(listing()).toEqual(before);
  expect((await judgeBundle(folder)).output).toContain('byte for byte');
});

it('lets a reader see policy, bounds and price otherwise, and only what is given', async () => {
  const folder = await sealedStory();
  const claim = (more: string) => judged(folder, `expect: [ { charged-once: { client: alice, after: gone } } ]\n${more}`);
  expect(said((await claim('')).verdicts)).toEqual(['charged-once held']);
  expect(said((await claim('price: { per-event: 1000 }')).verdicts)).toEqual(['charged-once violated']);
  expect(said((await claim('policy: { partial-billing: delivered }')).verdicts)).toEqual(['charged-once held']);
  expect(said((await claim('policy: { partial-billing: nothing }')).verdicts)).toEqual(['charged-once violated']);
  const closes = 'expect: [ { upstream-closed: { upstream: model, after: gone, within: 2s } } ]';
  const drained = await judged(folder, `${closes}\npolicy: { on-disconnect: drain }\nbounds: { drain: 20s }`);
  expect(drained.verdicts[0]!.outcome).not.toBe('held');
});

const without = (is: (entry: Entry) => boolean) => (entries: readonly Entry[]) => entries.filter((entry) => !is(entry));
const isSampleOf = (probe: string) => ({ fact }: Entry): boolean => fact.type === 'sample' && fact.probe === probe;

const isLateLook = (entry: Entry): boolean => isSampleOf('ledger')(entry) && entry.atMs > 3_200 && entry.atMs < 7_600;
const CLOSES = '{ upstream-closed: { upstream: model, client: alice, after: gone, within: 2s } }';
const SERVES = '{ follow-up-served: { client: alice, after: gone, within: 2s } }';

test.each([
  ['the ledger was not looked at', without(isSampleOf('ledger')), '{ billing-terminal: { client: alice, after: gone, within: 2s } }', 'no reservation'],
  ['the ledger was looked at too rarely', without(isLateLook), '{ renewal-stopped: { client: alice, after: gone } }', 'probe ledger too slow'],
  ['the sockets were not', without(isSampleOf('sockets')), CLOSES, 'probe sockets'],
  ['the process was not', without(isSampleOf('process')), 'process-alive', 'probe process'],
  ['a refund was asked once only', without(() => false), '{ terminal-once: alice }', 'are needed'],
  ['no refund was asked', without(({ fact }) => fact.type === 'refund'), '{ refundable: alice }', 'refund'],
  ['none was asked while it was live', without(() => false), '{ refund-refused: alice }', 'but nothing was live'],
  ['nobody stopped reading', without(() => false), '{ bounded-buffering: { client: alice, at-most: 1MiB } }', 'never stopped reading'],
  ['nothing was asked afterwards', without(() => false), SERVES, 'alice asked before'],
] as const)('never holds by accident: %s', async (_, change, claim, words) => {
  const { verdicts, outcome } = await judged(await sealedStory({}, change), `expect: [ ${claim} ]`);
  const [verdict] = verdicts;
  expect(verdict).toMatchObject({ outcome: 'inconclusive', reason: expect.stringContaining(words) as string });
  expect(outcome).toBe('inconclusive');
});

it('never accuses of what was not waited for', async () => {
  const claim = 'expect: [ { upstream-closed: { upstream: model, client: alice, after: gone, within: 60s } } ]';
  const { verdicts } = await judged(await sealedStory(LEAK), claim);
  expect(verdicts).toMatchObject([{ outcome: 'inconclusive', reason: expect.stringContaining('before its limit') as string }]);
});

it('tells every problem of the file at once, each with its place and the names that there are', async () => {
  const folder = await sealedStory();
  const text = `expect:
  - billing-terminal: { client: bobby, after: gonee, within: 1 }
  - upstream-closd: { upstream: model }
  - upstream-closed: { upstream: modl, after: gone, within: 2s }
polcy: {}
`;
  const error = await judgeBundle(folder, { expect: claimsFile(text) }).catch((thrown: unknown) => thrown as ProblemError);
  const problems = (error as ProblemError).problems.map(({ family, code, message, hint, location }) =>
    [family, code, location?.line, location?.column, message, hint]);
  expect(problems).toEqual([
    ['scenario', 'unknown-name', 2, 33, 'no client is called `bobby`', 'defined: alice, bob'],
    ['scenario', 'unknown-name', 2, 47, 'no mark is called `gonee`', 'did you mean `gone`? defined: gone'],
    ['scenario', 'bad-duration', 2, 62, '1 is not a duration', expect.any(String)],
    ['scenario', 'unknown-kind', 3, 5, 'unknown expectation `upstream-closd`', expect.stringContaining('did you mean `upstream-closed`?')],
    ['scenario', 'unknown-name', 4, 34, 'no upstream is called `modl`', 'did you mean `model`? defined: model'],
    ['scenario', 'unknown-key', 5, 1, 'unknown key `polcy`', expect.stringContaining('did you mean `policy`?')],
  ]);
});

test.each([
  ['expect: []', 'bad-value'],
  ['policy: { on-disconnect: drain }', 'missing-key'],
  ['expect: [ process-alive ]\npolicy: { on-disconnect: linger }', 'bad-value'],
  ['expect: [ process-alive ]\nbounds: { lifetim: 2s }', 'unknown-key'],
  ['expect: [ process-alive ]\nname: a scenario', 'unknown-key'],
  ['- process-alive', 'root-not-map'],
])('refuses %j', async (text, code) => {
  const judging = judgeBundle(await sealedStory(), { expect: claimsFile(text) });
  await expect(judging).rejects.toMatchObject({ problems: [{ family: 'scenario', code }] });
});
