// `hangup explain`: its words, its JSON, its exit codes, and that nothing is started.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scenarioWith } from '../scenario/test-scenario.ts';
import type { Explanation } from '../plan/explanation.ts';
import { runCommand } from './program.ts';
import { testTerminal } from './test-terminal.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hangup-explain-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const explain = async (...argv: readonly string[]) => {
  const words = ['explain', ...argv, ...(argv.includes('--runtime') ? [] : ['--runtime', 'process'])];
  const { terminal, out, err } = testTerminal({ argv: words, cwd: folder });
  return { code: await runCommand(words, terminal), out: out(), err: err() };
};

test('one scenario: phases, acts, marks, probes, control, bounds, settings and claims, in words', async () => {
  const { code, out, err } = await explain('scenarios/disconnect/endless.yaml', '--where', 'how=fin');
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^disconnect\/endless\[how=fin\]: client hangs up/);
  const titles = ['Phases', 'What is done', 'Marks', 'Probes', 'Control', 'Periods', 'Bounds', 'Claims', 'Every claim is inconclusive if'];
  for (const title of titles) expect(out).toMatch(new RegExp(`^${title}:$`, 'm'));
  expect(out).toMatch(/^ {2}watch +1\.5 s +1\.5 s .* scenario +watch: 3 renewals/m);
  expect(out).toMatch(/^ {2}client alice +disconnect: \{ how: fin \} +sets mark gone$/m);
  expect(out).toMatch(/^ {2}upstream-closed\n {4}due 2\.0 s after mark gone \(decided by the scenario\), .* at the latest\n/m);
  expect(out).toMatch(/its client stays for/);
  expect(out.match(/a fault did not fire/g)).toHaveLength(1);
  expect(out).not.toMatch(/undefined|NaN|\[object/);
  expect(await readdir(folder)).toEqual([]);
});

test('another system, a defect, and a card that cannot show it', async () => {
  const planted = await explain('scenarios/disconnect/endless.yaml', '--where', 'how=rst', '--defect', 'ignores-disconnect');
  expect(planted.out).toMatch(/ with ignores-disconnect\n/);
  expect(planted.out).toMatch(/must be violated here by: ignores-disconnect/);
  const other = await explain('scenarios/disconnect/endless.yaml', '--where', 'how=rst', '--system', 'haproxy');
  expect(other.out).toMatch(/renewal-stopped\n {4}does not apply: the card has no ledger\n/);
});

test('--json is the same as data', async () => {
  const { code, out } = await explain('scenarios/disconnect/endless.yaml', '--json');
  const all = JSON.parse(out) as readonly Explanation[];
  expect(code).toBe(0);
  expect(all.length).toBeGreaterThan(1);
  for (const { phases, claims, control } of all) {
    expect(phases.map(({ phase }) => phase)).toContain('settle');
    expect(claims.every(({ notApplicable, needs }) => (notApplicable === null) === (needs !== undefined))).toBe(true);
    expect(control.staysMs).toBeGreaterThan(0);
  }
});

test('names of claims are shown, and exit codes say what was wrong', async () => {
  const file = join(folder, 'mine.yaml');
  await writeFile(
    file,
    scenarioWith({ expect: 'expect: [ { upstream-closed: { upstream: model, after: gone, within: 2s }, as: "(1) it is stopped" } ]' }),
  );
  expect((await explain(file)).out).toMatch(/^ {2}upstream-closed, \(1\) it is stopped$/m);
  expect(await explain(file, '--tag', 'none')).toMatchObject({ code: 5, out: '' });
  await writeFile(file, scenarioWith({ name: 'nam: x' }));
  expect(await explain(file)).toMatchObject({ code: 4, out: '', err: expect.stringContaining('unknown-key') });
  expect((await explain()).code).toBe(4);
  expect((await explain(file, '--runtime', 'nowhere')).code).toBe(4);
  expect((await explain(join(folder, 'absent.yaml'))).code).toBe(4);
});
