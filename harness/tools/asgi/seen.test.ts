// What is read out of bundles of images/asgi-proxy, from both sides, and that the page says what its data say.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Bundle } from '../../bundle/read.ts';
import { pictureOf, tablesOf } from './page.ts';
import { rowsOf, saidBy } from './seen.ts';
import type { Row, Said } from './seen.ts';
import { seenOf, together } from './seen-matrix.ts';
import type { Seen } from './seen-matrix.ts';

const USUAL = { version: '0.31.1', starlette: '1.6.0', http: 'httptools' };

type Outcomes = readonly [closed: string, ended: string, stopped: string];

const NAMES = ['upstream-closed', 'billing-terminal', 'renewal-stopped'];
type More = Partial<Record<'matrix' | 'coordinates', Readonly<Record<string, string>>>> & { readonly isControl?: boolean };

const bundleOf = (scenario: string, said: Readonly<Record<string, Outcomes>>, more: More = {}): Bundle =>
  ({
    manifest: { scenario, isControl: more.isControl ?? false },
    resolved: { run: { matrix: more.matrix ?? {}, coordinates: more.coordinates ?? {} } },
    verdicts: {
      verdicts: [
        ...Object.entries(said).flatMap(([client, outcomes]) =>
          NAMES.map((claim, index) => ({ claim, options: { client }, outcome: outcomes[index] }))),
        { claim: 'process-alive', options: {}, outcome: 'held' },
      ],
    },
  }) as unknown as Bundle;

const HELD: Outcomes = ['held', 'held', 'held'];
const VIOLATED: Outcomes = ['violated', 'violated', 'violated'];

const row = (said: Said, more: Partial<Row> = {}): Row =>
  ({ http: 'h11', uvicorn: '0.28.1', starlette: '0.42.0', state: 'endless', leave: 'rst', said, isAlone: false, ...more });

describe('what is said of one leave', () => {
  test.each([
    [HELD, 'noticed'],
    [VIOLATED, 'unnoticed'],
    [['held', 'violated', 'violated'], 'part'],
    [['violated', 'held', 'held'], 'part'],
    [['held', 'held', 'inconclusive'], 'noticed'],
    [['violated', 'violated', 'inconclusive'], 'unnoticed'],
    [['inconclusive', 'violated', 'violated'], 'open'],
    [['inconclusive', 'inconclusive', 'inconclusive'], 'open'],
    [['held', 'held'], 'open'],
  ] as const)('%j: %s', (outcomes, said) => expect(saidBy(outcomes)).toBe(said));

  test('comes from the client of the run of all at once, and from the matrix of a run of one state', () => {
    const said = { 'never-reads-half-close': VIOLATED, 'silent-fin': HELD };
    const all = rowsOf(bundleOf('leaves/all-at-once[version=0.28.0]', said, { coordinates: { version: '0.28.0' } }), USUAL);
    const pair = { http: 'httptools', uvicorn: '0.28.0', starlette: '1.6.0', isAlone: false };
    expect(all).toEqual([
      { ...pair, state: 'never-reads', leave: 'half-close', said: 'unnoticed' },
      { ...pair, state: 'silent', leave: 'fin', said: 'noticed' },
    ]);
    const one = rowsOf(bundleOf('leaves/header-wait[how=rst]', { alice: VIOLATED }, { matrix: { how: 'rst' } }), USUAL);
    expect(one).toMatchObject([{ state: 'header-wait', leave: 'rst', said: 'unnoticed', isAlone: true }]);
  });

  test('is nothing for a control, or for a leave that is none of these', () => {
    expect(rowsOf(bundleOf('leaves/silent[how=rst]', { alice: HELD }, { matrix: { how: 'rst' }, isControl: true }), USUAL)).toEqual([]);
    expect(rowsOf(bundleOf('leaves/silent[how=vanish]', { alice: HELD }, { matrix: { how: 'vanish' } }), USUAL)).toEqual([]);
    expect(rowsOf(bundleOf('leaves/all-at-once', { alice: HELD }), USUAL)).toEqual([]);
  });

  test('is what all runs agree on', () => {
    expect(together(['noticed', 'open', 'noticed'])).toBe('noticed');
    expect(together(['noticed', 'unnoticed'])).toBe('differs');
    expect([together(['open']), together([])]).toEqual(['open', 'open']);
  });
});

describe('the page', () => {
  test('has a capital for nobody, a small letter for some, a dot for all, and a question mark where it is not known', () => {
    const seen = seenOf([
      row('unnoticed', { state: 'header-wait', leave: 'fin' }), row('unnoticed', { state: 'header-wait' }),
      row('noticed', { state: 'silent' }), row('open'),
      row('noticed', { state: 'never-reads' }), row('unnoticed', { state: 'never-reads', leave: 'half-close' }),
    ]);
    expect(pictureOf(seen['h11']!['0.28.1']!['0.42.0']!)).toBe('H.?n');
  });

  test('has versions in their order, and names the neighbours between which the picture changes, and no others', () => {
    const text = tablesOf(seenOf([
      row('noticed', { uvicorn: '0.9.0' }), row('unnoticed', { uvicorn: '0.28.1' }), row('unnoticed', { uvicorn: '0.100.0' }),
      row('open', { uvicorn: '0.101.0' }),
    ]));
    const linesWith = (start: string): readonly string[] => text.split('\n').filter((line) => line.startsWith(start));
    expect(linesWith('| 0.').map((line) => line.split(' ')[1])).toEqual(['0.9.0', '0.28.1', '0.100.0', '0.101.0']);
    expect(linesWith('- ')).toEqual(['- uvicorn 0.9.0 to 0.28.1: `??.?` becomes `??E?`, with starlette 0.42.0']);
  });

  const docs = join(import.meta.dirname, '..', '..', '..', 'docs');
  test('in docs/ is that of the data beside it', () => {
    expect(existsSync(join(docs, 'asgi-disconnect.json'))).toBe(true);
    const seen = JSON.parse(readFileSync(join(docs, 'asgi-disconnect.json'), 'utf8')) as Seen;
    expect(readFileSync(join(docs, 'asgi-disconnect.md'), 'utf8')).toContain(`\n${tablesOf(seen)}\n`);
  });
});
