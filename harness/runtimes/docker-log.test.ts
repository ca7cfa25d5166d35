// A log whose connection is cut loses nothing, and has nothing twice.
import type { ServerResponse } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { followLog, MAY_BE_MISSING } from './docker-log.ts';
import { engineOfTest } from './fixtures/engine-of-test.ts';
import type { Answer } from './fixtures/engine-socket.ts';
import { eventually } from './fixtures/wait.ts';

/** As engines send what a container without a terminal prints: which stream, how many bytes there are, and when it was printed. */
const frame = (stream: 1 | 2, text: string, at: string): Buffer => {
  const body = Buffer.from(`2026-11-30T20:00:${at}Z ${text}`);
  const head = Buffer.alloc(8);
  head.writeUInt8(stream, 0);
  head.writeUInt32BE(body.length, 4);
  return Buffer.concat([head, body]);
};
const printed = [
  frame(1, 'one\n', '01.000000001'), frame(2, 'two\n', '01.000000002'), frame(1, 'two\n', '01.000000002'), frame(1, 'three\n', '02.1'), frame(1, 'four\n', '02.12'),
];
/** All up to there, and then what the test says. @param gone how many the engine has thrown away */
const saying = (count: number, then: (response: ServerResponse) => void, { gone = 0, all = printed } = {}): Answer => (response) => {
  response.writeHead(200, { 'content-type': 'application/vnd.docker.raw-stream' });
  response.write(Buffer.concat(all.slice(gone, count)), () => then(response));
};
const cut = (response: ServerResponse): void => void response.destroy();

const answers: Answer[] = [];
/** Of another container, which is asked about for as long as it is followed. */
const ofQuiet: Answer[] = [];
const { engine, close } = await engineOfTest((asked) => ({ 'GET /containers/c/logs': answers, 'GET /containers/quiet/logs': ofQuiet })[asked]?.shift());
afterAll(close);

test('cut twice, the second time before anything new had come', async () => {
  answers.push(saying(2, cut), saying(1, cut), 'cut', saying(3, cut), saying(5, (response) => response.end()));
  const log = await followLog(engine, engine.getContainer('c'));
  await eventually('the last line', () => log.bytes() === 'one\ntwo\ntwo\nthree\nfour\n'.length);
  await log.complete();
  expect(log.read(1_000)).toBe('one\ntwo\ntwo\nthree\nfour\n');
  expect(answers).toEqual([]);
});

test('one that has ended in order is not asked for again', async () => {
  answers.push(saying(4, (response) => response.end()), saying(5, cut));
  const log = await followLog(engine, engine.getContainer('c'));
  await log.complete();
  expect(log.read(1_000)).toBe('one\ntwo\ntwo\nthree\n');
  expect(answers.splice(0)).toHaveLength(1);
});

const end = (response: ServerResponse): void => void response.end();
const readAfter = async (...given: readonly Answer[]): Promise<string> => {
  answers.push(...given);
  const log = await followLog(engine, engine.getContainer('c'));
  await eventually('the last answer', () => answers.length === 0);
  await log.complete();
  return log.read(1_000);
};

test('an engine that throws away what is old has what is new all the same', async () => {
  expect(await readAfter(saying(3, cut), saying(5, end, { gone: 2 }))).toBe('one\ntwo\ntwo\nthree\nfour\n');
});

test('where it threw away more than had come, the log says so', async () => {
  expect(await readAfter(saying(2, cut), saying(5, end, { gone: 4 }))).toBe(`one\ntwo\n${MAY_BE_MISSING}four\n`);
});

test('a wall clock that was put back makes nothing come twice, nor be passed over', async () => {
  const all = [frame(1, 'late\n', '50'), frame(1, 'early\n', '10'), frame(1, 'later\n', '11')];
  expect(await readAfter(saying(2, cut, { all }), saying(3, end, { all }))).toBe('late\nearly\nlater\n');
});

test('an engine that gives no stamps is followed by how much it said', async () => {
  const all = printed.map((each) => {
    const text = each.subarray(each.indexOf(' ') + 1);
    const head = Buffer.from(each.subarray(0, 8));
    head.writeUInt32BE(text.length, 4);
    return Buffer.concat([head, text]);
  });
  expect(await readAfter(saying(3, cut, { all }), saying(5, end, { all }))).toBe('one\ntwo\ntwo\nthree\nfour\n');
});

const forEver = (): void => {};

test('where the connection was dropped without a sign, what was printed since comes all the same', async () => {
  answers.push(saying(2, forEver), saying(5, end, { gone: 4 }), saying(5, end));
  const log = await followLog(engine, engine.getContainer('c'));
  await eventually('the last line', () => log.bytes() === 'one\ntwo\ntwo\nthree\nfour\n'.length, 15_000);
  expect(log.read(1_000)).toBe('one\ntwo\ntwo\nthree\nfour\n');
  expect(answers).toEqual([]);
});

test('one that prints nothing is not asked for anew', async () => {
  let isFollowed = true;
  const followed = (response: ServerResponse): void => void response.on('close', () => (isFollowed = false));
  ofQuiet.push(saying(2, followed), saying(2, end, { gone: 1 }), saying(2, end, { gone: 1 }));
  const log = await followLog(engine, engine.getContainer('quiet'));
  // The first silence may have begun before its two lines came: up to three of them, 5 s each.
  await eventually('two looks at its last line', () => ofQuiet.length === 0, 30_000);
  // Had it been taken for dropped by the first look, it would have been broken off by the second.
  expect(isFollowed).toBe(true);
  expect(log.read(1_000)).toBe('one\ntwo\n');
}, 40_000);

test('the end of one that was dropped is not lost where its system has ended', async () => {
  answers.push(saying(2, forEver), saying(4, end));
  const log = await followLog(engine, engine.getContainer('c'));
  await log.complete();
  expect(log.read(1_000)).toBe('one\ntwo\ntwo\nthree\n');
  expect(answers).toEqual([]);
});
