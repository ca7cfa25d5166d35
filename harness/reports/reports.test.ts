// Reports from a fixed run, against files that a person has looked at.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FORMAT_VERSION } from '../bundle/format.ts';
import { MANIFEST, OBSERVATIONS, RESOLVED, VERDICTS } from '../bundle/fixture.ts';
import { createTimeline } from '../model/timeline.ts';
import { scenarioOutcome } from '../model/verdict.ts';
import type { Verdict } from '../model/verdict.ts';
import { renderHtml } from './html/render-html.ts';
import { drawLanes } from './lanes.ts';
import { renderReport } from './report-md.ts';
import { reporters } from './registry.ts';
import { wantsColour } from './reporter.ts';
import type { Reporter, ReportOutput } from './reporter.ts';
import { rerunCommand } from './rerun.ts';
import { headline, statusOf } from './status.ts';
import { summarise } from './summary.ts';
import type { ScenarioSummary } from './summary.ts';
import { columns, markdownText, oneLine } from './text.ts';

const golden = (name: string): string => join(import.meta.dirname, 'golden', name);

const SUMMARY = summarise({ verdicts: VERDICTS, run: RESOLVED.run, tookMs: 3610, folder: 'evidence/r1/disconnect-endless-how-fin' });
const PASSED: ScenarioSummary = summarise({
  verdicts: { ...VERDICTS, scenario: 'disconnect/finite', outcome: 'passed', verdicts: VERDICTS.verdicts.slice(3) },
  run: { ...RESOLVED.run, defects: [] }, tookMs: 900, folder: 'evidence/r1/disconnect-finite',
});

const record = (kind: string, extra: Partial<ReportOutput> = {}): { reporter: Reporter; text: () => string } => {
  let written = '';
  const output = { write: (text: string) => { written += text; }, isTerminal: false, columns: 100, hasColour: false, ...extra };
  return { reporter: reporters.get(kind)!.open(output), text: () => written };
};

const play = (reporter: Reporter): void => {
  reporter.begin?.({ scenarios: [SUMMARY.scenario, PASSED.scenario], runtime: 'process', why: 'no engine answers' });
  reporter.phase?.(SUMMARY.scenario, 'prepare');
  reporter.phase?.(PASSED.scenario, 'prepare');
  reporter.phase?.(SUMMARY.scenario, 'drive');
  reporter.finish?.(PASSED);
  reporter.finish?.(SUMMARY);
  reporter.end({ summaries: [SUMMARY, PASSED], exitCode: 1, tookMs: 4_000, folder: 'evidence/r1' });
};

it('is the page that was looked at', async () => {
  const page = renderReport({
    manifest: { ...MANIFEST, format: FORMAT_VERSION, phases: { prepare: 800, drive: 610, stop: 110 } },
    resolved: RESOLVED, timeline: createTimeline(OBSERVATIONS), control: null, verdicts: VERDICTS,
    right: ({ kind }) => ({ about: `What ${kind} asks for.`, violatedIf: ['it is still open 1.0 s after mark gone'], usesControl: true }),
  });
  await expect(page).toMatchFileSnapshot(golden('report.md'));
});

it('writes what was looked at on a terminal', async () => {
  const { reporter, text } = record('terminal');
  play(reporter);
  await expect(text()).toMatchFileSnapshot(golden('terminal.txt'));
});

