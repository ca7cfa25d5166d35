// Set-up steps against a real server and a real database, through what the probes' process does with them.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { ProblemError } from '../model/problem.ts';
import type { Send } from '../model/protocol.ts';
import { requestOnce } from '../probes/http-request.ts';
import { runSql } from '../probes/sql.ts';
import type { SetupStep } from './card.ts';
import { cardWith, METERED } from './fixture.ts';
import { runSetup } from './setup.ts';

const send: Send = (to, command) => {
  const what = command as Record<string, unknown>;
  if (to !== 'probes') throw new Error(`nothing is asked of ${to}`);
  return what.do === 'sql' ? runSql(String(what.path), what.statements as never) : requestOnce(what as never);
};

type Seen = { readonly method: string; readonly url: string; readonly headers: IncomingMessage['headers']; readonly body: string };

const serve = async (answer: (seen: Seen, response: ServerResponse) => void): Promise<{ baseUrl: string; seen: Seen[] }> => {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request
      .on('data', (chunk: Buffer) => (body += chunk.toString('utf8')))
      .on('end', () => {
        const one = { method: request.method!, url: request.url!, headers: request.headers, body };
        seen.push(one);
        answer(one, response);
      });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
};

const stepsOf = (text: string): readonly SetupStep[] => cardWith({ ...METERED, setup: `setup: ${text}` }).setup;
const run = (text: string, baseUrl: string, ledgerPath: string | null = null, values = {}) =>
  runSetup(stepsOf(text), values, { card: cardWith(), send, baseUrl, ledgerPath, restart: async () => {} });

const problemOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProblemError)) throw new Error(`not a problem: ${String(error)}`);
  return error.problems[0]!;
};

const database = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-setup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'ledger.db');
  const opened = new DatabaseSync(path);
  opened.exec('CREATE TABLE accounts (id TEXT)');
  opened.close();
  return path;
};

test('captures go on into later steps; bodies are JSON and say so, a text is sent as it is', async () => {
  const { baseUrl, seen } = await serve(({ url }, response) =>
    response.end(url === '/login' ? '{"keys":[{"token":"t-1"}],"n":3}' : 'not json'),
  );
  const values = await run(
    '[ { request: { method: POST, path: /login, body: { user: "${dir}" }, capture: { token: "$.keys[0].token", n: $.n } } }, ' +
      '{ request: { method: PUT, path: "/x/${token}", headers: { authorization: "Bearer ${token}" }, body: "n=${n}" } } ]',
    baseUrl,
    null,
    { dir: 'a1' },
  );
  expect(values).toEqual({ dir: 'a1', token: 't-1', n: '3' });
  expect(seen.map(({ method, url, body }) => [method, url, body])).toEqual([
    ['POST', '/login', '{"user":"a1"}'],
    ['PUT', '/x/t-1', 'n=3'],
  ]);
  expect(seen[0]!.headers['content-type']).toBe('application/json');
  expect(seen[1]!.headers.authorization).toBe('Bearer t-1');
});

test('cookies are kept by name from one request to the next', async () => {
  const cookies: Record<string, string[]> = { '/a': ['session=1; Path=/; HttpOnly', 'lang=en'], '/b': ['csrf=2', 'session=3'] };
  const { baseUrl, seen } = await serve(({ url }, response) => response.setHeader('set-cookie', cookies[url] ?? []).end('{}'));
  await run(
    '[ { request: { method: GET, path: /a } }, { request: { method: GET, path: /b } }, { request: { method: GET, path: /c } } ]',
    baseUrl,
  );
  expect(seen.map(({ headers }) => headers.cookie)).toEqual([undefined, 'session=1; lang=en', 'session=3; lang=en; csrf=2']);
});

