// What a bundle has for people beside its record: pages, and when the lines of its logs came.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MANIFEST, RESOLVED, temporaryFolder, VERDICTS } from './fixture.ts';
import { parseTimes, timesText } from './log-times.ts';
import { readLogs } from './read-logs.ts';
import { readBundle } from './read.ts';
import { createRedactor } from './redact.ts';
import { createBundleWriter } from './write.ts';
import type { FolderBundle } from './write.ts';

const SECRET = 'a-secret-of-somebody';

const create = async (): Promise<FolderBundle> => {
  const redactor = createRedactor();
  redactor.register(SECRET);
  const folder = join(temporaryFolder(), 'bundle');
  return createBundleWriter(folder, { manifest: MANIFEST, scenarioText: 'version: 1\n', resolved: RESOLVED, redactor });
};

const finish = async (bundle: FolderBundle, html?: string): Promise<void> => {
  await bundle.closeTimeline();
  await bundle.writeVerdicts(VERDICTS);
  await bundle.writeReport('# report\n', html);
  await bundle.seal();
};

test('both pages are sealed with it, without secrets, however long they are', async () => {
  const bundle = await create();
  const filler = `${'<td>nothing to hide</td>\n'.repeat(20_000)}`;
  await finish(bundle, `<p>${SECRET}</p>\n${filler}<p>${encodeURIComponent(SECRET)}</p>\n`);
  const page = readFileSync(join(bundle.folder, 'report.html'), 'utf8');
  expect(page).not.toContain(SECRET);
  expect(page.match(/\[redacted\]/g)).toHaveLength(2);
  expect(page).toContain(filler);
  expect((await readBundle(bundle.folder)).isSealed).toBe(true);
  writeFileSync(join(bundle.folder, 'report.html'), `${page} `);
  await expect(readBundle(bundle.folder)).rejects.toThrow('report.html');
});

test('logs come back with when their lines came; what an older bundle has not, is not there', async () => {
  const bundle = await create();
  bundle.log('router', `one\n${SECRET}\nthree\n`);
  bundle.log('worker', 'alone\n');
  await bundle.logTimes?.('router', [{ line: 0, atMs: 200 }, { line: 2, atMs: 600 }]);
  await finish(bundle);
  expect(await readLogs(bundle.folder)).toEqual([
    { name: 'router', text: 'one\n[redacted]\nthree\n', firstLine: 0, times: [{ line: 0, atMs: 200 }, { line: 2, atMs: 600 }] },
    { name: 'worker', text: 'alone\n', firstLine: 0, times: [] },
  ]);
  expect((await readBundle(bundle.folder)).isSealed).toBe(true);
  expect(await readLogs(join(bundle.folder, 'nowhere'))).toEqual([]);
});

test('of a long log the end is read, and how many lines were before it', async () => {
  const bundle = await create();
  bundle.log('router', Array.from({ length: 60_000 }, (_, index) => `line ${index} ${'x'.repeat(40)}\n`).join(''));
  await finish(bundle);
  const [log] = await readLogs(bundle.folder);
  expect(log!.firstLine).toBeGreaterThan(10_000);
  expect(log!.text.startsWith(`line ${log!.firstLine} `)).toBe(true);
  expect(log!.text.endsWith(`line 59999 ${'x'.repeat(40)}\n`)).toBe(true);
});

test('times that are damaged are left out', () => {
  const times = [{ line: 0, atMs: 5 }, { line: 3, atMs: 9.5 }];
  expect(parseTimes(timesText(times))).toEqual(times);
  expect(parseTimes('line\tatMs\nx\t1\n2\t\n4\t7\n')).toEqual([{ line: 4, atMs: 7 }]);
});
