// The README is held to what it says: its commands run, its cards are cards and judge real systems, its
// scenario is the one in the repository, and its tables have every row.
import { copyFileSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { EXIT } from '../model/exit-code.ts';
import { reporters } from '../reports/registry.ts';
import { listCardNames, parseCard } from '../systems/load-card.ts';
import { BILLING, endOf, hangup, ROOT } from './fixtures/real-systems-grid.ts';
import type { Answer } from './fixtures/real-systems-grid.ts';

const RUN_MS = 120_000;
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

const blocks = (language: string): readonly string[] =>
  [...README.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text]) => text!);
const blockWith = (start: string): string => {
  const found = blocks('yaml').filter((text) => text.startsWith(start));
  if (found.length !== 1) throw new Error(`the README has ${found.length} blocks that begin with ${start}`);
  return found[0]!;
};
/** First cells of the table below a heading, without backticks. */
const firstCells = (heading: string): readonly string[] => {
  const section = README.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^\| `?([^|`]+?)`? \|/gm)].map(([, cell]) => cell!).slice(1);
};

const SMALL = blockWith('# their-card.yaml');
const MONEY = blockWith('accounts:');

describe('cards', () => {
  let folder = '';
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'hangup-readme-')));
    copyFileSync(join(import.meta.dirname, 'fixtures', 'plain-proxy', 'proxy.mjs'), join(folder, 'proxy.mjs'));
    writeFileSync(join(folder, 'their-card.yaml'), SMALL);
    writeFileSync(join(folder, 'with-ledger.yaml'), withLedger);
    writeFileSync(join(folder, 'versioned.yaml'), versioned);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  // The reference router's ledger has the columns of the README's card.
  const withLedger = `${SMALL.replace('"${card}/proxy.mjs"', join(ROOT, 'images', 'reference-router', 'start.mjs'))
    .replace('UPSTREAM_URL: "${upstreams.model.url}" }', 'UPSTREAM_URL: "${upstreams.model.url}", LEDGER: "${dir}/ledger.db" }')}${MONEY}`;

  /** The small card, told which versions there are: the README's own come from registries that do not have it. */
  const versioned = SMALL.replace(
    /^run:/m,
    'versions: { from: list, list: ["1.1.0", "1.2", "1.2.0", "1.3", "1.3.0", "1.9.3"], use: "1.9.3" }\naxes:\n  http: { from: list, list: [h11, httptools], use: h11 }\nrun:',
  ).replace('PORT: ', 'VERSION: "${version}", HTTP: "${axis.http}", PORT: ');

  const judge = async (card: string): Promise<Readonly<Record<string, string>>> => {
    const words = ['run', 'scenarios/disconnect/endless.yaml', '--where', 'how=rst', '--system', card];
    const answer = await hangup([...words, '--runtime', 'process', '--reporter', 'json'], folder);
    expect(answer.code, answer.stdout + answer.stderr).toBe(0);
    const { summaries: [summary] } = endOf(answer.stdout);
    return Object.fromEntries(summary!.rows.map((row) => [row.claim, row.outcome]));
  };

  test('are without a mistake, each as far as it is shown', () => {
    expect(parseCard('their-card.yaml', SMALL).problems).toEqual([]);
    expect(parseCard('their-card.yaml', `${SMALL}${MONEY}${blockWith('known:')}`).problems).toEqual([]);
  });

  test('the smallest judges a proxy; of money it says that there is none', async () => {
    expect(await judge('./their-card.yaml')).toEqual({
      ...Object.fromEntries(BILLING.map((claim) => [claim, 'does-not-apply'])),
      'upstream-closed': 'held', 'process-alive': 'held', 'clean-shutdown': 'held',
    });
  }, RUN_MS);

  test('the one with a ledger judges the money too', async () => {
    const outcomes = await judge('./with-ledger.yaml');
    const claims = ['upstream-closed', 'process-alive', 'clean-shutdown', ...BILLING];
    expect(outcomes).toEqual(Object.fromEntries(claims.map((claim) => [claim, 'held'])));
  }, RUN_MS);

  const commands = blocks('sh').join('').split('\n').filter((line) => /^npx hangup (?!bisect|judge|diff|inspect|issue|merge|rerun)/.test(line));

  const ofEvidence = blocks('sh').join('').split('\n').filter((line) => /^npx hangup (judge|diff) /.test(line));

  test.each(ofEvidence)('%s, of a bundle in evidence/golden', async (line) => {
    const golden = join(ROOT, 'evidence', 'golden', 'passed');
    const words = line.split(/ +/).slice(2).map((word) => (word.startsWith('evidence/latest/') ? golden : word));
    expect(words).toContain(golden);
    const answer = await hangup(words, folder);
    expect(answer.code, answer.stdout + answer.stderr).toBe(0);
  }, RUN_MS);

  test('an issue is written, and its archive run again, as is shown', async () => {
    const lines = blocks('sh').join('').split('\n').filter((line) => /^npx hangup (issue|rerun) /.test(line));
    const [issue, rerun] = lines.map((line) => line.replace(/ +#.*$| > .*$/g, '').split(/ +/).slice(2));
    const archive = rerun![1]!;
    // By its own name it would be that of the bundle in the README.
    expect(archive).toBe(`${issue![1]!.split('/').at(-1)}.hangup.zip`);
    const made = await hangup(['issue', join(ROOT, 'evidence', 'golden', 'failed'), '--archive', archive], folder);
    expect(made.code, made.stderr).toBe(0);
    expect(made.stdout).toContain(`npx hangup rerun ${archive}`);
    const again = await hangup(rerun!, folder);
    expect(again.code, again.stdout + again.stderr).toBe(0);
    expect(again.stdout).toContain('The same outcome, and the same of');
  }, RUN_MS);

  test('a search is what it is said to be, on a card that says where its versions come from', async () => {
    const [line] = blocks('sh').join('').split('\n').filter((each) => each.startsWith('npx hangup bisect '));
    const words = line!.split(/ +/).slice(2).map((word) => (word === './their-card.yaml' ? './versioned.yaml' : word));
    const { code, stdout, stderr } = await hangup([...words, '--dry-run'], folder);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('disconnect/endless[how=rst] on their-proxy');
    expect(stdout).toContain('along version: good 1.2.0, bad 1.9.3; 4 values: 1.2.0, 1.3, 1.3.0, 1.9.3');
  });

  test('parts of a run are merged as is shown', async () => {
    const [line] = blocks('sh').join('').split('\n').filter((each) => each.startsWith('npx hangup merge '));
    const words = line!.split(/ +/).slice(2);
    const part = await hangup(['run', 'scenarios/disconnect/finite.yaml', '--runtime', 'process', '--shard', '1/1', '--output', words[1]!], folder);
    expect(part.code, part.stdout + part.stderr).toBe(0);
    const merged = await hangup(words, folder);
    expect(merged.code, merged.stdout + merged.stderr).toBe(0);
    expect(existsSync(join(folder, 'merged', 'index.html'))).toBe(true);
  }, RUN_MS);

  test('inspect looks where it is told, with the options that are shown', async () => {
    const [line] = blocks('sh').join('').split('\n').filter((each) => each.startsWith('npx hangup inspect '));
    const words = line!.split(/ +/).slice(2).map((word) => (word === './card.yaml' ? './with-ledger.yaml' : word));
    const answer = await hangup(words, folder);
    expect(answer.stderr).toContain('there is no database at /var/lib/router/ledger.db');
    expect(answer.code).toBe(3);
  });

  test.each(commands)('%s', async (line) => {
    const written = line.replace(/ +#.*$/, '').split(/ +/).slice(2);
    const words = written.map((word) => (word === './their-card.yaml' && line.includes('--axis') ? './versioned.yaml' : word));
    const answer: Answer = await hangup([...words, ...(['run', 'soak'].includes(words[0]!) ? ['--dry-run'] : [])], folder);
    expect(answer.code, answer.stdout + answer.stderr).toBe(0);
    expect(answer.stdout).not.toBe('');
  }, RUN_MS);
});

describe('what is said', () => {
  test('the scenario is the one in the repository', () => {
    const { saw, ...scenario } = parse(readFileSync(join(ROOT, 'scenarios/disconnect/endless.yaml'), 'utf8')) as Record<string, unknown>;
    expect(parse(blockWith('version: 1\nname: client hangs up'))).toEqual(scenario);
    expect(saw).toBeDefined();
  });

  test('every exit code is in its table, and every card in its', async () => {
    expect(firstCells('Exit codes').map(Number).sort()).toEqual(Object.values(EXIT).sort());
    expect(firstCells('Systems that come with it').toSorted()).toEqual(await listCardNames());
  });

  test('every command is in its table', async () => {
    const { stdout } = await hangup(['--help'], ROOT);
    const known = [...stdout.matchAll(/^ {2}([a-z]+) (?:\[|<|  )/gm)].map(([, name]) => name!).filter((name) => name !== 'help');
    expect(known.length).toBeGreaterThan(4);
    expect(firstCells('Two commands').map((cell) => cell.split(' ')[0]).sort()).toEqual(known.sort());
  });

  test('every reporter is in its table, with its file', () => {
    const section = README.split(/^## /m).find((text) => text.startsWith('In CI\n'))!;
    const told = [...section.matchAll(/^\| `([a-z]+)` \|.*\| (?:`(.*)` )?\|$/gm)].map(([, kind, file]) => [kind, file]);
    expect(told).toEqual(reporters.all.map(({ kind, file }) => [kind, file]));
  });

  test('ports of the playground are those of docker-compose.yml', () => {
    const text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
    const { services } = parse(text) as { services: Record<string, { ports?: string[] }> };
    const ports = Object.entries(services).filter(([name]) => name !== 'router').flatMap(([name, { ports }]) =>
      ports === undefined ? [] : [`${ports[0]!.replace(/^127\.0\.0\.1:\$\{UPSTREAM_PORTS:-900\}(\d):9000$/, '900$1')} ${name}`]);
    const told = [...README.matchAll(/\b(900\d) \| `([a-z-]+)`/g)].map(([, port, name]) => `${port} ${name}`);
    expect(told.sort()).toEqual(ports.sort());
  });

  test('every file that is linked is there', () => {
    const links = [...README.matchAll(/\]\(([^)#]+)\)/g)].map(([, target]) => target!).filter((target) => !/^https?:/.test(target));
    expect(links.length).toBeGreaterThan(4);
    expect(links.filter((target) => !existsSync(join(ROOT, target)))).toEqual([]);
  });
});
