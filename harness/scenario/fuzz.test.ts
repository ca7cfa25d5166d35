// Whatever is done to a good file, reading it ends soon, and says either scenarios or problems.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProblemError } from '../model/problem.ts';
import { renderProblems } from '../model/render-problem.ts';
import { processorMs } from '../model/test-processor.ts';
import { parseScenarios } from './load-scenarios.ts';
import { testRegistries } from './test-registries.ts';
import { GOOD_SCENARIO } from './test-scenario.ts';

const LIMIT_MS = 3_000;

/** @returns how many problems it had; throws what is none */
const read = (content: string | Buffer): number => {
  const startedMs = processorMs();
  try {
    parseScenarios('fuzz.yaml', content, 'test/fuzz', { registries: testRegistries });
    return 0;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    expect(error.problems.length).toBeGreaterThan(0);
    for (const { code, message, location } of error.problems) {
      expect([code, message]).not.toContain('');
      expect(location!.line).toBeGreaterThan(0);
      expect(location!.column).toBeGreaterThan(0);
    }
    expect(renderProblems(error.problems)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/);
    return error.problems.length;
  } finally {
    expect(processorMs() - startedMs).toBeLessThan(LIMIT_MS);
  }
};

const lines = GOOD_SCENARIO.split('\n');
const INSERTS = [
  '{',
  '}',
  '[',
  ']',
  ': ',
  '- ',
  '\n',
  '\t',
  '  ',
  '&a ',
  '*a',
  '!x ',
  '? ',
  '|',
  '>',
  '"',
  "'",
  '#',
  '%',
  '---\n',
  '...',
  '${',
  '${how}',
  '${a:b}',
  '~',
  '<<: ',
  '\u0000',
  '\ufeff',
  '__proto__: ',
  'constructor: ',
  '1e999',
  '0x',
  '.nan',
] as const;
const fragment = fc.oneof(fc.string({ maxLength: 12, unit: 'binary' }), fc.constantFrom(...INSERTS));
const edit = fc.record({ at: fc.nat(GOOD_SCENARIO.length), remove: fc.nat(30), insert: fragment });

describe('any file', () => {
  test('edits of a good one', () => {
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), (edits) => {
        read(edits.reduce((text, { at, remove, insert }) => text.slice(0, at) + insert + text.slice(at + remove), GOOD_SCENARIO));
      }),
      { numRuns: 600 },
    );
  });

  test('lines left out, repeated, moved and indented', () => {
    const shuffled = fc.array(fc.tuple(fc.nat(lines.length - 1), fc.nat(4)), { maxLength: 40 });
    fc.assert(
      fc.property(shuffled, (picks) => {
        read(picks.map(([at, indent]) => ' '.repeat(indent * 2) + lines[at]!).join('\n'));
      }),
      { numRuns: 300 },
    );
  });

  test('bytes of any kind', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => void read(Buffer.from(bytes))),
      { numRuns: 300 },
    );
  });

  test('values of any kind in every place', () => {
    const places = [...GOOD_SCENARIO.matchAll(/: ([^\n:#]+)/g)].map(({ index, 1: value }) => ({
      index: index + 2,
      length: value!.length,
    }));
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.json({ maxDepth: 3 }), ({ index, length }, json) => {
        read(GOOD_SCENARIO.slice(0, index) + json + GOOD_SCENARIO.slice(index + length));
      }),
      { numRuns: 600 },
    );
  });

  test.each(['toString', 'valueOf', '__proto__', 'constructor', 'hasOwnProperty', 'length', 'then', 'toJSON'])('maps and lists with the key %s in every place', (key) => {
    for (const { index, 1: value } of GOOD_SCENARIO.matchAll(/: ([^\n:#]+)/g))
      for (const json of [`{"${key}": 1}`, `[{"${key}": null}]`, `{"a": {"${key}": 1, "valueOf": 2}}`])
        read(GOOD_SCENARIO.slice(0, index + 2) + json + GOOD_SCENARIO.slice(index + 2 + value!.length));
  });

  test('large and deep ones', () => {
    const size = 1024 * 1024 - 16;
    const fill = (unit: string): string => unit.repeat(Math.floor(size / unit.length));
    const units = ['[', '{a: ', '- ', '? ', '&a ', '! ', '*a ', ',', '---\n', 'a: 1\n', '%a\n', '"', '\n', '#\n', 'a ', '\t', 'a:'];
    const deep = Array.from({ length: 1_400 }, (_, at) => `${' '.repeat(at)}a:`).join('\n');
    const texts = [
      ...units.map(fill),
      deep,
      `a: [${fill('1,')}]`,
      `a: {${fill('b: 1,')}}`,
      `name: "${fill('x')}"`,
      `name: ${fill('${a}')}`,
    ];
    for (const text of texts) expect(read(text)).toBeGreaterThan(0);
  });
});
