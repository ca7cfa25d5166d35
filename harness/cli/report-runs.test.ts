// Which bundles are attempts of one scenario, and which are runs of it in other circumstances.
import { expect, test } from 'vitest';
import { BAD, GOOD } from '../reports/compare/fixture.ts';
import { endOf, renderedRun } from './report-runs.ts';

type Read = Parameters<typeof renderedRun>[0];

const SAME: Read = { ...GOOD, manifest: { ...GOOD.manifest, versions: BAD.manifest.versions }, resolved: BAD.resolved };
const ON_OTHER: Read = { ...SAME, resolved: { ...SAME.resolved, run: { ...SAME.resolved.run, card: 'http-proxy', version: '2.0.0' } } };
const ON_DOCKER: Read = { ...SAME, manifest: { ...SAME.manifest, runtime: 'docker' } };
const OF_OTHER_VERSION: Read = { ...SAME, manifest: { ...SAME.manifest, versions: { ...SAME.manifest.versions, router: '1.5.0' } } };

const toldOf = (...bundles: readonly Read[]) => {
  const { summaries, flaky } = endOf(bundles.map((bundle) => renderedRun(bundle, null, { pages: [] })));
  return { cells: summaries.map(({ cell, attempt }) => [cell, attempt]), flaky: flaky!.map(({ outcomes }) => outcomes) };
};

const NAME = 'disconnect/endless[how=fin] with seed-main';

test('runs in the same circumstances are attempts, and flaky where they differ', () => {
  expect(toldOf(BAD, SAME)).toEqual({ cells: [[NAME, 1], [NAME, 2]], flaky: [['failed', 'passed']] });
  expect(toldOf(BAD)).toEqual({ cells: [[NAME, 1]], flaky: [] });
});

test.each([
  ['another system', ON_OTHER, 'reference-router', 'http-proxy 2.0.0'],
  ['another runtime', ON_DOCKER, 'process', 'docker'],
  ['another version that the card does not name', OF_OTHER_VERSION, `begun ${BAD.manifest.startedAt}`, `begun ${GOOD.manifest.startedAt}`],
])('%s is no second attempt, and nothing is flaky', (_, other, a, b) => {
  expect(toldOf(BAD, other)).toEqual({ cells: [[`${NAME} (${a})`, 1], [`${NAME} (${b})`, 1]], flaky: [] });
});

test('attempts of each are counted by themselves', () => {
  const later: Read = { ...SAME, manifest: { ...SAME.manifest, startedAt: '2026-01-04T03:04:05.000Z' } };
  const { cells, flaky } = toldOf(later, BAD, ON_OTHER);
  expect(cells).toEqual([[`${NAME} (reference-router)`, 1], [`${NAME} (http-proxy 2.0.0)`, 1], [`${NAME} (reference-router)`, 2]]);
  expect(flaky).toEqual([['failed', 'passed']]);
});
