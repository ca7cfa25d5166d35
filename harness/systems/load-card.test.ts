import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ProblemError } from '../model/problem.ts';
import { listCardNames, loadCard, parseCard } from './load-card.ts';

const SMALL = `version: 1
system: small
run:
  - name: proxy
    process: { command: [node, "\${card}/proxy.js", 8], env: { PORT: "\${port}", UPSTREAM: "\${upstreams.model.url}", LOUD: true } }
listen: { port: 8000 }
ready: { http: / }
requests: { chat: { method: POST, path: /v1/chat/completions, body: { model: m }, marker: body.user } }
`;

const FULL = `version: 1
system: full
about: every part of a card
versions: { from: npm, package: full, use: 1.2.3 }
install: { npm: ["full@\${version}"], apt: [sqlite3] }
files: { config.json: '{"upstream":"\${upstreams.model.address}"}' }
run:
  - name: store
    docker: { image: "redis:7" }
  - name: router
    process: { command: [node, main.js], cwd: "\${dir}" }
    docker: { image: "full:\${version}", build: { context: ., args: { A: 1 } }, init: false }
    stop: { signal: SIGINT, grace: 2s, exit: [0] }
listen: { port: 8000, on: router }
ready: { http: /health, contains: ok, within: 5s }
weight: { cpu: 0.5, memory: 64MiB }
setup:
  - request: { method: POST, path: /login, body: {}, capture: { token: $.token } }
  - sql: INSERT INTO settings VALUES ('a', 1)
  - restart: router
requests:
  chat: { method: POST, path: /chat, headers: { x-token: "\${token}", authorization: "Bearer \${account.key}" }, marker: header.x-id }
accounts: { create: [{ sql: "VALUES ('\${account.id}', '\${account.keyHash}', \${account.balance})" }], bearer: "\${account.key}" }
periods: { renewal: 500ms, lease: 1500ms }
bounds: { read: 3s, lifetime: 6s }
price: { per-event: 1 }
policy: { on-disconnect: drain, half-close: serve, partial-billing: nothing }
settings: { read: { env: READ_MS, unit: ms }, mode: { env: MODE } }
ledger:
  sqlite: "\${dir}/ledger.db"
  accounts: SELECT id, balance, reserved, spent FROM accounts
  terminal: [done]
  insert:
    row: ["INSERT INTO r VALUES ('\${row.id}', '\${row.account}', \${row.amount}, \${row.leaseAtMs}, \${row.startedAtMs})"]
    aggregate: ["UPDATE a SET r = r + \${aggregate.amount}, at = \${aggregate.reservedAtMs} WHERE id = '\${aggregate.account}'"]
refund: { request: { method: POST, path: /refund }, accepted: { status: [200] }, refused: { status: [400, 409] } }
defects: { env: DEFECTS, presets: { seed: [a-b, c] } }
known: [{ scenario: disconnect/endless, violates: [upstream-closed], versions: "<=1.2.3", issue: "#7" }]
`;

const problemsIn = (text: string): readonly string[] =>
  parseCard('card.yaml', text).problems.map(({ code, location, hint }) => `${code} ${location?.line}:${location?.column} ${hint ?? ''}`);

