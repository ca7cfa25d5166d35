// The client of all measures of streams, the same for both servers: one raw connection, one request,
// and the event texts by which a stream's progress is read off.
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { definition as openaiChat } from '../../upstreams/shapes/openai-chat.ts';
import { within } from './measure.ts';

const SUBJECT = { label: 'hx.bench.1.0123abcd', createdS: 1_700_000_000 };
const [BEFORE, AFTER] = openaiChat.stream.event(SUBJECT);

/** An event as our upstreams write it. */
export const eventText = (number: number): string => `${BEFORE}${number}${AFTER}`;

export const HEAD_TEXT = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n';

const BODY = JSON.stringify({ model: 'gpt-test', stream: true, user: SUBJECT.label, messages: [] });
const REQUEST = `POST /v1/chat/completions HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`;

const OPEN_LIMIT_MS = 30_000;

/** Opens a stream and resolves when its first event has come. */
export const openStream = (port: number): Promise<Socket> =>
  within(new Promise<Socket>((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let text = '';
    const read = (chunk: Buffer): void => {
      text += chunk.toString('latin1');
      if (!text.includes('"choices"')) return;
      socket.off('data', read).off('error', reject).on('error', () => {}).resume();
      resolve(socket);
    };
    socket.on('data', read).on('error', reject);
    socket.write(REQUEST);
  }), OPEN_LIMIT_MS, 'the first event of a stream');

/** So many streams, a batch at a time, so that no queue of a listener overflows. */
export const openStreams = async (port: number, count: number, batch = 100): Promise<readonly Socket[]> => {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const size = Math.min(batch, count - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: size }, () => openStream(port)))));
  }
  return sockets;
};

export type Read = { readonly events: number; readonly bytes: number; readonly tookMs: number };

/** Reads as fast as it comes for so long, then leaves. Events are numbered, so the last one tells their count. */
export const readFlood = (port: number, forMs: number): Promise<Read> =>
  within(new Promise<Read>((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let beganMs = 0;
    let bytes = 0;
    let last: Buffer[] = [];
    socket.on('error', reject).on('data', (chunk: Buffer) => {
      beganMs ||= performance.now();
      bytes += chunk.length;
      last = [last.at(-1) ?? chunk, chunk];
      const tookMs = performance.now() - beganMs;
      if (tookMs < forMs) return;
      socket.removeAllListeners('data').off('error', reject).on('error', () => {}).destroy();
      const numbers = [...Buffer.concat(last).toString('latin1').matchAll(/"content":"\S+ (\d+) /g)];
      resolve({ events: Number(numbers.at(-1)?.[1] ?? Number.NaN), bytes, tookMs });
    });
    socket.write(REQUEST);
  }), forMs + OPEN_LIMIT_MS, 'a flood');
