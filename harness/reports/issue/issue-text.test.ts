// The text of an issue: as a person has looked at it, read back by another's Markdown, plain about what a run came to.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FACTS, OBSERVATIONS, RESOLVED, VERDICTS } from '../../bundle/fixture.ts';
import type { Observation } from '../../model/observation.ts';
import { createTimeline } from '../../model/timeline.ts';
import { BUNDLE, expectHarmless, INPUT, RUN, withVerdicts } from './fixture.ts';
import { issueText } from './issue-text.ts';

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
  for (const part of [
    'What was done',
    'What is right, and what was seen',
    'The facts',
    'Does it close by itself?',
    'Versions',
    'See it again',
  ])
    expect(body.split(`### ${part}`)).toHaveLength(2);
  expect(body.match(/^```text$/gm)!.length).toBeGreaterThanOrEqual(1);
  expect(body).toContain('npx hangup rerun disconnect-endless-how-fin.hangup.zip');
  expect(body).toContain('planted on purpose: `seed-main`');
});

it.each([
  ['passed', { verdicts: VERDICTS.verdicts.filter(({ outcome }) => outcome === 'held') }, 'Not reproduced.'],
  [
    'inconclusive',
    { verdicts: VERDICTS.verdicts.filter(({ outcome }) => outcome !== 'violated') },
    'Nothing can be concluded from this run.',
  ],
  [
    'error',
    { verdicts: [], problems: [{ family: 'environment' as const, code: 'stage-lost', message: 'the stage is gone' }] },
    'This run broke off with an error',
  ],
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

it('is never longer than a forge takes, and says what it lacks', () => {
  const claims = Array.from({ length: 300 }, (_, index) => ({
    ...VERDICTS.verdicts[0]!,
    id: `upstream-closed#${index}`,
    reason: '@#'.repeat(250),
  }));
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
  const { body } = issueText({
    ...INPUT,
    bundle: { ...BUNDLE, timeline: createTimeline([...earlier, ...RUN.slice(OBSERVATIONS.length)]) },
  });
  expect(body).toContain('this is the mark `gone` (gone + ');
});

it('says what hangup is to whoever has none, and which files an own card needs that are not in the archive', () => {
  const withCard = (cardFile: string, archive = INPUT.archive) => {
    const run = { ...BUNDLE.resolved.run, cardFile, cardFiles: { 'proxy.mjs': 'ab', 'lib.mjs': 'cd' } };
    return issueText({ ...INPUT, archive, bundle: { ...BUNDLE, resolved: { ...BUNDLE.resolved, run } } }).body;
  };
  expect(withCard('their-card.yaml')).toMatch(/found with hangup 0\.1\.0, a harness [^]* then\.\n\nIn a clone of it, with the attached `[^]*not in the archive: `proxy.mjs`, `lib.mjs`\. Put it beside a copy of the archive's `system\.yaml`, and add `--system \.\/system\.yaml`\.\n/);
  const alone = withCard('their-card.yaml', null);
  expect(alone).toContain("It needs the system's card, and what lies beside it: `proxy.mjs`, `lib.mjs`.\n");
  expect(alone).not.toContain('the archive');
  // What lies beside a card of hangup's own comes with hangup.
  expect(withCard('images/reference-router/system.yaml')).not.toContain('not in the archive');
});

it('the command that runs it again asks for the secrets that it needs, and holds none', () => {
  const argv = ['run', '--secret', 'key=hidden-value'];
  const { body } = issueText({ ...INPUT, bundle: { ...BUNDLE, manifest: { ...BUNDLE.manifest, argv } } });
  expect(body).toMatch(/\nnpx hangup rerun \S+ --secret key=\.\.\.\n/);
  expect(body).not.toContain('hidden-value');
});

it('a control is said to be one, and never to be run alone', () => {
  const { body } = issueText(
    withVerdicts({ outcome: 'does-not-apply', verdicts: [] }, { manifest: { ...BUNDLE.manifest, isControl: true } }),
  );
  expect(body.split('\n')[0]).toContain('**This is a control:**');
  expect(body).not.toMatch(/^npx hangup rerun/m);
});
