// TAP read back by the parser of node-tap: what is a test point there, and what it takes for a failure.
import { Parser } from 'tap-parser';
import type { FinalResults, Result } from 'tap-parser';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { EXIT, exitCode } from '../model/exit-code.ts';
import { endOf, HOSTILE_SET, play, SET } from './fixtures/set.ts';
import type { RunEnd } from './reporter.ts';
import { definition } from './tap.ts';

const textOf = async (end: RunEnd): Promise<string> => {
  let text = '';
  await play(definition.open({ write: (more) => void (text += more), isTerminal: false, columns: 80, hasColour: false }), end);
  return text;
};

type Read = {
  readonly results: FinalResults;
  readonly points: readonly Result[];
  readonly subtests: readonly string[];
  readonly odd: readonly string[];
};

const read = async (end: RunEnd): Promise<Read> => {
  const parser = new Parser({ strict: true });
  const points: Result[] = [];
  const subtests: string[] = [];
  const odd: string[] = [];
  parser.on('assert', (point) => points.push(point));
  parser.on('child', (child) => subtests.push(child.name));
  parser.on('extra', (line) => odd.push(line));
  const results = new Promise<FinalResults>((resolve) => parser.on('complete', resolve));
  parser.end(await textOf(end));
  return { results: await results, points, subtests, odd };
};

describe.each([
  ['one of each kind', endOf(SET)],
  ['hostile', endOf(HOSTILE_SET)],
  ['nothing', endOf([])],
])('a report of %s', (_, end) => {
  it('is TAP to its last line, with a point for each run and a plan that fits', async () => {
    const { results, points, odd } = await read(end);
    // The parser gives failing points of its own for what is not as the protocol wants it.
    expect(results.failures.filter(({ tapError }) => tapError)).toEqual([]);
    expect(odd.filter((line) => line.trim() !== '')).toEqual([]);
    expect(points.map(({ id }) => id)).toEqual(end.summaries.map((__, index) => index + 1));
    expect(results).toMatchObject({ count: end.summaries.length, bailout: false });
  });

  it('has diagnostics that are YAML', async () => {
    const blocks = [...(await textOf(end)).matchAll(/^( *)---\n([\s\S]*?)^ *\.\.\.$/gm)];
    expect(blocks.length).toBeGreaterThanOrEqual(end.summaries.length);
    for (const [, , block] of blocks) expect(parseYaml(block!)).toEqual(expect.objectContaining({}));
  });
});

it('is ok exactly where the exit code is, known ones as TODO and what does not apply skipped', async () => {
  for (const summary of [...SET, ...HOSTILE_SET]) {
    const { results } = await read(endOf([summary]));
    expect([summary.scenario, results.ok]).toEqual([summary.scenario, [EXIT.passed, EXIT.nothing].includes(exitCode([summary]) as 0 | 5)]);
  }
  const { results } = await read(endOf(SET));
  expect(results).toMatchObject({ todo: 1, skip: 1, count: 15 });
});

it('fails for known and fixed ones where they count', async () => {
  const known = SET.filter(({ cell }) => cell === 'disconnect/silent' || cell === 'disconnect/finite');
  const { results } = await read(endOf(known, { start: { scenarios: [], runtime: 'process', why: '', strict: true } }));
  expect(results).toMatchObject({ ok: false, fail: 2, todo: 0 });
});

it('bails out where it was interrupted', async () => {
  const { results } = await read(endOf(SET.slice(0, 1), { exitCode: EXIT.interrupted }));
  expect(results.bailout).toBe('interrupted');
});

it('has the claims of a run as its subtest', async () => {
  const { subtests } = await read(endOf(SET.slice(0, 2)));
  expect(subtests).toEqual(['disconnect/endless[how=fin]', 'disconnect/endless[how=rst]']);
});
