import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { addDurations, durationsText, parseDurations, readDurations } from './durations.ts';

const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'hangup-durations-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
};

test('what was seen last stands, runtimes apart, and the rest stays', async () => {
  const path = join(folder(), 'durations.json');
  await addDurations(path, { cells: { process: { a: 1_000, b: 2_000 } }, controls: { process: { a: 7_000 } } });
  await addDurations(path, { cells: { process: { b: 2_500 }, docker: { b: 9_000 } }, controls: {} });
  expect(await readDurations(path)).toEqual({ cells: { process: { a: 1_000, b: 2_500 }, docker: { b: 9_000 } }, controls: { process: { a: 7_000 } } });
});

test('the file is the same whatever came first: it may be committed', () => {
  const text = durationsText({ cells: { process: { b: 1, a: 2 }, docker: { x: 3 } }, controls: {} });
  expect(text).toBe(durationsText({ cells: { docker: { x: 3 }, process: { a: 2, b: 1 } }, controls: {} }));
  expect(durationsText(parseDurations(text))).toBe(text);
});

test('there may be none; what is no durations is told with its place', async () => {
  const path = join(folder(), 'durations.json');
  expect(await readDurations(path)).toBeNull();
  writeFileSync(path, '{"format":1,"cells":{"process":{"a":-1}}}');
  await expect(readDurations(path)).rejects.toMatchObject({ problems: [{ code: 'durations-unreadable', message: expect.stringContaining('cells.process: "a" has no time in ms') }] });
});

test.each(['', '[]', '{"format":2}', '{"format":1,"cells":[]}', '{"format":1,"cells":{"process":{"a":"1s"}}}', '{"format":1,"cells":{"process":{"a":1e300}}}'])('%s is refused', (text) =>
  expect(() => parseDurations(text)).toThrow());

test('a file that a run cannot read is begun anew: no run fails of it', async () => {
  const path = join(folder(), 'durations.json');
  writeFileSync(path, 'cut of');
  await addDurations(path, { cells: { process: { a: 1 } }, controls: {} });
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ format: 1, cells: { process: { a: 1 } }, controls: {} });
});

test('a name that is a prototype is a name', async () => {
  const text = '{"format":1,"cells":{"process":{"__proto__":5,"constructor":6}}}';
  expect(Object.keys(parseDurations(text).cells.process!).sort()).toEqual(['__proto__', 'constructor']);
});
