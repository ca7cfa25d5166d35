// Two runs side by side: what is said to differ, what is not, where they are laid over each other, and what was measured from there on.
import { describe, expect, test } from 'vitest';
import { cutOffVerdicts } from '../../bundle/cut-off.ts';
import { createTimeline } from '../../model/timeline.ts';
import { compareRuns } from './comparison.ts';
import type { CompareInput } from './comparison.ts';
import { BAD, GOOD } from './fixture.ts';
import { comparisonText } from './text.ts';

const bad: CompareInput = { name: 'runs/bad', input: BAD };
const good: CompareInput = { name: 'runs/good', input: GOOD };
const measured = (what: string, a = bad, b = good): readonly (string | null)[] => {
  const found = compareRuns(a, b, null).measures.find((each) => each.what === what);
  return [found?.a ?? null, found?.b ?? null];
};

describe('claims', () => {
  test('that differ come first, with both reasons; those that do not apply in either agree', () => {
    const { claims, agree } = compareRuns(bad, good, null);
    expect(claims.map(({ id, differs }) => [id, differs])).toEqual([
      ['upstream-closed', true], ['renewal-stopped', true], ['billing-terminal', true], ['clean-shutdown', false], ['refundable', false],
    ]);
    expect(claims[1]).toMatchObject({ a: { outcome: 'violated', class: 'renewing' }, b: { outcome: 'held', reason: 'renewal-stopped as it should be' } });
    expect(agree).toBe(false);
  });

  test('of a run and itself agree, and nothing else differs either', () => {
    const same = compareRuns(bad, { ...bad, name: 'again' }, null);
    expect(same).toMatchObject({ agree: true, differences: [], notes: [] });
    expect(same.measures.filter(({ a, b }) => a !== b)).toEqual([]);
  });

  test('that only one run makes differ', () => {
    const fewer = { ...good, input: { ...BAD, verdicts: { ...BAD.verdicts, verdicts: BAD.verdicts.verdicts.slice(1) } } };
    const { claims, agree } = compareRuns(bad, fewer, null);
    expect(claims[0]).toMatchObject({ id: 'upstream-closed', b: null, differs: true });
    expect(agree).toBe(false);
  });

  test('of another class are told so, before those that are the same, though their outcomes agree', () => {
    const stale = BAD.verdicts.verdicts.map((each) => (each.class === 'renewing' ? { ...each, class: 'stale' } : each));
    const comparison = compareRuns(bad, { ...good, input: { ...BAD, verdicts: { ...BAD.verdicts, verdicts: stale } } }, null);
    expect(comparison).toMatchObject({ agree: true, claims: [{ id: 'renewal-stopped', differs: false, isOtherClass: true }, { isOtherClass: false }, {}, {}, {}] });
    expect(comparisonText(comparison, false)).toMatch(/renewal-stopped +violated +violated +another class\n {4}a: renewing: .*\n {4}b: stale: /);
  });

  test('with other options are named, though their outcomes agree', () => {
    const otherwise = BAD.verdicts.verdicts.map((each) => (each.id === 'upstream-closed' ? { ...each, options: { within: 9000 } } : each));
    const { notes, agree } = compareRuns(bad, { ...good, input: { ...BAD, verdicts: { ...BAD.verdicts, verdicts: otherwise } } }, null);
    expect(agree).toBe(true);
    expect(notes).toEqual(['Claims with other options in each: upstream-closed.']);
  });

  test('of a run that was never judged agree with nothing', () => {
    const cut = { name: 'runs/cut', input: { ...GOOD, verdicts: cutOffVerdicts(GOOD.manifest.scenario) }, notes: ['the last line is missing'] };
    expect(compareRuns(cut, { ...cut, name: 'other' }, null).agree).toBe(false);
    const { agree, notes } = compareRuns(bad, cut, null);
    expect(agree).toBe(false);
    expect(notes).toEqual(['runs/cut was never judged.', 'runs/cut: the last line is missing.']);
  });
});