it.each(['report.md', 'terminal.txt'])('names a claim as its scenario does, beside its own name: labelled-%s', async (name) => {
  const verdicts = {
    ...VERDICTS,
    verdicts: VERDICTS.verdicts.map((verdict, index) =>
      index % 2 === 0 ? { ...verdict, as: `(${index + 1}) a | name\u001b[2J of it` } : verdict),
  };
  const shown = { kind: name.split('.')[0]!, summary: summarise({ verdicts, run: RESOLVED.run, tookMs: 3610, folder: 'evidence/r1/x' }) };
  const page = (): string => renderReport({
    manifest: { ...MANIFEST, format: FORMAT_VERSION, phases: {} }, resolved: RESOLVED,
    timeline: createTimeline(OBSERVATIONS), control: null, verdicts,
  });
  const told = (): string => {
    const { reporter, text } = record(shown.kind);
    reporter.end({ summaries: [shown.summary], exitCode: 1, tookMs: 4_000, folder: null });
    return text();
  };
  const text = shown.kind === 'report' ? page() : told();
  expect(text).toContain('(1) a ');
  expect(text).not.toContain('\u001b');
  await expect(text).toMatchFileSnapshot(golden(`labelled-${name}`));
});

it('rewrites running lines on a terminal, and leaves none of them behind', async () => {
  const { reporter, text } = record('terminal', { isTerminal: true, hasColour: true });
  play(reporter);
  await expect(text().replaceAll('\u001b', '<ESC>')).toMatchFileSnapshot(golden('terminal-live.txt'));
});

it('colours a terminal only, and never against NO_COLOR', () => {
  expect(wantsColour(true, {})).toBe(true);
  expect(wantsColour(true, { NO_COLOR: '1' })).toBe(false);
  expect(wantsColour(true, { TERM: 'dumb' })).toBe(false);
  expect(wantsColour(false, {})).toBe(false);
  expect(wantsColour(false, { FORCE_COLOR: '1' })).toBe(true);
});

const withKnown = (outcomes: Record<string, Verdict['outcome']>, violates: string[]): ScenarioSummary => summarise({
  verdicts: {
    ...VERDICTS, outcome: Object.values(outcomes).includes('violated') ? 'failed' : 'passed',
    verdicts: Object.entries(outcomes).map(([id, outcome]) => ({ claim: id, id, options: {}, outcome, reason: 'r', evidence: [] })),
  },
  run: { ...RESOLVED.run, known: [{ violates, issue: 'https://example.org/1' }] }, tookMs: 1, folder: null,
});

it('sets known violations apart, and says what is fixed', () => {
  const known = withKnown({ a: 'violated', b: 'held' }, ['a']);
  expect(known).toMatchObject({ outcome: 'failed', beyondKnown: 'passed', hasListed: true, counts: { violated: 1, known: 1, fixed: 0 } });
  expect(known.rows[0]).toMatchObject({ id: 'a', standing: 'known', issue: 'https://example.org/1' });
  expect(withKnown({ a: 'held', b: 'held' }, ['a'])).toMatchObject({ outcome: 'passed', hasListed: true, counts: { fixed: 1 } });
  expect(withKnown({ a: 'violated', b: 'violated' }, ['a']).beyondKnown).toBe('failed');
  expect(withKnown({ a: 'inconclusive', b: 'held' }, ['a'])).toMatchObject({ hasListed: false, counts: { known: 0, fixed: 0 } });
  expect(withKnown({ a: 'held' }, []).hasListed).toBe(false);
});

