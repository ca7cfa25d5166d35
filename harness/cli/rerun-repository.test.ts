// A card whose repository is a path beside it: run again from wherever, its revisions are found, or it is said that they are not.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MANIFEST, RESOLVED, VERDICTS } from '../bundle/fixture.ts';
import { readBundle } from '../bundle/read.ts';
import type { Bundle } from '../bundle/read.ts';
import { createRedactor } from '../bundle/redact.ts';
import { createBundleWriter } from '../bundle/write.ts';
import { toCardText } from '../plan/asked.ts';
import { ensureSource } from '../systems/axes/source-tree.ts';
import { runCommand } from './program.ts';
import { cardOfThen } from './rerun-card.ts';
import { testTerminal } from './test-terminal.ts';

const CARD = `version: 1
system: small
versions: { from: git, repository: ./proxy, use: main }
run: [ { name: proxy, process: { command: [node, "\${source}/proxy.js"] } } ]
listen: { port: 8000 }
ready: { http: / }
requests: { chat: { method: POST, path: /v1/chat, body: { model: m }, marker: body.user } }
`;

/** A folder in which it was run: the card, its repository, and evidence of it in the folder that is given. */
const ranIn = async (place: string, evidence: string): Promise<Bundle> => {
  mkdirSync(join(place, 'systems'), { recursive: true });
  writeFileSync(join(place, 'systems', 'card.yaml'), CARD);
  execFileSync('git', ['init', '--quiet', '-b', 'main', join(place, 'systems', 'proxy')]);
  execFileSync('git', ['-C', join(place, 'systems', 'proxy'), '-c', 'user.name=nobody', '-c', 'user.email=nobody@example.org', 'commit', '--quiet', '--allow-empty', '-m', 'one']);
  const bundle = await createBundleWriter(evidence, {
    manifest: MANIFEST, scenarioText: 'version: 1\n', cardText: CARD, redactor: createRedactor(),
    resolved: { ...RESOLVED, run: { ...RESOLVED.run, file: 'scenarios/one.yaml', system: './systems/card.yaml', cardHash: toCardText(CARD).hash } },
  });
  await bundle.closeTimeline();
  await bundle.writeVerdicts(VERDICTS);
  await bundle.seal();
  return readBundle(evidence);
};

const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-rerun-repository-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

test('from another folder: the card above the evidence, and the commit of its repository', async () => {
  const [place, elsewhere] = [temporaryFolder(), temporaryFolder()];
  const bundle = await ranIn(place, join(place, 'evidence', 'run-1', 'one'));
  const { card, notes } = await cardOfThen({ bundle, system: null, named: 'none', cwd: elsewhere });
  expect([card.folder, notes]).toEqual([join(place, 'systems'), []]);
  const source = await ensureSource(card, { environment: { ...process.env, XDG_CACHE_HOME: join(elsewhere, 'cache') }, progress: () => {} });
  expect(source!.commit).toMatch(/^[0-9a-f]{40}$/);
  // Another card at that place is not the one.
  writeFileSync(join(place, 'systems', 'card.yaml'), `${CARD}about: another\n`);
  await expect(cardOfThen({ bundle, system: null, named: 'none', cwd: elsewhere })).rejects.toThrow('the repository `./proxy` counts from where the card');
});

test('evidence that lies elsewhere: what is missing is said with what to do, by issue too', async () => {
  const [place, elsewhere] = [temporaryFolder(), temporaryFolder()];
  const bundle = await ranIn(place, join(elsewhere, 'one'));
  const rerun = cardOfThen({ bundle, system: null, named: 'none', cwd: elsewhere });
  await expect(rerun).rejects.toMatchObject({ problems: [{ code: 'unknown-card', hint: expect.stringContaining('--system') as string }] });
  expect((await cardOfThen({ bundle, system: null, named: 'none', cwd: place })).card.folder).toBe(join(place, 'systems'));
  const { terminal, err } = testTerminal({ cwd: elsewhere });
  expect(await runCommand(['issue', 'one', '--no-archive'], terminal)).toBe(0);
  expect(err()).toContain('the card names the repository `./proxy` by a path');
});
