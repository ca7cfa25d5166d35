// The HTTP view and the bounded request below it, against a real server that misbehaves.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { requestOnce } from './http-request.ts';
import { definition, selectPath } from './http.ts';

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

it('selects fields of a JSON page', async () => {
  const url = await serve((_, response) => response.end('{"pool":{"idle":3,"workers":[{"state":"held"}]}}'));
  const view = definition.open({ url, select: { idle: '$.pool.idle', first: '$.pool.workers[0].state', none: '$.pool.busy.now' } });
  expect(await view.sample()).toEqual({ status: 200, fields: { idle: 3, first: 'held', none: null } });
});

it('says so when the page is not JSON, but takes its status where no field is wanted', async () => {
  const url = await serve((_, response) => response.writeHead(503).end('<h1>busy'));
  await expect(definition.open({ url, select: { idle: '$.idle' } }).sample()).rejects.toThrow('not JSON, it begins with "<h1>busy"');
  expect(await definition.open({ url }).sample()).toEqual({ status: 503, fields: {} });
});

it('refuses a path that it does not understand, and reads nothing inherited', () => {
  expect(() => selectPath({}, 'idle')).toThrow('"idle" is not a path');
  expect(() => selectPath({}, '$..idle')).toThrow('is not a path');
  expect(selectPath({}, '$.constructor')).toBe(null);
});

it('sends method, headers and body, and returns the answer as it is', async () => {
  const url = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => {
      response.writeHead(302, { location: '/elsewhere', 'set-cookie': ['a=1', 'b=2'] });
      response.end(`${request.method} ${request.headers['x-name']} ${request.headers['content-length']} ${Buffer.concat(chunks)}`);
    });
  });
  const answer = await requestOnce({ method: 'POST', url, headers: { 'x-name': 'value' }, body: 'ä' });
  expect(answer).toMatchObject({
    status: 302, body: 'POST value 2 ä', cut: false, headers: { location: '/elsewhere', 'set-cookie': ['a=1', 'b=2'] },
  });
});

it('keeps no connection open afterwards', async () => {
  let closed: Promise<unknown> | undefined;
  const url = await serve((request, response) => {
    closed = once(request.socket, 'close');
    response.end('ok');
  });
  await requestOnce({ url });
  await closed;
});

it('gives up on an answer that never ends', async () => {
  const url = await serve((_, response) => void response.write('some'));
  await expect(requestOnce({ url, limitMs: 60 })).rejects.toMatchObject({
    code: 'timed-out', message: `GET ${url}: no complete answer within 60 ms`,
  });
});

it('cuts an answer that is too long', async () => {
  const url = await serve((_, response) => {
    const more = (): void => {
      while (response.write('x'.repeat(10_000)));
    };
    response.on('drain', more);
    more();
  });
  const answer = await requestOnce({ url, maximumBytes: 25_000 });
  expect(answer.cut).toBe(true);
  expect(answer.body).toHaveLength(25_000);
});

it('names what could not be reached', async () => {
  const url = await serve(() => {});
  const port = new URL(url).port;
  const free = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const taken = (server.address() as AddressInfo).port;
      server.close(() => resolve(taken));
    });
  });
  expect(String(free)).not.toBe(port);
  await expect(requestOnce({ url: `http://127.0.0.1:${free}/` })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await expect(requestOnce({ url: 'https://127.0.0.1/' })).rejects.toMatchObject({ code: 'invalid-url' });
});
