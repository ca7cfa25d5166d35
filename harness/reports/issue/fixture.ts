// For the tests beside it: a run whose issue is written, and what another's Markdown makes of a text.
import { marked } from 'marked';
import type { Token } from 'marked';
import { expect } from 'vitest';
import { MANIFEST, OBSERVATIONS, RESOLVED, VERDICTS } from '../../bundle/fixture.ts';
import { FORMAT_VERSION } from '../../bundle/format.ts';
import type { Verdicts } from '../../bundle/format.ts';
import type { Bundle } from '../../bundle/read.ts';
import type { Observation } from '../../model/observation.ts';
import { createTimeline } from '../../model/timeline.ts';
import type { IssueInput } from './issue-text.ts';
import { createHide } from './safe.ts';

const stepOf = (atMs: number, seq: number, step: string, index: number, end = false): Observation =>
  ({
    atMs,
    actor: 'harness',
    seq,
    type: 'step',
    client: 'alice',
    index,
    step,
    ...(end ? { edge: 'end', outcome: 'done', reason: null } : { edge: 'begin' }),
  }) as Observation;

/** The run of the fixture, with what its script did. */
export const RUN: readonly Observation[] = [
  ...OBSERVATIONS,
  {
    atMs: 990,
    actor: 'harness',
    seq: 90,
    type: 'exchange-planned',
    marker: 'hx.alice.1.00c0ffee',
    client: 'alice',
    account: '1',
    upstream: 'model',
    request: 'chat',
    purpose: 'drive',
  },
  stepOf(995, 91, 'request', 0),
  stepOf(1002, 92, 'request', 0, true),
  stepOf(1003, 93, 'receive', 1),
  stepOf(1401, 94, 'receive', 1, true),
  stepOf(1402, 95, 'await', 2),
  stepOf(1480, 96, 'await', 2, true),
  stepOf(1490, 97, 'disconnect', 3),
  stepOf(1505, 98, 'disconnect', 3, true),
  { atMs: 2000, actor: 'harness', seq: 99, type: 'watch', forMs: 1000 },
];

export const BUNDLE: Bundle = {
  folder: '/somewhere/b',
  manifest: { ...MANIFEST, format: FORMAT_VERSION, phases: { prepare: 800, drive: 610, stop: 110 } },
  writtenFormat: FORMAT_VERSION,
  scenarioText: 'version: 1\nname: client hangs up\n',
  resolved: RESOLVED,
  timeline: createTimeline(RUN),
  control: createTimeline(RUN.filter(({ type }) => type !== 'left' && type !== 'process-exited')),
  verdictsText: '{}',
  verdicts: VERDICTS,
  isSealed: true,
  cardText: null,
  reduced: null,
  notes: [],
};

export const INPUT: IssueInput = {
  bundle: BUNDLE,
  archive: { name: 'disconnect-endless-how-fin.hangup.zip', bytes: 20_000, reduced: null },
  right: ({ kind }) => ({ about: `What ${kind} asks for.`, violatedIf: ['it is still open 1.0 s after mark gone'], usesControl: true }),
  logs: [{ name: 'router.log', lines: ['listening', 'client went away'] }],
  hide: createHide([]),
};

export const withVerdicts = (verdicts: Partial<Verdicts>, bundle: Partial<Bundle> = {}): IssueInput => ({
  ...INPUT,
  bundle: { ...BUNDLE, ...bundle, verdicts: { ...VERDICTS, ...verdicts } },
});

/** All tokens, also those within others. */
export const tokensOf = (markdown: string): readonly Token[] => {
  const all: Token[] = [];
  marked.walkTokens(marked.lexer(markdown), (token) => void all.push(token));
  return all;
};

/** Markup that we write ourselves, and no other. */
const OWN_HTML = /^(?:<details>\s*<summary>[\w .…-]+<\/summary>|<\/details>)\s*$/;

/** What a forge would make of it: no link, no picture, no markup of a stranger, and nobody called outside of code. */
export const expectHarmless = (markdown: string): void => {
  const tokens = tokensOf(markdown);
  expect(tokens.filter(({ type }) => ['link', 'image', 'br', 'del'].includes(type)).map(({ raw }) => raw)).toEqual([]);
  expect(tokens.filter(({ type, raw }) => type === 'html' && !OWN_HTML.test(raw)).map(({ raw }) => raw)).toEqual([]);
  // Forges look for references in what is shown: with the entities as the characters that they stand for.
  const shown = tokens
    .filter((token) => (token.type === 'text' || token.type === 'escape') && !('tokens' in token && token.tokens))
    .map((token) => ('text' in token ? String(token.text) : ''))
    .join('')
    .replaceAll('&#8203;', '\u200b');
  expect(shown).not.toMatch(/(?:^|[^\w`])@\w|#\d|!\d|GH-\d|:\/\/|www\.\w/);
};
