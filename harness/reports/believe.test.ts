// Why a verdict can be believed: every sentence by what the record holds, and none that it does not bear out.
import { describe, expect, it } from 'vitest';
import { RESOLVED } from '../bundle/fixture.ts';
import type { Observation } from '../model/observation.ts';
import { createTimeline } from '../model/timeline.ts';
import { pathWords, whyToBelieve } from './believe.ts';
import type { RightOf } from './believe.ts';
import { BUNDLE } from './issue/fixture.ts';

const path = (leg: 'client' | 'upstream', how: 'fin' | 'rst', tookMs: number, seen = true): Observation =>
  ({ atMs: 900, actor: 'harness', seq: 300 + (leg === 'client' ? 0 : 2) + (how === 'fin' ? 0 : 1) + (seen ? 0 : 4), type: 'path-control', leg, how, seen, tookMs });
const SEEN = [path('client', 'fin', 0.3), path('client', 'rst', 35.3), path('upstream', 'fin', 0.1), path('upstream', 'rst', 2.2)];
const wordsOf = (...all: readonly Observation[]): string => pathWords(createTimeline(all));

describe('the path', () => {
  it('was proved on each leg, within the longest that it took', () => {
    expect(wordsOf(...SEEN)).toContain('seen within 36 ms, FIN and RST on the client and the upstream leg.');
    expect(wordsOf(...SEEN.slice(0, 3))).toContain('seen within 36 ms, FIN and RST on the client leg, FIN on the upstream leg.');
  });

  it('of which one close was not seen hides closes, whatever else was seen', () => {
    const words = wordsOf(...SEEN, path('upstream', 'rst', 2_000, false));
    expect(words).toContain('not seen within 2.0 s: RST on the upstream leg.');
    expect(words).not.toContain('does not hide');
  });

  it('of which nothing was recorded is not said to show closes', () => {
    expect(wordsOf()).toContain('No path control is in this record');
    expect(wordsOf()).not.toContain('does not hide');
  });
});

const right = (usesControl = true): RightOf => () => ({ about: 'It is closed.', violatedIf: ['it is open', 'it is late'], usesControl });
const claim = { ...RESOLVED.judged.claims[0]!, id: 'closed', options: { upstream: 'model', after: 'gone', within: 1_000 } };
const reasons = (change: Partial<Parameters<typeof whyToBelieve>[1]> = {}, options: Readonly<Record<string, unknown>> = {}): string => {
  const claims = [{ ...claim, options: { ...claim.options, ...options } as never }];
  const resolved = { ...RESOLVED, judged: { ...RESOLVED.judged, claims } };
  return whyToBelieve('closed', { ...BUNDLE, resolved, right: right(), ...change }).join(' ');
};

describe('a claim', () => {
  it('is said with what is wrong, and with what its own exchange did in the control', () => {
    expect(reasons()).toContain('Right: It is closed. Wrong: it is open; or it is late.');
    expect(reasons()).toContain('its exchange at upstream.model stayed open for 2.6 s');
  });

  it.each([{ upstream: 'other' }, { client: 'bob' }])('is not backed by an exchange of %j', (options) => {
    expect(reasons({}, options)).toContain('no such request reached an upstream');
    expect(reasons({}, options)).not.toContain('stayed open');
  });

  it('without a control says so, whether one was wanted or not', () => {
    expect(reasons({ control: null })).toContain('No control was run');
    expect(reasons({ right: right(false) })).toContain('This claim is judged without a control.');
    expect(reasons({ right: right(false) })).not.toContain('stayed open');
  });

  it.each([{ after: { bound: 'progress' } }, { after: 'begun' }])('that counts from %j is not compared with a client that stays', (options) => {
    expect(reasons({}, options)).toContain('This claim is judged without a control.');
    expect(reasons({}, options)).not.toContain('stayed open');
  });

  it('that this version does not know is left with what the path shows', () => {
    expect(reasons({ right: () => null })).toBe(pathWords(BUNDLE.timeline));
    expect(whyToBelieve('closed', BUNDLE)).toEqual([pathWords(BUNDLE.timeline)]);
  });
});
