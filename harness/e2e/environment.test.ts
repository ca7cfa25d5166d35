// What goes wrong before or beside a run: each is one clear line with a hint and an exit code of its own, everything is
// cleaned up, and what was recorded is kept and can be read.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bundle } from '../bundle/read.ts';
import { complaintOf } from '../runtimes/isolation.ts';
import { bundleFolders, bundlesOf, FIXTURES, nothingLeft, routerCard, runCli, runWords, startCli, temporaryFolder } from './test-kit.ts';
import type { Finished } from './test-kit.ts';

const SCENARIO = `version: 1
name: reads to the end
system: ./CARD
upstreams: { model: finite }
clients:
  alice: { account: { balance: 1000 }, script: [{ request: chat }, { receive: { until: end, within: 5s } }] }
watch: 1 renewal
expect: [accounting-valid, process-alive]
`;

/** Takes the system's port, says so, and stays. */
const SQUATTER = `
  - name: squatter
    process:
      command:
        - node
        - -e
        - require('net').createServer().listen(process.env.PORT, process.env.HOST, () => require('fs').writeFileSync('taken', ''))
      env: { HOST: "\${system.address}", PORT: "\${port}" }
      cwd: "\${dir}"`;

const COMMAND = /command: \[node, ".*"\]\n {6}cwd/;

/** By the file's name: what is wrong with the card. */
const CARDS: Readonly<Record<string, readonly (readonly [string | RegExp, string])[]>> = {
  'port-taken': [
    ['run:', `run:${SQUATTER}`],
    ['command: [node, "', 'command: [sh, -c, "until [ -e taken ]; do sleep 0.05; done; exec node $0", "'],
  ],
  'never-ready': [
    [COMMAND, 'command: [sh, -c, "echo waiting for the moon; exec sleep 300"]\n      cwd'],
    ['within: 30s', 'within: 1s'],
  ],
  'ends-at-once': [[COMMAND, 'command: [sh, -c, "echo no licence was found >&2; exit 9"]\n      cwd']],
  'ledger-path': [['sqlite: "${dir}/ledger.db"', 'sqlite: "${dir}/elsewhere.db"']],
  'ledger-unmade': [
    ['sqlite: "${dir}/ledger.db"', 'sqlite: "${dir}/elsewhere.db"'],
    [/create:\n(?: {4}.*\n)+/, 'create: []\n'],
  ],
  'ledger-query': [
    ['charges: SELECT id, account, amount, marker FROM charges', 'charges: SELECT id, account, amount, marker FROM chargez'],
  ],
  'ledger-column': [['accounts: SELECT id, balance,', 'accounts: SELECT id,']],
  'setup-statement': [['INSERT INTO accounts', 'INSERT INTO customers']],
};

let folder: string;
let finished: Finished;
let bundles: ReadonlyMap<string, Bundle>;

beforeAll(async () => {
  folder = temporaryFolder(true);
  const scenarios = join(folder, 'faulty');
  mkdirSync(scenarios);
  for (const [name, changes] of Object.entries(CARDS)) {
    const cards = join(folder, `${name}.card.yaml`);
    writeFileSync(cards, routerCard(changes));
    writeFileSync(join(scenarios, `${name}.yaml`), SCENARIO.replace('./CARD', `../${name}.card.yaml`));
  }
  finished = await runCli([scenarios], { folder });
  bundles = await bundlesOf(folder);
}, 90_000);

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));

const problemOf = (name: string) => {
  const { verdicts } = bundles.get(`faulty/${name}`)!;
  expect(verdicts!.outcome).toBe('error');
  expect(verdicts!.problems).toHaveLength(1);
  return verdicts!.problems[0]!;
};

