// What a search leaves of its good and its bad neighbour: beside each other, and what else they differ in than what was searched along.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MANIFEST, OBSERVATIONS, RESOLVED, temporaryFolder, VERDICTS } from '../bundle/fixture.ts';
import { createRedactor } from '../bundle/redact.ts';
import { createBundleWriter } from '../bundle/write.ts';
import type { BisectView, Neighbour } from '../reports/bisect/view.ts';
import { writeComparison, writeResult } from './bisect-result.ts';

const writeRun = async (folder: string, name: string, version: string, versions: Readonly<Record<string, string>>): Promise<Neighbour> => {
  const writer = await createBundleWriter(join(folder, name), {
    manifest: { ...MANIFEST, versions: { ...MANIFEST.versions, 'npm http-proxy': version, ...versions } }, scenarioText: '',
    resolved: { ...RESOLVED, run: { ...RESOLVED.run, version, coordinates: { version } } }, redactor: createRedactor(),
  });
  for (const observation of OBSERVATIONS) writer.observe(observation);
  await writer.closeTimeline();
  await writer.writeVerdicts(VERDICTS);
  await writer.seal();
  return { role: name === 'good' ? 'last good' : 'first bad', at: `version=${version}`, about: '', runs: 3, bad: name === 'good' ? 0 : 3, evidence: name };
};

const VIEW: BisectView = {
  scenario: 'disconnect/endless[how=fin]', system: 'http-proxy', runtime: 'process', isBackwards: false, from: 'version=1.17.0', to: 'version=1.18.1', phase: 'over', symptom: null, wantedConfidence: 0.95,
  probes: [], running: [], line: null, grid: null, maxProbes: null, startedAt: MANIFEST.startedAt, updatedAt: MANIFEST.startedAt, result: null, commands: [],
};

it.each([
  ['1.15.6', 'Also different between them: npm follow-redirects (came along) 1.14.0 and 1.15.6.'],
  ['1.14.0', null],
])('a dependency that is %s at the bad neighbour, of another day perhaps', async (dependency, told) => {
  const folder = temporaryFolder();
  const good = await writeRun(folder, 'good', '1.18.0', { 'npm follow-redirects (came along)': '1.14.0' });
  const bad = await writeRun(folder, 'bad', '1.18.1', { 'npm follow-redirects (came along)': dependency });
  const said: string[] = [];
  await writeResult(folder, VIEW, await writeComparison(folder, good, bad, (line) => said.push(line)));
  const [markdown, page] = ['result.md', 'comparison.html'].map((name) => readFileSync(join(folder, name), 'utf8'));
  const { alsoDifferent } = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')) as { readonly alsoDifferent: unknown };
  expect(said).toEqual(told === null ? [] : [told]);
  expect(markdown!.includes('Also different')).toBe(told !== null);
  expect(markdown).toContain(told ?? 'version of npm http-proxy');
  expect(markdown!.includes('version of npm follow-redirects (came along)')).toBe(told !== null);
  expect(page!.includes('version of npm follow-redirects (came along)')).toBe(told !== null);
  expect(alsoDifferent).toEqual(told === null ? [] : [{ name: 'npm follow-redirects (came along)', good: '1.14.0', bad: '1.15.6' }]);
});

it('without evidence of both there is nothing to compare', async () => {
  const folder = temporaryFolder();
  const bad = await writeRun(folder, 'bad', '1.18.1', {});
  expect(await writeComparison(folder, { ...bad, evidence: null }, bad, () => {})).toBeNull();
  await writeResult(folder, VIEW, null);
  expect(JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'))).toMatchObject({ alsoDifferent: [] });
});
