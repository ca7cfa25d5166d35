// A log whose connection is cut loses nothing, and has nothing twice.
import type { ServerResponse } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { followLog } from './docker-log.ts';
import { engineOfTest } from './fixtures/engine-of-test.ts';
import type { Answer } from './fixtures/engine-socket.ts';
import { eventually } from './fixtures/wait.ts';

/** As engines send what a container without a terminal prints: which stream, and how many bytes there are. */
const frame = (stream: 1 | 2, text: string): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt8(stream, 0);
  head.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([head, Buffer.from(text)]);
};
const printed = [frame(1, 'one\n'), frame(2, 'two\n'), frame(1, 'three\n'), frame(1, 'four\n')];
/** All up to there, and then what the test says. */
const saying = (count: number, then: (response: ServerResponse) => void): Answer => (response) => {
  response.writeHead(200, { 'content-type': 'application/vnd.docker.raw-stream' });
  response.write(Buffer.concat(printed.slice(0, count)), () => then(response));
};
const cut = (response: ServerResponse): void => void response.destroy();

const answers: Answer[] = [];
const { engine, close } = await engineOfTest((asked) => (asked === 'GET /containers/c/logs' ? answers.shift() : undefined));
afterAll(close);

test('cut twice, the second time before anything new had come', async () => {
  answers.push(saying(2, cut), saying(1, cut), 'cut', saying(4, (response) => response.end()));
  const log = await followLog(engine, engine.getContainer('c'));
  await eventually('the last line', () => log.bytes() === 'one\ntwo\nthree\nfour\n'.length);
  await log.complete();
  expect(log.read(1_000)).toBe('one\ntwo\nthree\nfour\n');
  expect(answers).toEqual([]);
});

test('one that has ended in order is not asked for again', async () => {
  answers.push(saying(3, (response) => response.end()), saying(4, cut));
  const log = await followLog(engine, engine.getContainer('c'));
  await log.complete();
  expect(log.read(1_000)).toBe('one\ntwo\nthree\n');
  expect(answers.splice(0)).toHaveLength(1);
});