describe('a system or card that is wrong', () => {
  test.each([
    ['port-taken', 'system-exited', /router ended before it was ready \(exit 1\)/, /last lines of its log:\n[^]*EADDRINUSE/],
    [
      'never-ready',
      'system-not-ready',
      /was not ready within 1\.0 s: \/v1\/models: /,
      /last lines of its log:\n {2}\| waiting for the moon$/,
    ],
    ['ends-at-once', 'system-exited', /router ended before it was ready \(exit 9\)/, /\| no licence was found$/],
    ['ledger-path', 'setup-failed', /set-up step 1: no database at .*elsewhere\.db/, /INSERT INTO accounts/],
    [
      'ledger-unmade',
      'ledger-unreadable',
      /the ledger cannot be read: no database at .*elsewhere\.db/,
      /ledger\.sqlite is \$\{dir\}\/elsewhere\.db/,
    ],
    ['ledger-query', 'ledger-unreadable', /ledger query "charges": no such table: chargez/, /ledger\.charges is: SELECT .* FROM chargez/],
    [
      'ledger-column',
      'ledger-unreadable',
      /ledger query "accounts": it gives no column "balance"/,
      /ledger\.accounts is: SELECT id, reserved/,
    ],
    ['setup-statement', 'setup-failed', /set-up step 1: .*no such table: customers/, /INSERT INTO customers/],
  ])('%s', (name, code, message, hint) => {
    expect(problemOf(name)).toMatchObject({
      family: 'environment',
      code,
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
    expect(finished.output).toContain(code);
    expect(problemOf(name).message).not.toContain('\n');
  });

  test('all of it is exit 3, and every bundle holds what was recorded', () => {
    expect(finished.code, finished.output).toBe(3);
    expect([...bundles.keys()].filter((id) => id.startsWith('faulty')).sort()).toEqual(
      Object.keys(CARDS)
        .map((name) => `faulty/${name}`)
        .sort(),
    );
    for (const [id, { isSealed, timeline }] of bundles) {
      expect(isSealed, id).toBe(true);
      expect(
        timeline.of('phase').some(({ phase, edge }) => phase === 'prepare' && edge === 'end'),
        id,
      ).toBe(true);
      expect(
        timeline.of('scope-closed').filter(({ outcome }) => outcome !== 'closed'),
        id,
      ).toEqual([]);
    }
  });

  test('what the system printed is in the bundle too', () => {
    expect(readdirSync(join(bundles.get('faulty/never-ready')!.folder, 'logs'))).toContain('router.log');
  });

  test('nothing is left', () => nothingLeft(folder));
});

describe('before anything is started', () => {
  const expectRefusal = (result: Finished, code: number, ...words: readonly (string | RegExp)[]): void => {
    expect(result.code, result.output).toBe(code);
    for (const word of words) expect(result.output).toMatch(word);
    expect(result.output).toContain('hint: ');
    expect(existsSync(join(result.folder, 'evidence')) ? bundleFolders(result.folder) : []).toEqual([]);
  };

  test.each([
    ['a socket', (own: string) => `unix://${own}/no-engine.sock`],
    ['a port', () => 'tcp://127.0.0.1:9'],
  ])(
    'an engine that does not answer at %s',
    async (_, host) => {
      const own = temporaryFolder();
      const result = await startCli(runWords([join(FIXTURES, 'leaves.yaml')], own, [], 'docker'), {
        folder: own,
        env: { DOCKER_HOST: host(own) },
      }).finished;
      expectRefusal(result, 3, /\[runtime-unavailable\]/, host(own));
    },
    30_000,
  );

  test('an upstream that nobody defined', async () => {
    const own = temporaryFolder();
    const scenario = SCENARIO.replace('./CARD', 'reference-router');
    writeFileSync(
      join(own, 'claim.yaml'),
      scenario.replace('accounting-valid', 'upstream-closed: { upstream: modle, after: gone, within: 1s }'),
    );
    writeFileSync(join(own, 'card.yaml'), scenario.replace('model:', 'provider:'));
    const result = await runCli([join(own, 'claim.yaml')], { folder: own });
    expectRefusal(result, 4, /claim\.yaml:\d+:\d+: .*modle/, /did you mean `model`/);
    expectRefusal(await runCli([join(own, 'card.yaml')], { folder: own }), 4, /wants an upstream called `model`/);
  }, 30_000);

  test('a program that is not installed', async () => {
    const own = temporaryFolder();
    writeFileSync(join(own, 'card.yaml'), routerCard([[COMMAND, 'command: [no-such-router]\n      cwd']]));
    expectRefusal(
      await runCli([join(FIXTURES, 'leaves.yaml')], { folder: own }, ['--system', './card.yaml']),
      3,
      /"no-such-router" is not installed/,
    );
  });

  test('a limit of open files that is too low is named by doctor', async () => {
    const result = await startCli(['doctor'], { folder: temporaryFolder(), prefix: ['sh', '-c', 'ulimit -n 256; exec "$@"', 'low'] })
      .finished;
    expect(result.output).toMatch(/poor +open files +at most 256\n +hint: ulimit -n 4096/);
  }, 30_000);
});

test('a full disk ends the run at once, and what fitted on it can be read', async () => {
  const mount = ['unshare', ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']), '--mount'];
  expect(complaintOf(mount[0]!, [...mount.slice(1), 'true'])).toBeNull();
  const own = temporaryFolder();
  mkdirSync(join(own, 'evidence'));
  // The disk lives in the namespace only, so it is copied out of it while it is still there.
  const script = 'mount -t tmpfs -o size=100k tmpfs evidence && { "$@"; code=$?; cp -r evidence kept; exit $code; }';
  const result = await startCli(runWords([join(FIXTURES, 'leaves.yaml')], own), {
    folder: own,
    prefix: [...mount, 'sh', '-c', script, 'disk'],
  }).finished;
  expect(result.code, result.output).toBe(3);
  expect(result.output).toMatch(/disk-full: no space left on the disk of .*\n +hint: make room/);
  const [run] = readdirSync(join(own, 'kept')).filter((name) => !['latest', 'last-run.json'].includes(name));
  const judged = await startCli(['judge', join(own, 'kept', run!, 'fixtures-leaves')], { folder: own }).finished;
  expect(judged.output).toContain('Note: the bundle was not sealed');
  expect(judged.code, judged.output).toBe(3);
  await nothingLeft(own);
}, 60_000);
