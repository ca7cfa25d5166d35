// The parser says the same of the same bytes however they are cut, and refuses what is not clear.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Head } from './head.ts';
import { createParser, DEFAULT_LIMITS, feed, isPartial } from './parser.ts';
import type { Item, Limits } from './parser.ts';

const plain = (item: Item): unknown =>
  item.kind === 'request' ? { ...item, body: item.body.toString('latin1') } : item;

const parse = (pieces: readonly (string | Buffer)[], limits: Limits = DEFAULT_LIMITS): readonly unknown[] => {
  const parser = createParser(limits);
  // What a body is must be read off at once: it is a view of memory that the next piece may change.
  return pieces.flatMap((piece) => feed(parser, Buffer.from(piece as string, 'latin1')).map(plain));
};

const refusalOf = (text: string, limits?: Limits): number | undefined => {
  const last = parse([text], limits).at(-1) as { readonly refusal?: { readonly status: number } } | undefined;
  return last?.refusal?.status;
};

const withoutContinue = (items: readonly unknown[]): readonly unknown[] =>
  items.filter((item) => (item as Item).kind !== 'continue');

const cutAt = (text: string, places: readonly number[]): readonly string[] => {
  const sorted = [0, ...new Set(places.map((place) => place % (text.length + 1))), text.length].sort((a, b) => a - b);
  return sorted.slice(1).map((end, index) => text.slice(sorted[index], end));
};

const LENGTH = 'POST /a?b=c HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello';
const CHUNKED = 'POST /b HTTP/1.1\r\nhost: x\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n1\r\n\r\r\n0\r\nt: v\r\n\r\n';
const BARE = '\r\nGET /c HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';

describe('what is understood', () => {
  it('reads requests with a length, chunks and no body, one after the other', () => {
    const items = parse([LENGTH + CHUNKED + BARE]) as readonly { head: Head; body: string }[];
    expect(items.map(({ head, body }) => [head.method, head.target, body, head.keepAlive])).toEqual([
      ['POST', '/a?b=c', 'hello', true], ['POST', '/b', 'abc\r', true], ['GET', '/c', '', false],
    ]);
  });

  it('says the same when cut at every single byte', () => {
    const text = LENGTH + CHUNKED + BARE + LENGTH;
    const whole = parse([text]);
    for (let at = 1; at < text.length; at += 1) expect(parse([text.slice(0, at), text.slice(at)]), `cut at ${at}`).toEqual(whole);
    expect(parse([...text])).toEqual(whole);
  });

  it('says the same however any requests are cut', () => {
    const body = fc.string({ unit: 'binary-ascii', maxLength: 300 });
    const request = fc.oneof(
      body.map((text) => `POST /l HTTP/1.1\r\nhost: x\r\ncontent-length: ${text.length}\r\n\r\n${text}`),
      fc.array(body.filter((text) => text !== '')).map((chunks) =>
        `PUT /c HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\nexpect: 100-continue\r\n\r\n${
          chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')}0\r\n\r\n`),
      body.map((text) => `GET /${encodeURIComponent(text)} HTTP/1.0\r\n\r\n`),
    );
    fc.assert(fc.property(fc.array(request, { maxLength: 4 }), fc.array(fc.nat(), { maxLength: 12 }), (requests, places) => {
      const text = requests.join('');
      const whole = withoutContinue(parse([text]));
      expect(whole).toHaveLength(requests.length);
      expect(withoutContinue(parse(cutAt(text, places)))).toEqual(whole);
    }));
  });

  it('says the same of garbage however it is cut, and never throws', () => {
    const pieces = fc.array(fc.oneof(
      fc.string({ unit: 'binary-ascii', maxLength: 40 }),
      fc.constantFrom('\r\n', '\r\n\r\n', 'GET / HTTP/1.1', 'host: x', 'transfer-encoding: chunked', 'content-length: 3'),
      fc.constantFrom(':', '0', '\n', '\r', '\0'),
    ), { maxLength: 30 });
    const limits = { ...DEFAULT_LIMITS, headBytes: 120, bodyBytes: 60 };
    fc.assert(fc.property(pieces, fc.array(fc.nat(), { maxLength: 8 }), (parts, places) => {
      const text = parts.join('');
      expect(withoutContinue(parse(cutAt(text, places), limits))).toEqual(withoutContinue(parse([text], limits)));
    }), { numRuns: 500 });
  });

  it('asks for a body that waits for 100-continue, and not where the body came along', () => {
    const head = 'POST / HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n';
    expect(parse([head]).map((item) => (item as Item).kind)).toEqual(['continue']);
    expect(parse([`${head}ab`]).map((item) => (item as Item).kind)).toEqual(['request']);
  });

  it('knows a request that has begun', () => {
    const parser = createParser();
    expect(isPartial(parser)).toBe(false);
    feed(parser, Buffer.from(LENGTH.slice(0, 10)));
    expect(isPartial(parser)).toBe(true);
    feed(parser, Buffer.from(LENGTH.slice(10)));
    expect(isPartial(parser)).toBe(false);
  });
});

