// Keys of accounts and values of --secret reach the system, and never the disk: no file of a bundle holds them, however
// loudly the system prints what it was sent.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundlesOf, FIXTURES, routerCard, runCli, runOf, temporaryFolder } from './test-kit.ts';
import type { Finished } from './test-kit.ts';

const SECRET = 'rv7/Wq2+odd=pA55';
const FORMS = [SECRET, encodeURIComponent(SECRET), Buffer.from(SECRET).toString('base64').replace(/=+$/, ''), `Bearer ${SECRET}`];
/** Keys as the harness makes them. */
const KEY = /sk-[0-9a-f]{20,}/;

const SCENARIO = `version: 1
name: reads to the end and asks its money back
system: { card: ./CARD, settings: { SETTING } }
upstreams: { model: finite }
clients:
  alice: { account: { balance: 1000 }, script: [{ request: chat }, { receive: { until: end, within: 5s } }] }
watch: 500ms
expect: EXPECT
`;

const proxyCard = (bearer: string): string =>
  readFileSync(join(FIXTURES, 'plain-proxy', 'system.yaml'), 'utf8')
    .replace('${card}', join(FIXTURES, 'plain-proxy'))
    .replace('settings:', `accounts: { bearer: "${bearer}" }\nsettings:`);

let folder: string;
let finished: Finished;

beforeAll(async () => {
  folder = temporaryFolder(true);
  const scenarios = join(folder, 'telling');
  mkdirSync(scenarios);
  const router = routerCard([
    ["'${account.keyHash}'", `'${createHash('sha256').update(SECRET).digest('hex')}'`],
    ['bearer: "${account.key}"', 'bearer: "${secret.key}"'],
    ['command: [node, "', 'command: [sh, -c, "echo started with $KEY; exec node $0", "'],
    ['HOST: "${system.address}"', 'HOST: "${system.address}"\n        KEY: "${secret.key}"'],
  ]);
  const cards = { given: proxyCard('${secret.key}'), made: proxyCard('${account.key}'), router };
  for (const [name, card] of Object.entries(cards)) {
    writeFileSync(join(folder, `${name}.card.yaml`), card);
    const [setting, expected] =
      name === 'router'
        ? ['read: 3s', '[accounting-valid, refundable: { client: alice }]']
        : ['fault: tattle', '[stream-complete: { client: alice }]'];
    writeFileSync(
      join(scenarios, `${name}.yaml`),
      SCENARIO.replace('./CARD', `../${name}.card.yaml`).replace('SETTING', setting!).replace('EXPECT', expected!),
    );
  }
  finished = await runCli([scenarios], { folder }, ['--secret', `key=${SECRET}`]);
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));

/** Files of all bundles with their text. */
const files = (): readonly (readonly [string, string])[] =>
  readdirSync(runOf(folder)!.path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => [join(entry.parentPath, entry.name), readFileSync(join(entry.parentPath, entry.name), 'latin1')]);

test('the system was given them: each exchange went through', async () => {
  expect(finished.code, finished.output).toBe(0);
  for (const [id, { timeline }] of await bundlesOf(folder)) {
    expect(
      timeline.of('response-head').map(({ status }) => status),
      id,
    ).toEqual([200, 200]);
  }
});

test('what it printed of them is hidden, and the rest of its log is there', () => {
  const logs = files()
    .filter(([path]) => /logs\/(proxy|router)\.log$/.test(path))
    .map(([, text]) => text);
  expect(logs).toHaveLength(3);
  expect(logs.filter((text) => text.includes('/v1/chat/completions'))).toHaveLength(2);
  expect(logs.some((text) => text.includes('started with [redacted]'))).toBe(true);
});

test('no file of any bundle holds one', () => {
  expect(files().length).toBeGreaterThan(30);
  const found = files().flatMap(([path, text]) =>
    [...FORMS.filter((form) => text.includes(form)), ...(text.match(KEY) ?? [])].map((form) => `${path}: ${form}`),
  );
  expect(found).toEqual([]);
});

test('neither does what is shown', () => {
  const shown = finished.output.split('\n').slice(1).join('\n');
  for (const form of FORMS) expect(shown).not.toContain(form);
});

test('a secret that was not given is told before anything is started', async () => {
  const own = temporaryFolder();
  writeFileSync(join(own, 'card.yaml'), proxyCard('${secret.other}'));
  const { code, output } = await runCli([join(FIXTURES, 'leaves.yaml')], { folder: own }, ['--system', './card.yaml']);
  expect(code, output).toBe(4);
  expect(output).toMatch(/needs the secret "other" \[missing-secret\]\n {2}hint: give it by --secret other=/);
});