describe('circumstances', () => {
  test('are told where they differ, and only there', () => {
    expect(compareRuns(bad, good, null).differences).toEqual([
      { what: 'defects', a: 'seed-main', b: 'none' }, { what: 'version of router', a: '1.4.0', b: '1.5.0' },
    ]);
  });

  test('a program beside the card that is another one, and where nobody can tell, that', () => {
    const withFiles = (cardFiles: Readonly<Record<string, string>> | undefined): CompareInput['input'] => {
      const { cardFiles: _, ...run } = BAD.resolved.run;
      return { ...BAD, resolved: { ...BAD.resolved, run: { ...run, ...(cardFiles ? { cardFiles } : {}) } } };
    };
    const repaired = compareRuns(bad, { ...good, input: withFiles({ 'start.mjs': 'b1b2c3d4e5f60718' }) }, null);
    expect(repaired).toMatchObject({ differences: [{ what: 'file beside the card start.mjs', a: 'a1b2c3d4e5f6', b: 'b1b2c3d4e5f6' }], notes: [] });
    expect(compareRuns(bad, { ...good, input: withFiles(undefined) }, null).notes).toEqual([
      'Files beside the card are not recorded in runs/good: whether they are the same cannot be told.',
    ]);
  });

  test('another place on axes is no other scenario: the axes that differ are named', () => {
    const input: CompareInput['input'] = {
      ...BAD, manifest: { ...BAD.manifest, scenario: 'disconnect/endless[how=rst,version=1.5,starlette=0.40.0]' },
      resolved: { ...BAD.resolved, run: { ...BAD.resolved.run, matrix: { how: 'rst' }, coordinates: { version: '1.5', starlette: '0.40.0' }, version: '1.5' } },
    };
    const { notes, differences } = compareRuns(bad, { name: 'x', input }, null);
    expect(notes).toEqual(['The same scenario at other values of 3 axes: how fin and rst; version not given and 1.5; starlette not given and 0.40.0.']);
    expect(differences).toEqual([
      { what: 'version', a: null, b: '1.5' }, { what: 'axis how', a: 'fin', b: 'rst' }, { what: 'axis starlette', a: null, b: '0.40.0' },
    ]);
  });

  test('another scenario or another system is said plainly', () => {
    const input = { ...GOOD, manifest: { ...GOOD.manifest, scenario: 'pool/other' }, resolved: { ...GOOD.resolved, run: { ...GOOD.resolved.run, card: 'theirs' } } };
    expect(compareRuns(bad, { name: 'x', input }, null).notes).toEqual([
      'These are runs of different scenarios: disconnect/endless[how=fin] and pool/other.', 'Different systems were judged: reference-router and theirs.',
    ]);
    const text = { ...GOOD, manifest: { ...GOOD.manifest, scenarioHash: 'sha256:01' } };
    expect(compareRuns(bad, { name: 'x', input: text }, null).notes).toEqual(['The text of the scenario was changed between these runs.']);
  });
});

describe('from the mark on', () => {
  test('what was measured is relative to it, whenever each run got there', () => {
    expect(compareRuns(bad, good, null).alignment).toEqual({ mark: 'gone', aMs: 1500, bMs: 1750 });
    expect(measured('upstream model closed by the system')).toEqual(['never seen', 'after 40 ms (FIN)']);
    expect(measured('reservation terminal')).toEqual(['never seen', 'after 100 ms (settled)']);
    expect(measured('reservation last renewed')).toEqual(['after 1.1 s', 'never seen']);
    expect(measured('charged')).toEqual(['nothing', '3 in 1 charge']);
    expect(measured('client had got')).toEqual(['3 events', '3 events']);
    expect(measured('router ended')).toEqual(['after 2.1 s (code 0)', 'after 2.1 s (code 0)']);
  });

  test('the mark may be chosen; one that is not there is refused with those that are', () => {
    expect(compareRuns(bad, good, 'gone').alignment.mark).toBe('gone');
    expect(() => compareRuns(bad, good, 'gonne')).toThrow('runs/bad has no mark "gonne"');
  });

  test('without a mark in common they begin together, and that is said', () => {
    const unmarked = { ...good, input: { ...GOOD, timeline: createTimeline(GOOD.timeline.all.filter(({ type }) => type !== 'mark')) } };
    const { alignment, notes } = compareRuns(bad, unmarked, null);
    expect(alignment).toEqual({ mark: null, aMs: 900, bMs: 1150 });
    expect(notes).toContain('They have no mark in common: times count from when each began to be driven.');
  });
});

describe('as text', () => {
  test('says first what differs, and why in each', () => {
    const text = comparisonText(compareRuns(bad, good, null), false);
    expect(text).toMatch(/^a {2}runs\/bad .* failed .*\nb {2}runs\/good .* passed .*\naligned at gone: 1\.5 s in a, 1\.8 s in b\n\nclaim /);
    expect(text).toMatch(/upstream-closed +violated +held +differs\n {4}a: exchange 2 was still open .*\n {4}b: upstream-closed as it should be\n/);
    expect(text).toMatch(/version of router +1\.4\.0 +1\.5\.0\n/);
    expect(text).toMatch(/upstream model closed by the system +never seen +after 40 ms \(FIN\)\n/);
    expect(text.endsWith('\n3 of 5 claims differ.\n')).toBe(true);
    expect(comparisonText(compareRuns(bad, bad, null), false)).toContain('The outcomes of all 5 claims agree.');
  });

  test('keeps what a system said on its line, without colours unless asked', () => {
    const evil = { ...BAD.verdicts, verdicts: BAD.verdicts.verdicts.map((each) => ({ ...each, reason: 'x\u001b[2J\n\u202ey' })) };
    const text = comparisonText(compareRuns({ name: 'a', input: { ...BAD, verdicts: evil } }, good, null), false);
    expect(text).not.toMatch(/[\u001b\u202e]/);
    expect(comparisonText(compareRuns(bad, good, null), true)).toContain('\u001b[31mviolated');
  });
});