describe('what is refused', () => {
  const GET = 'GET / HTTP/1.1\r\nhost: x\r\n';
  it.each([
    ['a TLS hello', '\x16\x03\x01', 400],
    ['a line that is no request line', 'hello\r\n\r\n', 400],
    ['a target with a blank', 'GET /a b HTTP/1.1\r\nhost: x\r\n\r\n', 400],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\n', 505],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['two hosts', `${GET}host: y\r\n\r\n`, 400],
    ['a folded header', `${GET} folded: x\r\n\r\n`, 400],
    ['a blank before the colon', `${GET}name : x\r\n\r\n`, 400],
    ['a zero byte in a header', `${GET}name: a\0b\r\n\r\n`, 400],
    ['a lone line feed in a header', `${GET}name: a\nb\r\n\r\n`, 400],
    ['length beside chunks', `${GET}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`, 400],
    ['two lengths', `${GET}content-length: 1\r\ncontent-length: 1\r\n\r\n`, 400],
    ['a signed length', `${GET}content-length: +1\r\n\r\n`, 400],
    ['an unknown coding', `${GET}transfer-encoding: gzip, chunked\r\n\r\n`, 501],
    ['chunks in HTTP/1.0', 'POST / HTTP/1.0\r\ntransfer-encoding: chunked\r\n\r\n', 400],
    ['an unknown expectation', `${GET}expect: the best\r\n\r\n`, 417],
    ['a chunk size that is none', `${GET}transfer-encoding: chunked\r\n\r\nxyz\r\n`, 400],
    ['a chunk longer than announced', `${GET}transfer-encoding: chunked\r\n\r\n2\r\nabc\r\n`, 400],
    ['a malformed trailer', `${GET}transfer-encoding: chunked\r\n\r\n0\r\nno colon\r\n\r\n`, 400],
  ])('%s', (_what, text, status) => {
    expect(refusalOf(text)).toBe(status);
  });

  it('a head that has no end, at its limit, in one piece or byte by byte', () => {
    const limits = { ...DEFAULT_LIMITS, headBytes: 100 };
    const long = `${GET}a: ${'x'.repeat(200)}`;
    expect(refusalOf(long, limits)).toBe(431);
    expect(parse([...long], limits)).toEqual(parse([long], limits));
    expect(refusalOf(`${GET}a: b\r\n\r\n`, limits)).toBeUndefined();
  });

  it('bodies beyond the limit, announced or in chunks, and endless trailers', () => {
    const limits = { ...DEFAULT_LIMITS, headBytes: 100, bodyBytes: 10 };
    expect(refusalOf(`${GET}content-length: 11\r\n\r\n`, limits)).toBe(413);
    const chunked = `${GET}transfer-encoding: chunked\r\n\r\n`;
    expect(refusalOf(`${chunked}6\r\nabcdef\r\n5\r\n`, limits)).toBe(413);
    expect(refusalOf(`${chunked}0\r\n${'t: v\r\n'.repeat(40)}`, limits)).toBe(431);
    expect(refusalOf(`${chunked}${'1'.repeat(2_000)}`, limits)).toBe(400);
  });

  it('hears nothing after a refusal, but what came before it counts', () => {
    const items = parse([`${LENGTH}bad\r\n\r\n${LENGTH}`, LENGTH]) as readonly Item[];
    expect(items.map((item) => item.kind)).toEqual(['request', 'refusal']);
  });
});
