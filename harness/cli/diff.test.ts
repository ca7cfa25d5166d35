// `hangup diff` on bundles: marks that are asked for, marks that are not there, control and unsealed bundles, JSON.
import { expect, it } from 'vitest';
import { archiveBundle } from '../bundle/archive.ts';
import { createRedactor } from '../bundle/redact.ts';
import { createBundleWriter } from '../bundle/write.ts';
import { MANIFEST, OBSERVATIONS, RESOLVED, temporaryFolder, VERDICTS } from '../bundle/fixture.ts';
import { diffBundle } from './diff.ts';
import { runCommand } from './program.ts';
import { testTerminal } from './test-terminal.ts';

const bundle = async ({ isSealed = true, isControl = false } = {}): Promise<string> => {
  const writer = await createBundleWriter(`${temporaryFolder()}/b`, {
    manifest: { ...MANIFEST, isControl }, scenarioText: '', resolved: RESOLVED, redactor: createRedactor(),
  });
  for (const observation of OBSERVATIONS) writer.observe(observation);
  await writer.closeTimeline();
  if (!isSealed) return writer.folder;
  await writer.writeVerdicts(VERDICTS);
  await writer.seal();
  return writer.folder;
};

it('lists the moments, compares two, and one with the end', async () => {
  const folder = await bundle();
  expect((await diffBundle(folder, { from: null, to: null, json: false })).output).toMatch(/gone +1\.5 s +mark, no snapshot +ledger/);
  const two = await diffBundle(folder, { from: 'gone', to: 'end', json: false });
  expect(two).toMatchObject({ exitCode: 0, output: expect.stringContaining('from gone (1.5 s) to end') as string });
  expect(two.output).toContain('reservation 7 (hx.alice.1.00c0ffee) of 1: still active, amount 1000, seen renewed 2 times');
  expect(await diffBundle(folder, { from: 'gone', to: null, json: false })).toEqual(two);
});

it('gives all of it as JSON', async () => {
  const folder = await bundle();
  const listed = JSON.parse((await diffBundle(folder, { from: null, to: null, json: true })).output) as { marks: { mark: string }[] };
  expect(listed.marks.map(({ mark }) => mark)).toEqual(expect.arrayContaining(['gone', 'watched', 'end']));
  const diff: unknown = JSON.parse((await diffBundle(folder, { from: 'gone', to: 'end', json: true })).output);
  expect(diff).toMatchObject({
    scenario: MANIFEST.scenario, from: { mark: 'gone', kind: 'mark', atMs: 1_500 },
    ledger: { accounts: [], reservations: [{ id: '7', renewals: 2, leaseMovedMs: 1_000 }] },
  });
});

it('takes what was never sealed, with a note, and the bundle of a control', async () => {
  const cut = await diffBundle(await bundle({ isSealed: false }), { from: 'gone', to: 'end', json: false });
  expect(cut.output).toMatch(/^Note: the bundle was not sealed/);
  expect(cut.output).toContain('seen renewed 2 times');
  const control = await diffBundle(await bundle({ isControl: true }), { from: null, to: null, json: false });
  expect(control.output).toContain('moments that can be compared');
});

it('names the marks that there are where one is not', async () => {
  const { terminal, out, err } = testTerminal();
  expect(await runCommand(['diff', await bundle(), 'gonee', 'end'], terminal)).toBe(4);
  expect(err()).toMatch(/has no mark "gonee" \[unknown-mark\]\n +hint: did you mean `gone`\? known: /);
  expect(out()).toBe('');
});

it('names an archive by its own path, and not by where it was unpacked', async () => {
  const given = { folder: await bundle(), root: 'b', path: `${temporaryFolder()}/b.zip`, limitBytes: 1_000_000, refs: new Set<string>(), force: false };
  const { path } = await archiveBundle(given);
  const { terminal, err } = testTerminal();
  expect(await runCommand(['diff', path, 'gonee'], terminal)).toBe(4);
  expect(err()).toContain(`${path} has no mark "gonee"`);
});
