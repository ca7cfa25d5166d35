// The total order of a file of lines, beside that of the same observations in memory.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Observation } from '../model/observation.ts';
import { createTimeline } from '../model/timeline.ts';
import { temporaryFolder } from './fixture.ts';
import { sortLines } from './sort-lines.ts';

const textOf = (all: readonly Observation[]): string => all.map((each) => `${JSON.stringify(each)}\n`).join('');

const mark = fc.record({
  atMs: fc.integer({ min: 0, max: 40 }),
  actor: fc.constantFrom('harness', 'client.a', 'client.b', 'Z', 'ä'),
  seq: fc.integer({ min: 1, max: 9 }),
  mark: fc.string({ maxLength: 6, unit: 'grapheme' }),
}).map(({ mark: name, ...stamp }): Observation => ({ ...stamp, type: 'mark', mark: name, client: null }));

it('is that of the timeline, duplicates left out, whatever order they came in', async () => {
  const path = join(temporaryFolder(), 'lines');
  await fc.assert(fc.asyncProperty(fc.array(mark, { maxLength: 60 }), async (all) => {
    writeFileSync(path, textOf(all));
    await sortLines(path, 'lines');
    expect(readFileSync(path, 'utf8')).toBe(textOf(createTimeline(all).all));
  }), { numRuns: 200 });
});

it('holds for more than it reads at once, in the worst order too, and knows phases and the end', async () => {
  const path = join(temporaryFolder(), 'lines');
  const all = Array.from({ length: 30_000 }, (_, index): Observation => index % 10_000 === 0
    ? { atMs: index, actor: 'harness', seq: index, type: 'phase', phase: 'drive', edge: index === 0 ? 'begin' : 'end' }
    : { atMs: index, actor: `client.${index % 7}`, seq: index, type: 'mark', mark: 'x'.repeat(index % 900), client: null });
  writeFileSync(path, textOf(all.toReversed()).trimEnd());
  const edges = await sortLines(path, 'lines');
  expect(readFileSync(path, 'utf8') === textOf(all)).toBe(true);
  expect(edges.phase('drive')).toEqual({ beginMs: 0, endMs: 10_000 });
  expect(edges.all.at(-1)!.atMs).toBe(29_999);
});

it('names the line that is none', async () => {
  const path = join(temporaryFolder(), 'lines');
  writeFileSync(path, '{"atMs":1,"actor":"harness","seq":1,"type":"watch","forMs":1}\n{"atMs":\n');
  await expect(sortLines(path, 'lines')).rejects.toThrow('lines, line 2 is not an observation');
});
