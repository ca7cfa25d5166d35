// Packages that nobody named: in every report of a run, out of the way where they are many; and in what two runs differ in.
import { expect, test } from 'vitest';
import { cameAlong, fewAlong, isCameAlong } from '../model/came-along.ts';
import { alsoDifferent, alsoSentence } from './compare/also.ts';
import { compareRuns } from './compare/comparison.ts';
import { BAD, GOOD } from './compare/fixture.ts';
import { renderComparison } from './compare/page.ts';
import { comparisonText } from './compare/text.ts';
import { made } from './html/sections.ts';
import { INPUT } from './issue/fixture.ts';
import { issueText } from './issue/issue-text.ts';
import { renderReport } from './report-md.ts';
import type { ReportInput } from './view/input.ts';

const NAMED = { 'npm http-proxy': '1.18.1', 'npm @scope/thing': '2.0.0' };
const along = (count: number, version: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [cameAlong(`npm part-${String(index).padStart(2, '0')}`), version]));
const withVersions = (input: ReportInput, versions: Readonly<Record<string, string>>): ReportInput => ({ ...input, manifest: { ...input.manifest, versions } });
const MANY = { ...NAMED, ...along(30, '1.0.0') };

test('few of them: all that were named, in their order', () => {
  expect(isCameAlong('npm part')).toBe(false);
  const rows = ['npm z', cameAlong('npm a'), 'pypi y', cameAlong('npm b')];
  expect(fewAlong(rows, (row) => row, 1)).toEqual({ shown: ['npm z', 'npm a (came along)', 'pypi y'], more: 1 });
  expect(fewAlong(rows, (row) => row, 2)).toEqual({ shown: rows, more: 0 });
});

test('a report has them all, folded away; without any there is nothing to fold', () => {
  for (const [report, hasScope] of [[renderReport, /\| npm @scope\/thing \| 2\.0\.0 \|/], [made, />npm @scope\/thing</]] as const) {
    const text = report(withVersions(BAD, MANY));
    const [before, folded = ''] = text.split('<summary>30 packages that came along</summary>');
    expect(before).toMatch(hasScope);
    expect(before).not.toContain('came along');
    expect(folded.split('</details>')[0]!.match(/npm part-\d\d \(came along\)/g)).toHaveLength(30);
    expect(report(withVersions(BAD, NAMED))).not.toContain('came along');
    expect(report(withVersions(BAD, { ...NAMED, ...along(1, '1') }))).toContain('1 package that came along');
  }
});

test('an issue has what was named, a few of the others, and how many more there are', () => {
  const { body } = issueText({ ...INPUT, bundle: { ...INPUT.bundle, manifest: { ...INPUT.bundle.manifest, versions: MANY } } });
  expect(body).toMatch(/\| npm http-proxy \| `1\.18\.1` \|/);
  expect(body).toMatch(/\| npm part-00 \(came along\) \| `1\.0\.0` \|/);
  expect(body.match(/\(came along\)/g)).toHaveLength(6);
  expect(body).toContain('| 24 more that came along | in `manifest.json` of the evidence |');
  const few = issueText({ ...INPUT, bundle: { ...INPUT.bundle, manifest: { ...INPUT.bundle.manifest, versions: { ...NAMED, ...along(6, '1') } } } });
  expect(few.body).not.toContain('more that came along');
});

const side = (input: ReportInput, versions: Readonly<Record<string, string>>): { readonly name: string; readonly input: ReportInput } => ({ name: 'x', input: withVersions(input, versions) });

test('two runs are not the same where only what came along is not', () => {
  const [one, other] = [{ ...NAMED, ...along(2, '1.14.0') }, { ...NAMED, ...along(1, '1.14.0'), [cameAlong('npm part-01')]: '1.15.6' }];
  const comparison = compareRuns(side(BAD, one), side(BAD, other), null);
  expect(comparison.differences).toEqual([{ what: 'version of npm part-01 (came along)', a: '1.14.0', b: '1.15.6' }]);
  expect(comparisonText(comparison, false)).toMatch(/version of npm part-01 \(came along\) +1\.14\.0 +1\.15\.6\n/);
  expect(compareRuns(side(BAD, one), side(BAD, one), null).differences).toEqual([]);
});

test('of many that differ people see the first few, and programs all', () => {
  const [a, b] = [side(BAD, MANY), side(BAD, { ...NAMED, 'npm http-proxy': '1.18.2', ...along(30, '2.0.0') })];
  const comparison = compareRuns(a, b, null);
  expect(comparison.differences).toHaveLength(31);
  for (const text of [comparisonText(comparison, false), renderComparison(comparison, a.input, b.input)]) {
    expect(text).toContain('version of npm http-proxy');
    expect(text.match(/version of npm part-\d\d/g)).toHaveLength(12);
    expect(text).toContain('and 18 more that came along and are not the same');
  }
});

test('the neighbours of a search: all that differs but what was searched along, and what follows from it', () => {
  const at = (input: ReportInput, version: string, versions: Readonly<Record<string, string>>): ReportInput => {
    const moved = withVersions(input, { node: 'v24', 'npm http-proxy': version, [`image for p:\${version}`]: `p:${version}`, 'commit of p': `${version}0`, ...versions });
    return { ...moved, resolved: { ...moved.resolved, run: { ...moved.resolved.run, coordinates: { version } } } };
  };
  const good = at(GOOD, '1.18.0', along(2, '1.14.0'));
  expect(alsoSentence(alsoDifferent(good, at(BAD, '1.18.1', along(2, '1.14.0'))))).toBeNull();
  const bad = at(BAD, '1.18.1', { ...along(1, '1.15.6'), [cameAlong('npm new')]: '1.0.0' });
  expect(alsoSentence(alsoDifferent(good, bad))).toBe(
    'Also different between them: npm part-00 (came along) 1.14.0 and 1.15.6; npm part-01 (came along) 1.14.0 and not told; npm new (came along) not told and 1.0.0.',
  );
  expect(alsoSentence(alsoDifferent(good, at(BAD, '1.18.1', { ...along(2, '1.14.0'), node: 'v26' })))).toBe('Also different between them: node v24 and v26.');
  const many = alsoSentence(alsoDifferent(at(GOOD, '1.18.0', along(40, '1')), at(BAD, '1.18.1', along(40, '2'))))!;
  expect(many).toMatch(/part-04 \(came along\) 1 and 2; 35 more that came along\.$/);
});
