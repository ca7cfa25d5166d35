// Everything that a run tells is a stranger's text: whatever it holds, in the page it is text and nothing else.
import { describe, expect, test } from 'vitest';
import { MANIFEST, OBSERVATIONS, RESOLVED, VERDICTS } from '../../bundle/fixture.ts';
import type { Fact, Observation } from '../../model/observation.ts';
import { createTimeline } from '../../model/timeline.ts';
import { unpack } from './browser/drawing.mjs';
import { escapeJson, escapeText } from './escape.ts';
import { renderHtml } from './render-html.ts';
import { dataOf, input } from './fixture.ts';

describe('texts of strangers', () => {
  const EVIL = '</script></title></style><img src=x onerror=alert(1)><!--<script>"\'`&amp;\u2028\u2029\u0000\u001b[31m\u202e\ud800 ${x}]]>';
  const at = (atMs: number, actor: string, seq: number, fact: Fact): Observation => ({ atMs, actor, seq, ...fact });
  const evil = renderHtml(
    input({
      manifest: { ...MANIFEST, format: 1, phases: { [EVIL]: 1 }, scenario: EVIL, runtime: EVIL, argv: [EVIL], versions: { [EVIL]: EVIL } },
      resolved: {
        judged: { ...RESOLVED.judged, facts: { ...RESOLVED.judged.facts, clients: { [EVIL]: { account: EVIL, address: '127.0.0.9' } } } },
        run: { ...RESOLVED.run, about: EVIL, source: EVIL, card: EVIL, defects: [EVIL], settings: { [EVIL]: EVIL }, file: EVIL },
      },
      timeline: createTimeline([
        ...OBSERVATIONS,
        at(1, `client.${EVIL}`, 1, { type: 'mark', mark: EVIL, client: EVIL }),
        at(2, `client.${EVIL}`, 2, { type: 'connect-failed', error: EVIL }),
        at(3, `upstream.${EVIL}`, 1, {
          type: 'request-received',
          connection: 1,
          exchange: 9,
          marker: EVIL,
          method: EVIL,
          path: EVIL,
          bodyBytes: 1,
          behaviour: EVIL,
        }),
        at(4, 'harness', 900, { type: 'fault', fault: EVIL, edge: 'fired', detail: EVIL }),
        at(5, 'system', 900, { type: 'process-exited', process: EVIL, code: null, signal: EVIL }),
        at(6, 'probe.ledger', 900, {
          type: 'sample',
          probe: 'ledger',
          tookMs: 1,
          mark: EVIL,
          value: {
            accounts: [{ id: EVIL, balance: 1, reserved: 1, spent: 1 }],
            consistent: true,
            wallMs: 1,
            charges: [{ id: EVIL, account: EVIL, amount: 1 }],
            reservations: [{ id: EVIL, account: EVIL, payer: EVIL, amount: 1, state: EVIL, terminal: true, reason: EVIL }],
          },
        }),
      ]),
      verdicts: {
        ...VERDICTS,
        problems: [{ family: 'harness', code: EVIL, message: EVIL, hint: EVIL }],
        verdicts: [{ ...VERDICTS.verdicts[0]!, id: EVIL, as: EVIL, reason: EVIL, class: EVIL, evidence: [EVIL, `client.${EVIL}#1`] }],
      },
    }),
    [{ name: EVIL, text: `${EVIL}\n${EVIL}` }],
  );

  test('are never markup', () => {
    expect(evil).not.toMatch(/<img|<!--|onerror=alert\(1\)>(?!&)/);
    expect(evil.match(/<script/g)).toHaveLength(2);
    expect(evil.match(/<\/script/g)).toHaveLength(2);
    expect(evil.match(/<\/title>/g)!.length).toBe(evil.match(/<title/g)!.length);
    expect(evil.match(/<style|<\/style/g)).toHaveLength(2);
  });

  test('cannot move the cursor, turn text about or break a line of JSON', () => {
    expect(evil).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]|[\ud800-\udbff](?![\udc00-\udfff])/);
    const read = unpack(dataOf(evil));
    expect(read.lanes.map(({ name }) => name).filter((name) => name.includes('</script>'))).toHaveLength(2);
  });

  test('are shown as they are, where they can be', () => {
    expect(escapeText('<b a="1">&\'')).toBe('&lt;b a=&quot;1&quot;&gt;&amp;&#39;');
    expect(escapeText('a\u001b[31mred\u202ex')).toBe('ared·x');
    expect(escapeJson({ a: ['</script><!--', 1, null, true], b: undefined })).toBe(
      '{"a":[\n"\\u003c/script\\u003e\\u003c!--",1,\nnull,\ntrue]}',
    );
  });
});