describe('a card', () => {
  test('the smallest: a command, a port, its upstream, one request', () => {
    const { card, problems } = parseCard('/somewhere/card.yaml', SMALL);
    expect(problems).toEqual([]);
    expect(card).toMatchObject({
      file: '/somewhere/card.yaml', folder: '/somewhere', version: null, versions: null, listen: { port: 8000, on: 'proxy' },
      run: [{
        name: 'proxy', process: { command: ['node', '${card}/proxy.js', '8'], env: { LOUD: 'true' } },
        stop: { signal: 'SIGTERM', grace: { ms: 10_000 }, exit: [0, 143] },
      }],
      ready: { http: '/', within: { ms: 30_000 } }, weight: { cpu: 1, memoryBytes: 256 * 1024 ** 2 },
      policy: { onDisconnect: 'cancel', halfClose: 'abort', partialBilling: 'delivered' },
      accounts: null, ledger: null, refund: null, defects: null, price: null, known: [], setup: [], periods: {}, bounds: {}, settings: {},
    });
    expect(Object.isFrozen(card!.run[0]!.process!.command)).toBe(true);
  });

  test('everything at once', () => {
    const { card, problems } = parseCard('/somewhere/card.yaml', FULL);
    expect(problems).toEqual([]);
    expect(card).toMatchObject({
      version: '1.2.3', versions: { from: 'npm', package: 'full' }, install: { npm: ['full@${version}'], apt: ['sqlite3'] },
      run: [
        { name: 'store', docker: { init: true } },
        { name: 'router', docker: { init: false, build: { context: '.', args: { A: '1' } } }, stop: { signal: 'SIGINT', exit: [0] } },
      ],
      setup: [{ request: { capture: { token: '$.token' } } }, { sql: expect.stringContaining('INSERT') }, { restart: 'router' }],
      price: { perRequest: 0, perEvent: 1 }, policy: { onDisconnect: 'drain', halfClose: 'serve', partialBilling: 'nothing' },
      settings: { read: { env: 'READ_MS', unit: 'ms' }, mode: { env: 'MODE', unit: 'none' } },
      periods: { renewal: { ms: 500 }, lease: { ms: 1500 } }, ledger: { terminal: ['done'] },
      refund: { refused: { status: [400, 409] } }, defects: { env: 'DEFECTS', presets: { seed: ['a-b', 'c'] } },
    });
  });

  const change = (from: string, to: string, text = FULL): string => {
    expect(text).toContain(from);
    return text.replace(from, to);
  };
  test.each([
    ['an unknown key', change('listen:', 'lisen:'), /^unknown-key 14:1 did you mean `listen`/],
    ['an unknown key inside', change('grace: 2s', 'garce: 2s'), /^unknown-key 13:29 did you mean `grace`/],
    ['a reference that is not known', change('${dir}/ledger.db', '${dri}/ledger.db'), /^unknown-reference 30:12 did you mean `dir`/],
    ['an account in the ledger\'s statements', change('${row.id}', '${account.id}'), /^unknown-reference 34:35 .*row\.id/],
    ['a row in the statements of totals', change('${aggregate.amount}', '${row.amount}'), /^unknown-reference 35:39 .*aggregate\.amount/],
    ['a row outside them', change('authorization: "Bearer ${account.key}"', 'authorization: "Bearer ${row.id}"'),
      /^unknown-reference 22:93/],
    ['a marker where there is no exchange', change('FROM accounts', 'FROM ${marker}'), /^unknown-reference 31:54/],
    ['a version that is not given', change(', use: 1.2.3', ''), /^unknown-reference 5:24 give the version/],
    ['a port that nobody serves', change('on: router', 'on: rooter'), /^unknown-name 14:27 did you mean `router`/],
    ['a restart of nobody', change('restart: router', 'restart: rotuer'), /^unknown-name 20:14 did you mean `router`/],
    ['a process that is neither', change('docker: { image: "redis:7" }', 'stop: { grace: 1s }'), /^missing-key 8:5 write process/],
    ['two processes of one name', change('name: store', 'name: router'), /^bad-value 10:11 give each/],
    ['a statement without ledger', change('ready: { http: / }', 'ready: { http: / }\nsetup: [{ sql: SELECT 1 }]', SMALL),
      /^missing-key 8:11 add `ledger/],
    ['a marker in a body that is none', change('body: { model: m }, ', '', SMALL), /^bad-value 8:71 give the request a body/],
    ['a marker nowhere', change('marker: body.user', 'marker: cookie.user', SMALL), /^bad-value 8:91/],
    ['a step that is none', change('- restart: router', '- reboot: router'), /^not-one-key 20:5 a step is one of/],
    ['a step that is two', change('- restart: router', '- restart: router\n    sql: SELECT 1'), /^unknown-key 20:5 known: sql/],
    ['a bad duration', change('read: 3s', 'read: 3'), /^bad-duration 25:17 write 500ms/],
    ['a bad size', change('64MiB', '64mb'), /^bad-size 16:29 write 64KiB/],
    ['an unknown bound', change('bounds: { read', 'bounds: { reed'), /^unknown-key 25:11 did you mean `read`/],
  ])('%s', (_, text, expected) => {
    expect(problemsIn(text)).toContainEqual(expect.stringMatching(expected));
  });

  test('a build of anything but the versions would be run by nobody; commits without one may be an axis', () => {
    const plugin = (more: string): string => change('ready: { http: / }', `ready: { http: / }\naxes: { plugin: { from: git, repository: ../plugin, use: main${more} } }`, SMALL);
    expect(problemsIn(plugin(''))).toEqual([]);
    expect(problemsIn(plugin(', build: [[npm, ci]]'))).toEqual([expect.stringMatching(/^bad-value 8:\d+ make it `versions`, or leave build out/)]);
    expect(problemsIn(change('ready: { http: / }', 'ready: { http: / }\nversions: { from: git, repository: ../proxy, use: main, build: [[npm, ci]] }', SMALL))).toEqual([]);
  });

  test('all problems come at once', () => {
    const mistakes = [['listen:', 'lisen:'], ['64MiB', '64mb'], ['${dir}/l', '${dri}/l'], ['restart: ', 'restart: no']] as const;
    const text = mistakes.reduce((changed, [from, to]) => change(from, to, changed), FULL);
    const codes = problemsIn(text).map((line) => line.split(' ')[0]);
    expect(codes).toEqual(['missing-key', 'unknown-key', 'bad-size', 'unknown-name', 'unknown-reference']);
  });
});

describe('finding a card', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hangup-card-'));
    await writeFile(join(folder, 'system.yaml'), SMALL);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('by path, by folder, and relative to the scenario', async () => {
    expect((await loadCard(join(folder, 'system.yaml'))).system).toBe('small');
    expect((await loadCard(folder)).folder).toBe(folder);
    expect((await loadCard('./system.yaml', folder)).system).toBe('small');
  });

  test('by name', async () => {
    expect(await listCardNames()).toContain('reference-router');
    expect((await loadCard('reference-router')).system).toBe('reference-router');
  });

  test('one that does not exist', async () => {
    const problem = await loadCard('refrence-router').catch((error: unknown) => (error as ProblemError).problems[0]);
    expect(problem).toMatchObject({ code: 'unknown-card', hint: expect.stringContaining('did you mean `reference-router`?') });
    await expect(loadCard('./nothing.yaml', folder)).rejects.toThrow('there is no card `./nothing.yaml`');
  });

  test('one with problems throws them all', async () => {
    await writeFile(join(folder, 'bad.yaml'), SMALL.replace('8000', 'http').replace('ready', 'redy'));
    const problems = [{ code: 'missing-key' }, { code: 'wrong-type' }, { code: 'unknown-key' }];
    await expect(loadCard('./bad.yaml', folder)).rejects.toMatchObject({ problems });
  });
});
