// What is counted is what is billed, however the stream is cut.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createForeignMarkers } from './foreign-markers.ts';
import { createSseReader } from './sse-reader.ts';
import { END_MARK, MARKER, eventOf, usageOf } from './test-kit.ts';

const read = (pieces: readonly string[]): object => {
  const reader = createSseReader();
  const foreign = createForeignMarkers(MARKER);
  for (const piece of pieces) {
    reader.feed(piece);
    foreign.feed(piece);
  }
  return {
    events: reader.events(),
    comments: reader.comments(),
    endMark: reader.endMark(),
    errorEvent: reader.errorEvent(),
    foreign: foreign.found(),
  };
};

const cut = (text: string, places: readonly number[]): string[] => {
  const at = [...new Set([0, ...places.map((place) => place % (text.length + 1)), text.length])].sort((a, b) => a - b);
  return at.slice(1).map((end, index) => text.slice(at[index], end));
};

const OTHER = 'hx.bob-2.17.ffff0000';
const PARTS = {
  event: eventOf(1),
  crlf: eventOf(2).replaceAll('\n', '\r\n'),
  comment: ': keepalive\n\n',
  usage: usageOf(3),
  end: END_MARK,
  other: eventOf(4, OTHER),
  error: 'data: {"error":{"message":"gone"}}\n\n',
  role: 'data: {"choices":[{"index":0,"delta":{"role":"assistant"}}]}\n\n',
  nonsense: 'data: {"choices\n\n',
  nearly: `: hx.hx.${MARKER.slice(0, 9)}h hx\n\n`,
  named: 'event: ping\ndata: {}\n\n',
  lines: 'data: {"choices":[{"delta":\ndata: {"content":"x"}}]}\n\n',
  id: 'id: 3\nretry\n\n',
} as const;
const part = fc.constantFrom(...(Object.keys(PARTS) as (keyof typeof PARTS)[]));

describe('sse reader', () => {
  it('counts the same at whatever places it is cut', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.array(fc.nat()), (parts, places) => {
        const text = parts.map((name) => PARTS[name]).join('');
        const count = (...names: string[]): number => parts.filter((name) => names.includes(name)).length;
        const expected = {
          events: count('event', 'crlf', 'other', 'lines'),
          comments: count('comment', 'nearly'),
          endMark: count('end') > 0,
          errorEvent: count('error') > 0 ? '{"error":{"message":"gone"}}' : null,
          foreign: count('other') > 0 ? [OTHER] : [],
        };
        expect(read([text])).toEqual(expected);
        expect(read(cut(text, places))).toEqual(expected);
        expect(read([...text])).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('does not count an event that has not ended', () => {
    expect(read([eventOf(1).slice(0, -1)])).toMatchObject({ events: 0 });
    expect(read([END_MARK.slice(0, -1)])).toMatchObject({ endMark: false });
  });

  it('takes a named error event for an error, and its text as UTF-8', () => {
    expect(read([Buffer.from('event: error\ndata: größer\n\n').toString('latin1')])).toMatchObject({
      errorEvent: 'größer',
      events: 0,
    });
    expect(read(['data: {"error":null,"choices":[{"delta":{"content":"a"}}]}\n\n'])).toMatchObject({
      errorEvent: null,
      events: 1,
    });
  });

  it('finds a foreign marker in what is no stream of events, and none in its own', () => {
    expect(read([`{"user":"${OTHER}"}`])).toMatchObject({ foreign: [OTHER] });
    expect(read([`{"user":"${MARKER}"}${MARKER}${MARKER}`])).toMatchObject({ foreign: [] });
  });
});