test.each([
  ['a status that was not declared', '{ request: { method: GET, path: /no } }', 'GET /no answered 404', 'nowhere'],
  [
    'something to capture in what is no JSON',
    '{ request: { method: GET, path: /text, capture: { a: $.a } } }',
    'the answer is not JSON',
    'plain',
  ],
  ['a capture that is not there', '{ request: { method: GET, path: /json, capture: { a: $.b } } }', 'the answer has no $.b', '{"a":{}}'],
  [
    'a capture that is no text',
    '{ request: { method: GET, path: /json, capture: { a: $.a } } }',
    'the answer has no $.a that is a text or a number',
    '{"a":{}}',
  ],
  ['a capture by no path', '{ request: { method: GET, path: /json, capture: { a: $a } } }', 'is not a path', undefined],
])('%s is a failed set-up, with what was answered', async (_, step, message, hint) => {
  const { baseUrl } = await serve(({ url }, response) => {
    response.statusCode = url === '/no' ? 404 : 200;
    response.end(url === '/no' ? 'nowhere' : url === '/json' ? '{"a":{}}' : 'plain');
  });
  const problem = await problemOf(run(`[ ${step} ]`, baseUrl));
  expect(problem).toMatchObject({ family: 'environment', code: 'setup-failed', message: expect.stringContaining(message) });
  expect(problem.message).toMatch(/system\.yaml: set-up step 1: /);
  expect(problem.hint).toBe(hint);
});

test('a status that was declared is done', async () => {
  const { baseUrl } = await serve((_, response) => response.writeHead(409).end('there already'));
  expect(await run('[ { request: { method: POST, path: /, expect: [201, 409] } } ]', baseUrl)).toEqual({});
});

test('a system that does not answer is a failed set-up too, and no fault of ours', async () => {
  const problem = await problemOf(run('[ { request: { method: GET, path: /x } } ]', 'http://127.0.0.1:1'));
  expect(problem).toMatchObject({
    family: 'environment',
    code: 'setup-failed',
    message: expect.stringContaining('GET http://127.0.0.1:1/x: connect ECONNREFUSED'),
  });
});

test("statements are written; the database's message names what is wrong, the hint the card's own words", async () => {
  const path = database();
  await run('[ { sql: "INSERT INTO accounts (id) VALUES (\'${dir}\')" } ]', '', path, { dir: 'a1' });
  const opened = new DatabaseSync(path, { readOnly: true });
  onTestFinished(() => opened.close());
  expect(opened.prepare('SELECT id FROM accounts').all()).toEqual([{ id: 'a1' }]);
  const problem = await problemOf(run('[ { sql: "INSERT INTO acounts (id) VALUES (\'${dir}\')" } ]', '', path, { dir: 'secret' }));
  expect(problem).toMatchObject({ code: 'setup-failed', message: expect.stringContaining('no such table: acounts') });
  expect(problem.hint).toBe("INSERT INTO acounts (id) VALUES ('${dir}')");
  expect(`${problem.message}${problem.hint}`).not.toContain('secret');
});

test('statements need a ledger', async () => {
  const context = { card: cardWith(), send, baseUrl: '', ledgerPath: null, restart: async () => {} };
  expect((await problemOf(runSetup([{ sql: 'SELECT 1' }], {}, context))).code).toBe('no-ledger');
});

test('a restart comes in its turn, and what is captured stays', async () => {
  const { baseUrl, seen } = await serve((_, response) => response.end('{"token":"t"}'));
  const order: string[] = [];
  const restart = async (process: string): Promise<void> => void order.push(`${process} after ${seen.length}`);
  const steps = stepsOf('[ { request: { method: POST, path: /a, capture: { token: $.token } } }, { restart: proxy }, { request: { method: POST, path: "/${token}" } } ]');
  const values = await runSetup(steps, {}, { card: cardWith(), send, baseUrl, ledgerPath: null, restart });
  expect(order).toEqual(['proxy after 1']);
  expect(values).toEqual({ token: 't' });
  expect(seen.map(({ url }) => url)).toEqual(['/a', '/t']);
});
