// The text of an issue: as a person has looked at it, read back by another's Markdown, and harmless whatever was recorded.
import { join } from 'node:path';
import { marked } from 'marked';
import type { Token } from 'marked';
import { expect, it } from 'vitest';
import { FACTS, MANIFEST, OBSERVATIONS, RESOLVED, VERDICTS } from '../../bundle/fixture.ts';
import { FORMAT_VERSION } from '../../bundle/format.ts';
import type { Verdicts } from '../../bundle/format.ts';
import type { Bundle } from '../../bundle/read.ts';
import type { Observation } from '../../model/observation.ts';
import { createTimeline } from '../../model/timeline.ts';
import { issueText } from './issue-text.ts';
import type { IssueInput } from './issue-text.ts';
import { MAXIMUM_LINK, newIssueLink, repositoryOf } from './link.ts';
import { createHide } from './safe.ts';

const stepOf = (atMs: number, seq: number, step: string, index: number, end = false): Observation => ({
  atMs, actor: 'harness', seq, type: 'step', client: 'alice', index, step,
  ...(end ? { edge: 'end', outcome: 'done', reason: null } : { edge: 'begin' }),
} as Observation);

/** The run of the fixture, with what its script did. */
const RUN: readonly Observation[] = [
  ...OBSERVATIONS,
  {
    atMs: 990, actor: 'harness', seq: 90, type: 'exchange-planned', marker: 'hx.alice.1.00c0ffee', client: 'alice', account: '1',
    upstream: 'model', request: 'chat', purpose: 'drive',
  },
  stepOf(995, 91, 'request', 0), stepOf(1002, 92, 'request', 0, true), stepOf(1003, 93, 'receive', 1), stepOf(1401, 94, 'receive', 1, true),
  stepOf(1402, 95, 'await', 2), stepOf(1480, 96, 'await', 2, true), stepOf(1490, 97, 'disconnect', 3), stepOf(1505, 98, 'disconnect', 3, true),
  { atMs: 2000, actor: 'harness', seq: 99, type: 'watch', forMs: 1000 },
];

