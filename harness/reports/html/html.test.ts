// report.html as a file: whole without scripts, nothing fetched, nothing of a stranger's text ever markup. What it does in a
// browser is tried with a browser (harness/e2e).
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { OBSERVATIONS, VERDICTS } from '../../bundle/fixture.ts';
import { createRedactor } from '../../bundle/redact.ts';
import type { Observation } from '../../model/observation.ts';
import { createTimeline } from '../../model/timeline.ts';
import { viewOf } from '../view/view-of.ts';
import { lengthText, pack, relativeText, unpack } from './browser/drawing.mjs';
import { escapeJson } from './escape.ts';
import { renderHtml } from './render-html.ts';
import { MODULES, pageScript } from './script.ts';
import { pageStyle } from './style.ts';
import { dataOf, input, still } from './fixture.ts';

const LOG = { name: 'router', text: '{"at":"2023-11-14T22:13:20.500Z","event":"listening"}\n' };
const PAGE = renderHtml(input(), [LOG]);

describe('without scripts', () => {
  test('says the outcome, each violated claim with why and with its facts, and how to run it again', () => {
    const text = still(PAGE)
      .replace(/<[^>]+>/g, '')
      .replaceAll('&#39;', "'");
    for (const words of [
      'failed',
      'disconnect/endless[how=fin]',
      'A router that keeps reading',
      "exchange 2 was still open 2.0 s after alice's FIN",
      'the ledger was sampled every 900 ms',
      'probe.ledger#2',
      'upstream.model#2',
      'gone + 1.00 s',
      'npx hangup run',
      '--defect',
      'seed-main',
      'npx hangup judge .',
      'v24.21.0',
    ])
      expect(text).toContain(words);
  });

  test('has the picture: every lane by name, the mark, the violated claims', () => {
    const picture = /<figure id="still">[\s\S]*?<\/figure>/.exec(PAGE)![0];
    for (const name of [
      'client alice',
      'system',
      'upstream model',
      'ledger',
      'sockets',
      'gone (alice)',
      'upstream-closed',
      'renewal-stopped',
    ]) {
      expect(picture).toContain(`>${name}</text>`);
    }
    expect(picture).toContain('fill-violated-lane');
    expect(picture).toContain('line-renewal');
    expect(picture).not.toMatch(/NaN|undefined|Infinity/);
  });

  test('is a page: language, one heading of the first rank, ids that are unique, ranks that leave none out', () => {
    expect(PAGE).toMatch(/^<!DOCTYPE html>\n<html lang="en">/);
    const ids = [...PAGE.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const ranks = [...PAGE.matchAll(/<h(\d)/g)].map((match) => Number(match[1]));
    expect(ranks.filter((rank) => rank === 1)).toEqual([1]);
    expect(ranks.filter((rank, index) => index > 0 && rank > ranks[index - 1]! + 1)).toEqual([]);
  });

  test('where nothing was judged, says why', () => {
    const page = renderHtml(
      input({
        verdicts: {
          ...VERDICTS,
          outcome: 'error',
          verdicts: [],
          problems: [{ family: 'environment', code: 'not-ready', message: 'it never <b>answered</b>' }],
        },
      }),
    );
    expect(page).toContain('id="outcome">error</span>');
    expect(page).toContain('it never &lt;b&gt;answered&lt;/b&gt;');
  });

  test('of an empty run there is a page too', () => {
    const page = renderHtml(input({ timeline: createTimeline([]), verdicts: { ...VERDICTS, outcome: 'interrupted', verdicts: [] } }));
    expect(still(page)).toContain('interrupted');
    expect(still(page)).not.toMatch(/NaN|undefined|Infinity/);
  });
});

describe('nothing is fetched, and nothing else runs', () => {
  test('no address anywhere but in text', () => {
    expect(
      [...PAGE.matchAll(/\s(?:src|href|action|srcset|poster|data|xlink:href)="([^"]*)"/g)]
        .map((match) => match[1])
        .filter((to) => !to!.startsWith('#')),
    ).toEqual([]);
    expect(pageStyle()).not.toMatch(/url\(|@import/);
    expect(pageScript()).not.toMatch(
      /https?:|\bfetch\(|XMLHttpRequest|WebSocket|\bimport\(|\beval\(|innerHTML|outerHTML|insertAdjacentHTML|document\.write/,
    );
  });

  test('the policy allows this style and this script by hash, and nothing else', () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(PAGE)![1]!;
    const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const script = [...PAGE.matchAll(/<script>([\s\S]*?)<\/script>/g)].map((match) => match[1]!);
    expect(script).toHaveLength(1);
    const style = hashOf(/<style>([\s\S]*?)<\/style>/.exec(PAGE)![1]!);
    expect(policy).toBe(`default-src 'none'; style-src ${style}; script-src ${hashOf(script[0]!)}; base-uri 'none'; form-action 'none'`);
    expect(PAGE).not.toMatch(/\sstyle="|\son\w+="/);
  });

  test('what hides secrets finds none in what is ours', () => {
    const redactor = createRedactor();
    expect(redactor.text(pageScript())).toBe(pageScript());
    expect(redactor.text(pageStyle())).toBe(pageStyle());
  });

  test('the script is all of its sources', () => {
    const sources = readdirSync(join(import.meta.dirname, 'browser')).filter((name) => name.endsWith('.mjs') && name !== 'drawing.mjs');
    expect(sources.map((name) => name.slice(0, -'.mjs'.length)).sort()).toEqual([...MODULES].sort());
    expect(pageScript()).not.toMatch(/^\s*(?:import|export)\b/m);
    expect(() => new Function(pageScript())).not.toThrow();
    for (const name of sources) expect(readFileSync(join(import.meta.dirname, 'browser', name), 'utf8')).toMatch(/^\/\/ /);
  });
});

test('the types that the script says in its comments are right', async () => {
  const folder = join(import.meta.dirname, 'browser');
  const compiler = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.bin', 'tsc');
  const { stdout } = await promisify(execFile)(compiler, ['-p', folder]).catch((error: { readonly stdout: string }) => error);
  expect(stdout).toBe('');
}, 120_000);

describe('size', () => {
  test('a small run stays small', () => expect(PAGE.length).toBeLessThan(300_000));

  test('packed is the same view again, but for the logs, whose text stands in the page', () => {
    const view = viewOf(input(), [LOG]);
    const logs = view.logs.map((log) => ({ ...log, text: [] }));
    expect(unpack(JSON.parse(escapeJson(pack(view))))).toEqual({ ...view, logs });
  });

  test('a run of an hour with 100,000 observations is a page of some megabytes, with a small picture', () => {
    const progress = Array.from(
      { length: 60_000 },
      (_, index) =>
        ({
          atMs: 1010 + index * 59,
          actor: 'upstream.model',
          seq: 100 + index,
          type: 'answer-progress',
          exchange: 2,
          bytes: 208 * index,
          events: index,
          comments: 0,
        }) as const,
    );
    const [sample] = OBSERVATIONS.filter(({ actor }) => actor === 'probe.ledger');
    const samples = Array.from({ length: 40_000 }, (_, index) => ({ ...sample!, atMs: 3000 + index * 88, seq: 100 + index }));
    const planned: Observation = {
      atMs: 990,
      actor: 'harness',
      seq: 700,
      type: 'exchange-planned',
      marker: 'hx.alice.1.00c0ffee',
      client: 'alice',
      account: '1',
      upstream: 'model',
      request: 'chat',
      purpose: 'drive',
    };
    const page = renderHtml(input({ timeline: createTimeline([...OBSERVATIONS, planned, ...progress, ...samples]) }));
    expect(page.length).toBeLessThan(6_000_000);
    expect(still(page).length).toBeLessThan(400_000);
    expect(unpack(dataOf(page)).observations.at.length).toBeGreaterThan(100_000);
  });
});

describe('moments in words', () => {
  const marks = [{ name: 'gone', atMs: 1500 }];
  test.each([
    [1500, 'gone + 0.00 ms'],
    [1400, 'gone - 100 ms'],
    [2704.4, 'gone + 1.20 s'],
  ])('%d', (atMs, words) => expect(relativeText(marks, atMs)).toBe(words));
  test('without a mark they count from the start', () => expect(relativeText([], 250)).toBe('start + 250 ms'));
  test.each([
    [0.5, '0.50 ms'],
    [999, '999 ms'],
    [61_000, '61.00 s'],
    [3_600_000, '60.0 min'],
  ])('%d ms', (ms, words) => expect(lengthText(ms)).toBe(words));
});
