// Any secret, in any form in which programs write texts, split anywhere: none of it comes out, and the same reader who
// could have read it before cannot any more. What holds no secret is not changed by one character.
import { StringDecoder } from 'node:string_decoder';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from './redact.ts';
import { createRedactedStream } from './redact-stream.ts';

const redactorOf = (...secrets: readonly string[]) => {
  const redactor = createRedactor();
  for (const secret of secrets) redactor.register(secret);
  return redactor;
};

type Form = { readonly write: (text: string) => string; /** As whoever gets it would read it. */ readonly read: (text: string) => string };

const json: Form = {
  write: (text) => JSON.stringify(text).slice(1, -1),
  read: (text) =>
    text.replace(/\\(?:u(....)|(.))/g, (all, hex: string, one: string) =>
      hex
        ? String.fromCharCode(Number.parseInt(hex, 16))
        : (({ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' } as Record<string, string>)[one] ?? one ?? all),
    ),
};
const unicode: Form = {
  write: (text) => text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  read: json.read,
};
const url: Form = {
  write: encodeURIComponent,
  read: (text) => text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8')),
};
const lowerUrl: Form = { write: (text) => url.write(text).replace(/%../g, (code) => code.toLowerCase()), read: url.read };
const everyByte: Form = { write: (text) => Buffer.from(text).toString('hex').replace(/../g, '%$&'), read: url.read };
const form: Form = {
  write: (text) => new URLSearchParams({ s: text }).toString().slice(2),
  read: (text) => url.read(text.replaceAll('+', ' ')),
};
const xml: Form = {
  write: (text) => text.replace(/[&<>"']/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' })[sign]!),
  read: (text) =>
    text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex: string, decimal: string, name: string) =>
      hex
        ? String.fromCodePoint(Number.parseInt(hex, 16))
        : decimal
          ? String.fromCodePoint(Number(decimal))
          : (({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" } as Record<string, string>)[name] ?? all),
    ),
};
const numbered: Form = { write: (text) => [...text].map((sign) => `&#${sign.codePointAt(0)!};`).join(''), read: xml.read };
const hexNumbered: Form = { write: (text) => [...text].map((sign) => `&#x${sign.codePointAt(0)!.toString(16)};`).join(''), read: xml.read };
const hex: Form = {
  write: (text) => Buffer.from(text).toString('hex'),
  read: (text) => Buffer.from(text.replace(/[^0-9a-f]/gi, ''), 'hex').toString('utf8'),
};
const upperHex: Form = { write: (text) => hex.write(text).toUpperCase(), read: hex.read };
const base64Of = (before: number, encoding: 'base64' | 'base64url', columns: number): Form => ({
  write: (text) =>
    Buffer.from(`${'u'.repeat(before)}${text}tail`)
      .toString(encoding)
      .replace(new RegExp(`.{${columns}}`, 'g'), '$&\n'),
  read: (text) => Buffer.from(text.replace(/\n/g, ''), encoding).toString('utf8'),
});
const then = (...forms: readonly Form[]): Form => ({
  write: (text) => forms.reduce((done, each) => each.write(done), text),
  read: (text) => forms.toReversed().reduce((done, each) => each.read(done), text),
});

const FORMS: Readonly<Record<string, Form>> = {
  plain: { write: (text) => text, read: (text) => text },
  json,
  unicode,
  url,
  lowerUrl,
  everyByte,
  form,
  xml,
  numbered,
  hexNumbered,
  hex,
  upperHex,
  'json twice': then(json, json),
  'json thrice': then(json, json, json),
  'unicode in json': then(unicode, json),
  'unicode, twice more': then(unicode, json, json),
  'url twice': then(url, url),
  'url thrice': then(url, url, url),
  'json in url': then(json, url),
  'url in json': then(everyByte, json),
  'xml twice': then(xml, xml),
  'xml in json': then(xml, json),
  'json in xml': then(json, xml),
  'json, url, xml': then(json, url, xml),
  ...Object.fromEntries(
    [0, 1, 2, 3].flatMap((before) => [
      [`base64 after ${before}`, base64Of(before, 'base64', 1000)],
      [`base64url after ${before}`, base64Of(before, 'base64url', 1000)],
      [`base64 in lines after ${before}`, base64Of(before, 'base64', 19)],
    ]),
  ),
  'json in base64': then(json, base64Of(1, 'base64', 1000)),
  'url in base64': then(url, base64Of(2, 'base64url', 1000)),
  'base64 in lines in json': then(base64Of(1, 'base64', 16), json),
  'base64 in url': then(base64Of(0, 'base64', 1000), url),
};

/** Long enough that a reader cannot find it by accident. */
const secret = fc
  .oneof(
    fc.string({ minLength: 8, maxLength: 30, unit: 'grapheme' }),
    fc.string({ minLength: 8, maxLength: 30, unit: fc.constantFrom(...'ab%&\\"\'<>u0041n;#25/+= \n') }),
    fc.base64String({ minLength: 8, maxLength: 60 }),
    fc.string({ minLength: 16, maxLength: 60, unit: fc.constantFrom(...'0123456789abcdef') }).map((text) => `sk-${text}`),
  )
  .filter((text) => text.isWellFormed() && new Set(text).size >= 4);
/** Ends in what begins nothing, so that a reader starts with the secret. */
const around = fc.string({ maxLength: 20, unit: fc.constantFrom(...'xyz {}:,.|') });

describe.each(Object.entries(FORMS))('%s', (name, { write, read }) => {
  // What is broken into lines is found where whole lines are held back: a terminal holds none.
  const mayBeLive = !name.includes('in lines');

  it('comes out neither whole nor in pieces', () => {
    fc.assert(
      fc.property(
        secret,
        around,
        around,
        fc.array(fc.integer({ min: 1, max: 17 }), { maxLength: 40 }),
        fc.boolean(),
        (text, before, after, sizes, isLive) => {
          const written = write(text);
          if (!name.includes('hex')) expect(read(written), 'the reader of this test can read it').toContain(text);
          const whole = `${before}|${written}|${after}`;
          const redactor = redactorOf(text);
          const hidden = redactor.text(whole);
          expect(hidden.split('\n'), 'each line stays one').toHaveLength(whole.split('\n').length);
          expect(hidden).not.toContain(written);
          expect(hidden.startsWith(`${before}`) && hidden.endsWith(after), 'what stands around it stays').toBe(true);
          expect(read(hidden.slice(before.length))).not.toContain(text);

          const stream = createRedactedStream(redactor, { isLive: isLive && mayBeLive });
          const decoder = new StringDecoder('utf8');
          const bytes = Buffer.from(whole);
          let out = '';
          let at = 0;
          for (const size of [...sizes, bytes.length]) {
            out += stream.push(decoder.write(bytes.subarray(at, at + size)));
            at += size;
          }
          out += stream.end();
          expect(out.split('\n'), 'each line stays one, in pieces too').toHaveLength(whole.split('\n').length);
          expect(out).not.toContain(written);
          expect(read(out.slice(before.length))).not.toContain(text);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('leaves data that is still data', () => {
    fc.assert(
      fc.property(secret, around, (text, before) => {
        const redactor = redactorOf(text);
        const data: unknown = JSON.parse(
          redactor.json({ [`${before}|${write(text)}`]: [write(text), { text: `${before}${write(text)}` }], n: 1 }),
        );
        const found = JSON.stringify(Object.entries(data as object).flat(9));
        expect(found).not.toContain(JSON.stringify(write(text)).slice(1, -1));
        const line = JSON.stringify({ body: `${before}${write(text)}`, n: 1 });
        expect(() => JSON.parse(redactor.text(line)) as unknown, 'a log line of JSON is still one').not.toThrow();
      }),
      { numRuns: 40 },
    );
  });
});

it('what is no secret stays as it is, in one piece and in many', () => {
  const texts = fc.string({ maxLength: 400, unit: fc.constantFrom(...'abcde \\"%&;#n\n01u{}+/=') });
  const far = fc
    .string({ minLength: 8, maxLength: 30, unit: fc.constantFrom(...'QRSTVWXYZäöü€') })
    .filter((text) => new Set(text).size >= 3);
  fc.assert(
    fc.property(
      fc.array(far, { minLength: 1, maxLength: 5 }),
      texts,
      fc.array(fc.nat(30), { maxLength: 40 }),
      fc.boolean(),
      (all, text, sizes, isLive) => {
        const redactor = redactorOf(...all);
        expect(redactor.text(text)).toBe(text);
        expect(redactor.json({ text, n: [text] })).toBe(JSON.stringify({ text, n: [text] }));
        const stream = createRedactedStream(redactor, { isLive });
        let out = '';
        let at = 0;
        for (const size of sizes) {
          out += stream.push(text.slice(at, at + size));
          at += size;
        }
        expect(out + stream.push(text.slice(at)) + stream.end()).toBe(text);
      },
    ),
    { numRuns: 300 },
  );
});

it('a second time changes nothing', () => {
  fc.assert(
    fc.property(secret, around, fc.constantFrom(...Object.values(FORMS)), (text, before, { write }) => {
      const redactor = redactorOf(text);
      const once = redactor.text(`${before}|${write(text)}|`);
      expect(redactor.text(once)).toBe(once);
    }),
    { numRuns: 300 },
  );
});