const BUNDLE: Bundle = {
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

const INPUT: IssueInput = {
  bundle: BUNDLE,
  archive: { name: 'disconnect-endless-how-fin.hangup.zip', bytes: 20_000, reduced: null },
  right: ({ kind }) => ({ about: `What ${kind} asks for.`, violatedIf: ['it is still open 1.0 s after mark gone'] }),
  logs: [{ name: 'router.log', lines: ['listening', 'client went away'] }],
  hide: createHide([]),
};

const withVerdicts = (verdicts: Partial<Verdicts>, bundle: Partial<Bundle> = {}): IssueInput => ({
  ...INPUT, bundle: { ...BUNDLE, ...bundle, verdicts: { ...VERDICTS, ...verdicts } },
});

/** All tokens, also those within others. */
const tokensOf = (markdown: string): readonly Token[] => {
  const all: Token[] = [];
  marked.walkTokens(marked.lexer(markdown), (token) => void all.push(token));
  return all;
};

/** Markup that we write ourselves, and no other. */
const OWN_HTML = /^(?:<details>\s*<summary>[\w .…-]+<\/summary>|<\/details>)\s*$/;

/** What a forge would make of it: no link, no picture, no markup of a stranger, and nobody called outside of code. */
const expectHarmless = (markdown: string): void => {
  const tokens = tokensOf(markdown);
  expect(tokens.filter(({ type }) => ['link', 'image', 'br', 'del'].includes(type)).map(({ raw }) => raw)).toEqual([]);
  expect(tokens.filter(({ type, raw }) => type === 'html' && !OWN_HTML.test(raw)).map(({ raw }) => raw)).toEqual([]);
  // Forges look for references in what is shown: with the entities as the characters that they stand for.
  const shown = tokens
    .filter((token) => (token.type === 'text' || token.type === 'escape') && !('tokens' in token && token.tokens))
    .map((token) => ('text' in token ? String(token.text) : '')).join('').replaceAll('&#8203;', '\u200b');
  expect(shown).not.toMatch(/(?:^|[^\w`])@\w|#\d|!\d|GH-\d|:\/\/|www\.\w/);
};

it('is the text that was looked at', async () => {
  const { title, body } = issueText(INPUT);
  expect(title).toBe('reference-router: upstream-closed and 1 more claim violated when its client closes its connection (FIN)');
  await expect(body).toMatchFileSnapshot(join(import.meta.dirname, '..', 'golden', 'issue.md'));
  expectHarmless(body);
});

it('begins with a short paragraph that says what is wrong, and has every part once', () => {
  const { body } = issueText(INPUT);
  const [first] = body.split('\n\n');
  expect(first!.length).toBeLessThan(400);
  expect(first).toContain('was still open 2.0 s after alice');
  for (const part of ['What was done', 'What is right, and what was seen', 'The facts', 'Does it close by itself?', 'Versions', 'See it again'])
    expect(body.split(`### ${part}`)).toHaveLength(2);
  expect(body.match(/^```text$/gm)!.length).toBeGreaterThanOrEqual(1);
  expect(body).toContain('npx hangup rerun disconnect-endless-how-fin.hangup.zip');
  expect(body).toContain('planted on purpose: `seed-main`');
});

it.each([
  ['passed', { verdicts: VERDICTS.verdicts.filter(({ outcome }) => outcome === 'held') }, 'Not reproduced.'],
  ['inconclusive', { verdicts: VERDICTS.verdicts.filter(({ outcome }) => outcome !== 'violated') }, 'Nothing can be concluded from this run.'],
  ['error', { verdicts: [], problems: [{ family: 'environment' as const, code: 'stage-lost', message: 'the stage is gone' }] }, 'This run broke off with an error'],
  ['interrupted', { verdicts: [] }, 'This run was cut off before its end'],
  ['does-not-apply', { verdicts: VERDICTS.verdicts.slice(-1) }, 'No claim of this scenario applies'],
] as const)('says plainly what a run that %s is', (outcome, changed, first) => {
  const { title, body } = issueText(withVerdicts({ outcome, ...changed }));
  expect(body.split('\n')[0]).toContain(first);
  expect(title).not.toMatch(/(?<!nothing )violated when/);
  expect(body).not.toContain('does not do what is right');
  expectHarmless(body);
});

it('says that a bundle was not sealed, and that nothing was judged', () => {
  const { body } = issueText(withVerdicts({ outcome: 'error', verdicts: [] }, { isSealed: false, notes: ['the bundle was not sealed'] }));
  expect(body).toContain('was cut off before its end');
  expect(body).toContain('> Note: the bundle was not sealed.');
});

const HOSTILE = [
  '@everyone see #123, org/repo#45, GH-7, !8 and https://evil.example/x www.evil.example',
  '<script>alert(1)</script><img src=x onerror=y></details>', '| a | b |', '```\n# heading', '`code` **bold** [link](https://evil.example) ![p](https://evil.example/p.png)',
  'mail me@evil.example', '&lt;b&gt; \u202egnp', '$12 ~bug %milestone ^group', '[ref]: https://evil.example', '\u001b[31mred', '~~gone~~ _x_ *y*  \n---',
].join(' ');

it('calls nobody and links nowhere, whatever the system has said', () => {
  const hostile: IssueInput = {
    ...INPUT,
    bundle: {
      ...BUNDLE,
      scenarioText: `name: "${HOSTILE}"\n\`\`\`\`\n`,
      manifest: { ...BUNDLE.manifest, scenario: HOSTILE, versions: { [HOSTILE]: HOSTILE } },
      resolved: { ...RESOLVED, run: { ...RESOLVED.run, card: HOSTILE, about: HOSTILE, settings: { [HOSTILE]: HOSTILE }, defects: [HOSTILE] } },
      verdicts: { ...VERDICTS, problems: [{ family: 'system', code: HOSTILE, message: HOSTILE, hint: HOSTILE }] as unknown as Verdicts['problems'],
        verdicts: VERDICTS.verdicts.map((verdict) => ({ ...verdict, reason: HOSTILE, class: HOSTILE, as: HOSTILE })) },
      timeline: createTimeline(OBSERVATIONS.map((each) => (each.type === 'request-received' ? { ...each, path: HOSTILE, behaviour: HOSTILE } : each))),
      notes: [HOSTILE],
    },
    archive: { name: HOSTILE, bytes: 1, reduced: { format: 1, of: null, canBeJudged: false, left: [{ path: HOSTILE, what: HOSTILE, bytes: 1 }] } },
    right: () => ({ about: HOSTILE, violatedIf: [HOSTILE] }),
    logs: [{ name: HOSTILE, lines: [HOSTILE, '````', '</details>'] }],
  };
  const { body, short } = issueText(hostile);
  for (const text of [body, short]) {
    expectHarmless(text);
  }
  const html = tokensOf(body).filter(({ type }) => type === 'html').map(({ raw }) => raw);
  expect(html.filter((raw) => raw.startsWith('<details>'))).toHaveLength(html.filter((raw) => raw.startsWith('</details>')).length);
});

it('tells no secret, and no path of a machine', () => {
  const hide = createHide(['/work/main', '/home/somebody/project']);
  const told = 'see /work/main/harness/x.ts:12, /home/somebody/.ssh/id and C:\\Users\\me\\x.txt; POST /v1/chat/completions with Bearer abcdefgh12345678';
  const text = hide(told);
  expect(text).not.toMatch(/\/work|somebody|Users|abcdefgh/);
  expect(text).toContain('…/x.ts:12');
  expect(text).toContain('/v1/chat/completions');
  const run = { ...RESOLVED.run, file: '/home/somebody/project/mine.yaml', system: '/work/main/card.yaml' };
  const { body } = issueText({ ...INPUT, hide, archive: null, bundle: { ...BUNDLE, scenarioText: told, resolved: { ...RESOLVED, run } } });
  expect(body).not.toMatch(/\/work|somebody|abcdefgh/);
});

it('is never longer than a forge takes, and says what it lacks', () => {
  const claims = Array.from({ length: 300 }, (_, index) => ({ ...VERDICTS.verdicts[0]!, id: `upstream-closed#${index}`, reason: '@#'.repeat(250) }));
  const { body } = issueText({
    ...withVerdicts({ verdicts: claims }, { scenarioText: 'x: y\n'.repeat(50_000) }),
    logs: [{ name: 'router.log', lines: Array.from({ length: 400 }, () => '`'.repeat(300)) }],
  });
  expect(body.length).toBeLessThan(60_000);
  expect(body).toContain('Left out here to stay short enough: ');
  expect(body).toContain('npx hangup rerun');
  expect(body.match(/<details>/g)?.length).toBe(body.match(/^<\/details>$/gm)?.length);
});

it('says what the archive lacks', () => {
  const left = [{ path: 'logs/router.log', what: 'the middle', bytes: 123_456 }];
  const of = (canBeJudged: boolean): string =>
    issueText({ ...INPUT, archive: { ...INPUT.archive!, reduced: { format: 1, of: null, canBeJudged, left } } }).body;
  expect(of(true)).toContain('- `logs/router.log`: the middle (123456 bytes)');
  expect(of(true)).toContain('All that is judged is in it.');
  expect(of(false)).toContain('Observations are missing in it');
});

it('says of the control how long it stayed open, and who closed it', () => {
  const controlOf = (...more: readonly Observation[]): string => {
    return issueText({ ...INPUT, bundle: { ...BUNDLE, control: createTimeline([...BUNDLE.control!.all, ...more]) } }).body;
  };
  expect(controlOf()).toContain('stayed open for 2.6 s, until the control was over');
  const closed = { atMs: 2004, actor: 'upstream.model', seq: 91, type: 'peer-closed', connection: 1, how: 'fin' } as const;
  expect(controlOf(closed as never)).toContain('was closed by the system after 1.0 s');
  expect(issueText({ ...INPUT, bundle: { ...BUNDLE, control: null } }).body).toContain('No control was run');
  const nobodyLeft = { ...RESOLVED, judged: { ...RESOLVED.judged, facts: { ...FACTS, leaves: [] } } };
  expect(issueText({ ...INPUT, bundle: { ...BUNDLE, resolved: nobodyLeft } }).body).not.toContain('Does it close by itself?');
});

it('what the harness ends itself is not said to be closed by the system', () => {
  const ended = [
    { atMs: 2000, actor: 'harness', seq: 200, type: 'phase', phase: 'watch', edge: 'end' },
    { atMs: 2004, actor: 'upstream.model', seq: 201, type: 'peer-closed', connection: 1, how: 'rst' },
  ] as readonly Observation[];
  const { body } = issueText({ ...INPUT, bundle: { ...BUNDLE, control: createTimeline([...BUNDLE.control!.all, ...ended]) } });
  expect(body).toContain('stayed open for 996 ms, until the control was over');
});

it('counts only what came of the answer that was left', () => {
  const earlier = OBSERVATIONS.map((each) => (each.type === 'received' ? { ...each, atMs: 950, marker: 'hx.alice.0.00c0ffee' } : each));
  const { body } = issueText({ ...INPUT, bundle: { ...BUNDLE, timeline: createTimeline([...earlier, ...RUN.slice(OBSERVATIONS.length)]) } });
  expect(body).toContain('this is the mark `gone` (gone + ');
});

it('a control is said to be one, and never to be run alone', () => {
  const { body } = issueText(withVerdicts({ outcome: 'does-not-apply', verdicts: [] }, { manifest: { ...BUNDLE.manifest, isControl: true } }));
  expect(body.split('\n')[0]).toContain('**This is a control:**');
  expect(body).not.toMatch(/^npx hangup rerun/m);
});

it('links to a new issue with what fits, and to none with what does not', () => {
  const small = { title: 't #1', body: 'b & c', short: 's' };
  const whole = newIssueLink('owner/name', small)!;
  expect(whole.isWhole).toBe(true);
  const url = new URL(whole.url);
  expect([url.origin, url.pathname, url.searchParams.get('title'), url.searchParams.get('body')])
    .toEqual(['https://github.com', '/owner/name/issues/new', 't #1', 'b & c']);
  const less = newIssueLink('owner/name', { ...small, body: 'x'.repeat(MAXIMUM_LINK) })!;
  expect(less.isWhole).toBe(false);
  expect(new URL(less.url).searchParams.get('body')).toBe('s');
  expect(newIssueLink('owner/name', { title: 't', body: 'x'.repeat(MAXIMUM_LINK), short: 'y'.repeat(MAXIMUM_LINK) })).toBeNull();
});

it('knows a repository by its name and by its address, and nothing else', () => {
  expect(repositoryOf('http-party/node-http-proxy')).toBe('http-party/node-http-proxy');
  expect(repositoryOf('https://github.com/http-party/node-http-proxy.git')).toBe('http-party/node-http-proxy');
  for (const wrong of ['', 'name', 'a/b/c', 'https://evil.example/a/b', 'a/b?x=y', 'a b/c']) expect(repositoryOf(wrong)).toBeNull();
});
