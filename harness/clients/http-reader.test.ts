// The reader says the same however the bytes are cut, and never takes a broken message for a whole one.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHttpReader } from './http-reader.ts';

type Read = {
  status: number | null;
  keepsAlive: boolean | null;
  body: string;
  ended: boolean;
  rest: string;
  finish: string;
  error: string | null;
};

const read = (pieces: readonly Buffer[], method = 'GET'): Read => {
  const result: Read = { status: null, keepsAlive: null, body: '', ended: false, rest: '', finish: '', error: null };
  const reader = createHttpReader(method, {
    head: (head) => {
      result.status = head.status;
      result.keepsAlive = head.keepsAlive;
    },
    body: (bytes) => {
      result.body += bytes.toString('latin1');
    },
    end: () => {
      result.ended = true;
    },
  });
  try {
    for (const piece of pieces) result.rest += reader.feed(piece).toString('latin1');
    result.finish = reader.finish();
  } catch (error) {
    result.error = String(error);
  }
  return result;
};

const cut = (text: string, places: readonly number[]): Buffer[] => {
  const bytes = Buffer.from(text, 'latin1');
  const at = [...new Set([0, ...places.map((place) => place % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b);
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
};

const whole = (text: string, method = 'GET'): Read => read([Buffer.from(text, 'latin1')], method);

const chunked = (parts: readonly string[]): string =>
  parts.map((part) => `${part.length.toString(16)};x=1\r\n${part}\r\n`).join('');
const EARLY = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n';

const latin1 = fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)), maxLength: 60 });
const message = fc
  .record({
    early: fc.constantFrom('', EARLY),
    framing: fc.constantFrom('length', 'chunked', 'close'),
    parts: fc.array(
      latin1.filter((part) => part !== ''),
      { maxLength: 5 },
    ),
    trailers: fc.constantFrom('', 'x-sum: 1\r\n'),
    newline: fc.constantFrom('\r\n', '\n'),
  })
  .map(({ early, framing, parts, trailers, newline }) => {
    const body = parts.join('');
    const head =
      framing === 'length' ? `content-length: ${body.length}\r\n` : framing === 'chunked' ? 'transfer-encoding: chunked\r\n' : '';
    const content = framing === 'chunked' ? `${chunked(parts)}0\r\n${trailers}\r\n` : body;
    return { text: `${`${early}HTTP/1.1 200 OK\r\n${head}\r\n`.replaceAll('\r\n', newline)}${content}`, body, framing };
  });

describe('http reader', () => {
  it('reads the same at whatever bytes it is cut', () => {
    fc.assert(
      fc.property(message, fc.array(fc.nat()), ({ text, body, framing }, places) => {
        const expected = whole(text);
        expect(expected).toMatchObject({
          status: 200,
          body,
          finish: 'complete',
          ended: true,
          error: null,
          keepsAlive: framing !== 'close',
        });
        expect(read(cut(text, places))).toEqual(expected);
        expect(read([...Buffer.from(text, 'latin1')].map((byte) => Buffer.from([byte])))).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('calls every beginning of an announced message truncated', () => {
    fc.assert(
      fc.property(
        message.filter(({ framing }) => framing !== 'close'),
        fc.nat(),
        ({ text }, at) => {
          const result = whole(text.slice(0, at % text.length));
          expect(result).toMatchObject({ finish: 'truncated', ended: false, error: null });
        },
      ),
      { numRuns: 300 },
    );
  });

  it('gives back what follows the message', () => {
    expect(whole('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 500')).toMatchObject({
      body: 'ok',
      rest: 'HTTP/1.1 500',
      ended: true,
    });
    expect(whole('HTTP/1.1 204 No Content\r\n\r\nmore')).toMatchObject({ body: '', rest: 'more' });
    expect(whole('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n', 'HEAD')).toMatchObject({ ended: true, body: '' });
  });

  it('knows which connection may be used again', () => {
    expect(whole('HTTP/1.1 200 OK\r\nconnection: Close\r\ncontent-length: 0\r\n\r\n').keepsAlive).toBe(false);
    expect(whole('HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n').keepsAlive).toBe(false);
    expect(whole('HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 0\r\n\r\n').keepsAlive).toBe(true);
  });

  it.each([
    ['no status line', 'SSH-2.0-x\r\n\r\n'],
    ['a bad chunk size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'],
    ['a chunk longer than announced', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nabc\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\na'],
    ['a header without a colon', 'HTTP/1.1 200 OK\r\nnonsense\r\n\r\n'],
    ['a head without an end', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}`],
  ])('refuses %s', (_what, text) => {
    expect(whole(text).error).toMatch(/^Error: /);
    expect(whole(text).ended).toBe(false);
  });
});