const concluding = (outcomes: Record<string, Verdict['outcome']>, presets: readonly string[] = []): ScenarioSummary => {
  const verdicts = Object.entries(outcomes).map(([id, outcome]) => ({
    claim: id.replace(/#.*/, ''), id, options: {}, outcome, reason: `${id} was not open`, evidence: [],
  }));
  return summarise({
    verdicts: { ...VERDICTS, outcome: scenarioOutcome(verdicts), verdicts },
    run: {
      ...RESOLVED.run, presets,
      concludes: { a: { outcome: 'inconclusive', because: 'was not open' }, 'b#2': { outcome: 'violated', because: 'b#2' } },
    },
    tookMs: 1, folder: null,
  });
};

it('takes a run for passed where just that was concluded that must be, for the reason that must be', () => {
  const right = concluding({ a: 'inconclusive', b: 'held', 'b#2': 'violated', c: 'does-not-apply' });
  expect(right).toMatchObject({ outcome: 'failed', beyondKnown: 'passed', otherwise: [] });
  expect(right.rows.map(({ id, standing }) => [id, standing])).toEqual([['b#2', 'right'], ['a', 'right'], ['b', null], ['c', null]]);
  const { reporter, text } = record('terminal');
  reporter.end({ summaries: [right], exitCode: 0, tookMs: 1, folder: null });
  expect(text()).toContain('rightly inconclusive a: a was not open');
  expect(text()).toContain('1 scenario: 1 rightly failed');
});

it.each<[string, Record<string, Verdict['outcome']>, string]>([
  ['held all the same', { a: 'held', 'b#2': 'violated' }, 'a must be inconclusive because of "was not open"; it is held: a was not open'],
  ['violated instead', { a: 'violated', 'b#2': 'violated' }, 'a must be inconclusive'],
  ['another claim violated', { a: 'inconclusive', 'b#2': 'violated', b: 'violated' }, 'b must be held; it is violated'],
  ['held where it must be violated', { a: 'inconclusive', 'b#2': 'held' }, 'b#2 must be violated'],
])('takes it for failed where it was concluded otherwise: %s', (_, outcomes, words) => {
  const wrong = concluding(outcomes);
  expect(wrong.beyondKnown).toBe('failed');
  expect(wrong.otherwise).toEqual([expect.stringContaining(words)]);
  const { reporter, text } = record('terminal');
  reporter.end({ summaries: [wrong], exitCode: 1, tookMs: 1, folder: null });
  expect(text()).toContain(`concluded otherwise: ${words}`);
  expect(text()).toContain(`wrongly ${wrong.outcome}`);
});

it.each<[string, Record<string, Verdict['outcome']>, string]>([
  ['another claim was left open', { a: 'inconclusive', 'b#2': 'violated', b: 'inconclusive' }, 'b must be held; it is inconclusive'],
  ['what must be violated was left open', { a: 'inconclusive', 'b#2': 'inconclusive' }, 'b#2 must be violated'],
])('a run that could not see enough to conclude what it must accuses nobody: %s', (_, outcomes, words) => {
  const open = concluding(outcomes);
  expect(open.beyondKnown).toBe('inconclusive');
  expect(headline(open, statusOf(open))).toMatch(/^inconclusive: b(#2)?$/);
  const { reporter, text } = record('terminal');
  reporter.end({ summaries: [open], exitCode: 2, tookMs: 1, folder: null });
  expect(text()).toContain(`concluded otherwise: ${words}`);
  expect(text()).not.toMatch(/wrongly|rightly failed/);
});

it('does not say what must be concluded of a run with another defect, or of one that broke off', () => {
  expect(concluding({ a: 'held', 'b#2': 'held' }, ['leaks'])).toMatchObject({ otherwise: null, beyondKnown: 'passed' });
  expect(concluding({ a: 'does-not-apply' })).toMatchObject({ otherwise: null, beyondKnown: 'does-not-apply' });
});

it('says known on the terminal instead of failed', () => {
  const { reporter, text } = record('terminal');
  reporter.end({ summaries: [withKnown({ a: 'violated', b: 'held' }, ['a'])], exitCode: 0, tookMs: 1, folder: null });
  expect(text()).toContain('known a: r (https://example.org/1)');
  expect(text()).toContain('1 scenario: 1 known');
  expect(text()).toContain('1 violated (1 known)');
});

it('shows what went wrong with all its lines, and the hint', () => {
  const { reporter, text } = record('terminal');
  const message = 'not ready after 10 s; its log ends:\nlistening\u001b[2J\noops';
  const problems = [{ family: 'environment', code: 'system-not-ready', message, hint: 'look' }] as const;
  const verdicts = { ...VERDICTS, outcome: 'error', verdicts: [], problems } as const;
  const summary = summarise({ verdicts, run: RESOLVED.run, tookMs: 1, folder: 'e/b' });
  reporter.end({ summaries: [summary], exitCode: 3, tookMs: 1, folder: null });
  const shown = ['system-not-ready: not ready after 10 s; its log ends:', '  listening', '  oops', '  hint: look'];
  expect(text()).toContain(shown.map((line) => `    ${line}\n`).join(''));
});

it('keeps names and classes of a stranger on their line too', () => {
  const { reporter, text } = record('terminal');
  const evil = '\u001b]0;x\u0007y';
  const verdicts = VERDICTS.verdicts.map((each) => ({ ...each, claim: evil, class: evil }));
  const problems = [{ family: 'harness', code: evil, message: evil, hint: evil }] as const;
  const run = { ...RESOLVED.run, presets: [evil], catches: { [evil]: [evil, 'z'] }, saw: {} };
  reporter.end({ summaries: [summarise({ verdicts: { ...VERDICTS, verdicts, problems }, run, tookMs: 1, folder: null })], exitCode: 1, tookMs: 1, folder: null });
  expect(text()).not.toMatch(/\u001b\]|\u0007/);
  expect(text()).toContain('not violated here:');
});

it('names what a preset was to show and did not', () => {
  expect(SUMMARY.expected).toEqual([
    { by: 'seed-main', what: 'kept renewing; refund answered 400', violates: ['renewal-stopped', 'refundable'], missing: ['refundable'] },
  ]);
  expect(PASSED.expected).toEqual([]);
  const planted = summarise({ verdicts: VERDICTS, run: { ...RESOLVED.run, defects: ['ignores-disconnect'] }, tookMs: 1, folder: null });
  expect(planted.expected).toEqual([
    { by: 'ignores-disconnect', what: null, violates: ['upstream-closed', 'renewal-stopped'], missing: [] },
  ]);
});

it('lets no answer of a system move the cursor or break a table', () => {
  expect(oneLine('a\u001b[31mb\u0007\r\nc\u009b2Jd')).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  expect(oneLine('x'.repeat(600))).toHaveLength(500);
  expect(markdownText('a|b\n`c` <script> [x](y)')).toBe('a\\|b \\`c\\` \\<script\\> \\[x\\](y)');
  expect(columns([['a', 'b'], ['\u001b[31mlong\u001b[39m', 'c']])).toEqual(['a     b', '\u001b[31mlong\u001b[39m  c']);
});

it('draws marks and intervals that begin or end outside the window', () => {
  const lines = drawLanes(createTimeline(OBSERVATIONS), { fromMs: 1400, toMs: 2700 }, { fromMs: 1000, toMs: 9000 });
  expect(lines.find((line) => line.startsWith('violated'))).toMatch(/^violated +={72}$/);
  expect(lines.find((line) => line.includes('|gone'))).toBeDefined();
  expect(lines.join('\n')).not.toContain('X');
  expect(Math.max(...lines.slice(0, -1).map((line) => line.length))).toBeLessThanOrEqual(90);
  expect(drawLanes(createTimeline([]), { fromMs: 0, toMs: 0 }, null).length).toBeGreaterThan(0);
});

it.each(['markdown', 'html'])('the page of a run says its seed and what was drawn, and nothing of it where there was none: %s', (kind) => {
  const drawn = { seed: 7, times: { 'alice.3.wait.for': 1_234 } };
  const pageOf = (manifest: object, run: object): string => {
    const input = {
      manifest: { ...MANIFEST, format: FORMAT_VERSION, phases: {}, ...manifest }, resolved: { ...RESOLVED, run: { ...RESOLVED.run, ...run } },
      timeline: createTimeline(OBSERVATIONS), control: null, verdicts: VERDICTS,
    };
    return kind === 'markdown' ? renderReport(input) : renderHtml(input);
  };
  const page = pageOf({ seed: 4_711 }, { drawn });
  for (const part of [/^\| seed \||>seed</m, /4711/, /drawn: alice\.3\.wait\.for/, /1\.2 s/]) expect(page).toMatch(part);
  expect(pageOf({}, {})).not.toMatch(/drawn: |^\| seed \||>seed</m);
});

it('gives the command that runs it again, quoted where a shell needs it', () => {
  expect(rerunCommand({ ...MANIFEST, argv: ['run', '--system', './my card.yaml'] }, RESOLVED))
    .toBe('npx hangup run scenarios/disconnect/endless.yaml --where how=fin --runtime process '
      + "--system './my card.yaml' --defect seed-main");
  const argv = [
    'run', '--var', 'events=5', '--system', 'a', '--var=text=two words', '--secret', 'token=[redacted]', '--repeat', '3',
    '--var', 'events=6', '--system=b', '--secret=key=x=y', '--where', 'how=fin,rst', '--reporter', 'json', '--strict',
  ];
  expect(rerunCommand({ ...MANIFEST, argv }, { run: { ...RESOLVED.run, presets: ['seed-main', 'late'], matrix: { how: 'fin', shape: 'a b' } } }))
    .toBe("npx hangup run scenarios/disconnect/endless.yaml --where how=fin --where 'shape=a b' --var events=6 --var 'text=two words' "
      + '--runtime process --system b --defect seed-main,late --secret token=... --secret key=...');
  expect(rerunCommand({ ...MANIFEST, argv: ['run', '--var'] }, RESOLVED)).not.toContain('--var');
  // Where nothing was drawn a seed says nothing; an attempt among several has one that gives its times to a first one.
  const seeded = { ...MANIFEST, argv: ['run', '--seed', '7'], seed: 7 };
  expect(rerunCommand(seeded, RESOLVED)).not.toContain('--seed');
  expect(rerunCommand(seeded, { run: { ...RESOLVED.run, drawn: { seed: 934_467_249, times: { 'alice.3.wait.for': 9 } } } }))
    .toContain(' --seed 934467249 ');
  expect(rerunCommand({ ...MANIFEST, argv: ['--system=x'] }, { run: { ...RESOLVED.run, defects: [], matrix: {}, file: 'mine.yaml' } }))
    .toBe('npx hangup run mine.yaml --runtime process --system x');
  // What an installed hangup brought along lies elsewhere in a clone of it, and is called by the same name.
  const [own, theirs] = ['node_modules/hangup/scenarios/disconnect/endless.yaml', 'node_modules/theirs/scenarios/a.yaml']
    .map((file) => rerunCommand(MANIFEST, { run: { ...RESOLVED.run, file } }));
  expect(own).toContain('hangup run scenarios/disconnect/endless.yaml --where');
  expect(theirs).toContain('hangup run node_modules/theirs/scenarios/a.yaml --where');
});

it('keeps the command on its line, whatever is in it, and means the same', () => {
  const file = "it's\n```\nrm -rf \u202e~\u001b[31m\\x";
  const command = rerunCommand(MANIFEST, { run: { ...RESOLVED.run, file } });
  expect(command).toContain("npx hangup run $'it\\'s\\u000a```\\u000arm -rf \\u202e~\\u001b[31m\\\\x' --where");
  const [, word] = /run (\$'.*') --where/.exec(command)!;
  expect(execFileSync('bash', ['-c', `printf %s ${word}`], { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8' } })).toBe(file);
});

const definitions = reporters.all.map((definition) => [definition.kind, definition] as const);

it.each(definitions)('%s says what it is, and can end without having begun', async (kind, definition) => {
  expect(definition.about).toMatch(/^[a-z].{20,}[^.]$/);
  expect(definition.example).toBe(kind);
  const { reporter, text } = record(kind);
  await reporter.end({ summaries: [], exitCode: 5, tookMs: 0, folder: null });
  // GitHub is told of what is wrong only.
  if (kind !== 'github') expect(text()).not.toBe('');
});
