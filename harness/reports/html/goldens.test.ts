// The committed bundles, one of each kind of verdict, as they are drawn: real runs, with all that real runs hold.
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readLogs } from '../../bundle/read-logs.ts';
import { readBundle } from '../../bundle/read.ts';
import { viewOf } from '../view/view-of.ts';
import { pack, unpack } from './browser/drawing.mjs';
import { renderHtml } from './render-html.ts';
import { still } from './fixture.ts';

const GOLDEN = resolve(import.meta.dirname, '..', '..', '..', 'evidence', 'golden');
const names = readdirSync(GOLDEN, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
const MAXIMUM = 1_500_000;

test('there are some', () => expect(names.length).toBeGreaterThan(5));

test.each(names)('%s: every fact is in its view, every claim finds its evidence, and the page is whole and small', async (name) => {
  const folder = join(GOLDEN, name);
  const [bundle, logs] = [await readBundle(folder), await readLogs(folder)];
  const view = viewOf(bundle, logs);
  const { at, actor, seq, text } = view.observations;
  expect(at.map((_, index) => `${view.actors[actor[index]!]}#${seq[index]}`)).toEqual(bundle.timeline.all.map((each) => `${each.actor}#${each.seq}`));
  expect(text.filter((index) => !view.texts[index])).toEqual([]);
  expect(view.claims.flatMap(({ missing }) => missing)).toEqual([]);
  expect(view.claims.map(({ id }) => id).sort()).toEqual(bundle.verdicts.verdicts.map(({ id }) => id).sort());
  expect(unpack(JSON.parse(JSON.stringify(pack(view)))).lanes).toEqual(view.lanes);
  for (const lane of view.lanes) {
    expect([...lane.bars, ...lane.points].filter(({ row }) => lane.rows[row] === undefined)).toEqual([]);
    expect(lane.bars.filter(({ fromMs, toMs }) => !(fromMs <= toMs && toMs <= view.spanMs))).toEqual([]);
  }
  const page = renderHtml(bundle, logs);
  expect(page.length).toBeLessThan(MAXIMUM);
  expect(still(page)).not.toMatch(/NaN|\bundefined\b|Infinity/);
  for (const { reason } of bundle.verdicts.verdicts) expect(still(page).replaceAll('&#39;', "'").replaceAll('&quot;', '"')).toContain(reason);
});
