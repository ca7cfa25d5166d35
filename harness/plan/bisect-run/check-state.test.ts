// A bisect.json that somebody has edited, or that a disk has damaged: every problem at once, each at its line, and the file as it was.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ProblemError } from '../../model/problem.ts';
import { runSearch } from './outcome.ts';
import { readState } from './state.ts';
import { numberOf, tableSearch, versions } from './test-search.ts';

type Editable = Record<string, unknown> & { question: Record<string, unknown>; probes: Record<string, unknown>[] };

const searched = async (): Promise<{ readonly file: string; readonly whole: Editable }> => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-state-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const tried = tableSearch([versions(10)], ([value]) => (numberOf(value) >= 4 ? { violated: ['upstream-closed'] } : {}), join(folder, 'bisect.json'), {});
  await runSearch(tried, false, () => {});
  return { file: tried.file, whole: JSON.parse(readFileSync(tried.file, 'utf8')) as Editable };
};

const toldOf = async (file: string): Promise<readonly string[]> => {
  const error = await readState(file).then(() => null, (thrown: unknown) => thrown);
  if (error === null) return [];
  if (!(error instanceof ProblemError)) throw error;
  const lines = readFileSync(file, 'utf8').split('\n');
  return error.problems.map(({ code, message, location }) => {
    expect([code, location?.file]).toEqual(['bisect-unreadable', file]);
    return `${message.replace(/^.*taken up: /, '')} | ${lines[location!.line - 1]!.slice(location!.column - 1)}`;
  });
};

const edited = async (edit: (state: Editable) => void): Promise<readonly string[]> => {
  const { file, whole } = await searched();
  expect(await toldOf(file)).toEqual([]);
  edit(whole);
  const text = JSON.stringify(whole, null, 2);
  writeFileSync(file, text);
  const told = await toldOf(file);
  expect(readFileSync(file, 'utf8')).toBe(text);
  return told;
};

test('all that is wrong is told at once, each at its own line', async () => {
  const told = await edited((state) => {
    state['symptom'] = {};
    state.question['axes'] = [{ axis: 'version', values: ['v0', 'v0'] }];
    Object.assign(state.probes[0]!, { evidence: '../../outside', tookMs: -1 });
    Object.assign(state.probes[1]!, { number: 7 });
    (state.probes[2]!['seen'] as Record<string, unknown>)['outcome'] = 'fine';
  });
  expect(told).toEqual([
    'symptom.claim is missing, or is not what it must be | "symptom": {},',
    'question.axes[0].values is not one axis or two, each with two values or more, each once | "values": [',
    'probes[0].evidence leads out of the folder of the search, or is no path | "evidence": "../../outside",',
    'probes[0].tookMs is missing, or is not what it must be | "tookMs": -1,',
    'probes[1].number is not 2, its place in the list | "number": 7,',
    'probes[2].seen.outcome is no outcome of a run | "outcome": "fine",',
  ]);
});

test.each<readonly [string, (state: Editable) => void]>([
  ['probes[0].at is no place on the axes of the question | "at": [', (state) => (state.probes[0]!['at'] = ['v99'])],
  ['probes[0].evidence leads out of the folder of the search, or is no path | "evidence": "/etc",', (state) => (state.probes[0]!['evidence'] = '/etc')],
  ['probes[0].seen is missing, or is no object | {', (state) => delete state.probes[0]!['seen']],
  ['probes[1].seen.symptoms are not those of the claims that were violated | "symptoms": [],', (state) => ((state.probes[1]!['seen'] as { symptoms: unknown })['symptoms'] = [])],
  ['question is missing, or is no object | {', (state) => delete (state as Partial<Editable>).question],
  ['it is not of format', (state) => (state['format'] = 1)],
])('%s', async (expected, edit) => {
  const told = await edited(edit);
  expect(told).toHaveLength(1);
  expect(told[0]).toContain(expected);
});

test('a file that was cut off is told where it ends', async () => {
  const { file } = await searched();
  const text = readFileSync(file, 'utf8').slice(0, 400);
  writeFileSync(file, text);
  const error: unknown = await readState(file).then(() => null, (thrown: unknown) => thrown);
  expect(error).toMatchObject({ problems: [{ code: 'bisect-unreadable', location: { file, line: text.split('\n').length } }] });
});
