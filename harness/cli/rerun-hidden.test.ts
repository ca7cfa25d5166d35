// Running again from evidence in which something was hidden: what is only a reference never is, what cannot be had is said before anything is
// started, and by `issue` before the evidence is handed on.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MANIFEST, RESOLVED, VERDICTS } from '../bundle/fixture.ts';
import { readBundle } from '../bundle/read.ts';
import type { Bundle } from '../bundle/read.ts';
import { createRedactor } from '../bundle/redact.ts';
import { createBundleWriter } from '../bundle/write.ts';
import { toCardText } from '../plan/asked.ts';
import { runCommand } from './program.ts';
import { cardOfThen } from './rerun-card.ts';
import { cellOfThen, hiddenVariables } from './rerun-cell.ts';
import { testTerminal } from './test-terminal.ts';

const cardWithKey = (key: string): string => `version: 1
system: small
run: [ { name: proxy, process: { command: [node, proxy.js] } } ]
listen: { port: 8000 }
ready: { http: / }
requests:
  chat: { method: POST, path: /v1/chat, headers: { x-api-key: "${key}", authorization: "Bearer \${account.key}" }, body: { model: m }, marker: body.user }
`;

type Parts = { readonly cardText?: string; readonly scenarioText?: string; readonly variables?: Readonly<Record<string, string>> };

/** As a run would write it, in a folder of its own. */
const evidenceOf = async ({ cardText = cardWithKey('${account.key}'), scenarioText = 'version: 1\n', variables = {} }: Parts): Promise<Bundle> => {
  const cwd = mkdtempSync(join(tmpdir(), 'hangup-rerun-hidden-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const run = { ...RESOLVED.run, file: 'scenarios/one.yaml', system: './card.yaml', cardHash: toCardText(cardText).hash, variables };
  const bundle = await createBundleWriter(join(cwd, 'one'), { manifest: MANIFEST, scenarioText, cardText, redactor: createRedactor(), resolved: { ...RESOLVED, run } });
  await bundle.closeTimeline();
  await bundle.writeVerdicts(VERDICTS);
  await bundle.seal();
  return readBundle(join(cwd, 'one'));
};

const warningsOf = async ({ folder }: Bundle): Promise<readonly string[]> => {
  const { terminal, err } = testTerminal({ cwd: folder });
  expect(await runCommand(['issue', folder, '--no-archive'], terminal), err()).toBe(0);
  return err().split('\n').filter((line) => line.startsWith('warning: '));
};

const cardOf = (bundle: Bundle) => cardOfThen({ bundle, system: null, named: 'none', cwd: bundle.folder });

test('a card whose headers are only references is in the evidence as it was, and enough', async () => {
  const bundle = await evidenceOf({});
  const { card, text } = await cardOf(bundle);
  expect([card.system, text.text]).toEqual(['small', cardWithKey('${account.key}')]);
  expect(await warningsOf(bundle)).toEqual([]);
});

test('a card with a key of its own is not, which is said before it is handed on', async () => {
  const bundle = await evidenceOf({ cardText: cardWithKey('static-Api-Key-1') });
  expect(bundle.cardText).toBe(cardWithKey('[redacted]'));
  await expect(cardOf(bundle)).rejects.toMatchObject({ problems: [{ code: 'unknown-card' }] });
  expect(await warningsOf(bundle)).toEqual([expect.stringMatching(/^warning: something in the card was hidden: .*--system/)]);
});

test('a variable that was hidden is not filled in by what stands in its place', async () => {
  const variables = { cookie: 'huge', url: 'http://user:hunter22@proxy/', size: 'huge' };
  const chosen = { runtime: { kind: 'process' }, isolation: 'namespace', why: '' } as unknown as Parameters<typeof cellOfThen>[0]['chosen'];
  const bundle = await evidenceOf({ variables, scenarioText: 'version: 1\nname: a ${cookie} of ${size}, ${url}\n' });
  await expect(cellOfThen({ bundle, chosen, secrets: {}, system: null, cwd: bundle.folder })).rejects.toMatchObject({
    problems: [{ code: 'not-rerunnable', message: expect.stringContaining('the variable `cookie` was hidden') as string, hint: expect.stringContaining('--var cookie=') as string }],
  });
  const given = (names: Readonly<Record<string, string>>) => cellOfThen({ bundle, chosen, secrets: {}, variables: names, system: null, cwd: bundle.folder });
  await expect(given({ cookie: 'huge' })).rejects.toMatchObject({ problems: [{ code: 'not-rerunnable', message: expect.stringContaining('`url`') as string }] });
  await expect(given({ cookie: 'huge', url: 'http://user:hunter22@proxy/', size: 'small' })).rejects.toMatchObject({
    problems: [{ code: 'bad-option', message: expect.stringContaining('--var size') as string, hint: 'hidden were: cookie, url' }],
  });
  // Given whole, what is wrong next is what the stored scenario lacks.
  await expect(given({ cookie: 'huge', url: 'http://user:hunter22@proxy/' })).rejects.not.toMatchObject({ problems: [{ code: 'not-rerunnable', message: expect.stringContaining('hidden') as string }] });
  expect(hiddenVariables(bundle)).toEqual(['cookie', 'url']);
  expect((await warningsOf(bundle)).map((line) => line.split('`')[1])).toEqual(['cookie', 'url']);
  // What this scenario does not use was given for another one.
  expect(hiddenVariables(await evidenceOf({ variables, scenarioText: 'version: 1\nname: of ${size} cookie\n' }))).toEqual([]);
});
