// One bad file a line of the table: its code, its place, and a word of its hint. Every code there is
// must be in it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ProblemError } from '../model/problem.ts';
import type { Problem } from '../model/problem.ts';
import { SCENARIO_CODES } from './codes.ts';
import type { ScenarioCode } from './codes.ts';
import { PACKAGE_ROOT } from './identity.ts';
import { parseScenarios } from './load-scenarios.ts';
import { testRegistries } from './test-registries.ts';
import { scenarioWith } from './test-scenario.ts';

const problemsIn = (content: string | Buffer): readonly Problem[] => {
  try {
    parseScenarios('bad.yaml', content, 'test/bad', { registries: testRegistries });
    return [];
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return error.problems;
  }
};

type Row = readonly [title: string, content: string | Buffer, code: ScenarioCode, line: number, column: number, hint: RegExp];

const upstreams = (text: string): string => scenarioWith({ upstreams: `upstreams: { model: endless, other: ${text} }` });
const SCRIPTED = 'clients: { alice: { account: { balance: 1 }, script: [request: chat, { disconnect: fin, mark: gone }, ';
const script = (text: string): string => scenarioWith({ clients: `${SCRIPTED}${text}] } }` });
const expectation = (text: string): string => scenarioWith({ expect: `expect: [clean-shutdown, ${text}]` });
const SYSTEM = 'system: { card: x, clocks: ';
const system = (clocks: string): string => scenarioWith({ system: `${SYSTEM}${clocks} }` });
const CLOCK = SYSTEM.length + 3;
const UP = 'upstreams: { model: endless, other: '.length + 1;
const SCRIPT = SCRIPTED.length + 1;
const EXPECT = 'expect: [clean-shutdown, '.length + 1;
const bomb = [
  'a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]',
  ...[...'bcdefgh'].map((name, at) => `${name}: &${name} [${`*${'abcdefg'[at]}, `.repeat(9)}]`),
].join('\n');
const thirty = Array.from({ length: 30 }, (_, at) => at).join(', ');

const table: readonly Row[] = [
  ['bytes that are no UTF-8', Buffer.concat([Buffer.from('version: 1\nname: gr\u00fc\u00df '), Buffer.from([0xff, 0x0a])]),
    'not-utf8', 2, 12, /UTF-8/],
  ['UTF-16', Buffer.from('\ufeffversion: 1\n', 'utf16le'), 'not-utf8', 1, 1, /UTF-16/],
  ['a cut sequence', Buffer.from([0x61, 0x3a, 0x20, 0xe2, 0x82]), 'not-utf8', 1, 4, /UTF-8/],
  ['a NUL', 'version: 1\nname: a\u0000b\n', 'control-character', 2, 8, /escape/],
  ['an escape sequence', 'version: 1\nname: \u001b[31mred\n', 'control-character', 2, 7, /escape/],
  ['nothing', '', 'empty-file', 1, 1, /version: 1/],
  ['only a comment', '# later\n', 'empty-file', 1, 1, /version: 1/],
  ['tabs', 'version: 1\nclients:\n\talice: {}\n', 'tab-indentation', 3, 1, /spaces/],
  ['tabs after spaces', 'version: 1\nclients:\n  \talice: {}\n', 'tab-indentation', 3, 3, /spaces/],
  ['an open bracket', 'version: 1\ntags: [a\n', 'yaml-syntax', 3, 1, /bracket/],
  ['a colon in plain text', 'version: 1\nname: one: two\n', 'yaml-syntax', 2, 7, /quote/],
  ['a bare reference in a flow map', 'version: 1\nsystem: { card: ${card} }\n', 'yaml-syntax', 2, 18, /quote a reference/],
  ['an alias without anchor', 'version: 1\nname: *nam\n', 'yaml-alias', 2, 7, /none is anchors/],
  ['a bomb of aliases', bomb, 'yaml-alias', 4, 24, /write less/],
  ['a tag', 'version: 1\nname: !secret x\n', 'yaml-tag', 2, 7, /tag/],
  ['a directive', '%YAML 1.1\n---\nversion: 1\n', 'yaml-directive', 1, 1, /%/],
  ['two documents', `${scenarioWith({})}---\n${scenarioWith({})}`, 'multiple-documents', 10, 1, /file of its own/],
  ['a list', '- version: 1\n', 'root-not-map', 1, 1, /version: 1/],
  ['a word', 'scenario\n', 'root-not-map', 1, 1, /version: 1/],
  ['a key that is a list', 'version: 1\n? [a, b]\n: c\n', 'key-not-text', 2, 3, /key: value/],
  ['a prototype', 'version: 1\n__proto__: { a: 1 }\n', 'key-not-text', 2, 1, /^$/],
  ['a key twice', scenarioWith({ name: 'name: a\nname: b' }), 'duplicate-key', 3, 1, /keep one/],
  ['deep lists', `a: ${'['.repeat(60)}${']'.repeat(60)}\n`, 'too-deep', 1, 44, /levels|needs/],
  ['very deep lists', `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`, 'too-deep', 1, 44, /needs/],
  ['very deep compact lists', `a:\n  ${'- '.repeat(20_000)}x\n`, 'too-deep', 2, 83, /needs/],
  ['deep maps', Array.from({ length: 60 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'), 'too-deep', 42, 42, /needs/],
  ['a million commas', `a: [${','.repeat(1_000_000)}]\n`, 'file-too-complex', 1, 1, /page of text/],
  ['an unknown key', scenarioWith({ name: 'name: a\nexpects: []' }), 'unknown-key', 3, 1, /did you mean `expect`\?/],
  ['an unknown option', upstreams('{ endless: { evry: 1s } }'), 'unknown-key', 5, UP + 13, /did you mean `every`\?/],
  ['an option beside its kind', script('{ receive: {}, events: 3 }'), 'unknown-key', 6, SCRIPT + 15, /inside: `receive: \{ events/],
  ['no expectations', scenarioWith({ expect: '' }), 'missing-key', 1, 1, /^$/],
  ['no system', scenarioWith({ system: '' }), 'missing-key', 1, 1, /^$/],
  ['an option is missing', expectation('{ upstream-closed: { upstream: model } }'),
    'missing-key', 8, EXPECT + 2, /for example `upstream-closed/],
  ['an option is missing from a bare kind', script('disconnect'), 'missing-key', 6, SCRIPT, /for example `disconnect: \{ how: fin \}`/],
  ['an account without balance', scenarioWith({ clients: 'clients: { bob: { account: {}, script: [pause] } }' }),
    'missing-key', 6, 19, /same-as/],
  ['wrong throughout', scenarioWith({ catches: Array.from({ length: 300 }, (_, at) => `k${at}: 1`).join('\n') }),
    'too-many-problems', 209, 1, /^$/],
  ['text for a map', scenarioWith({ clients: 'clients: alice' }), 'wrong-type', 6, 10, /^$/],
  ['a number for text', scenarioWith({ name: 'name: 12' }), 'wrong-type', 2, 7, /quote it: "12"/],
  ['nothing for a list', scenarioWith({ expect: 'expect:' }), 'wrong-type', 8, 1, /^$/],
  ['one for a list', expectation('{ expect-status: { status: 200 } }'), 'wrong-type', 8, EXPECT + 27, /write a list/],
  ['a scalar for options', script('{ pause: 3 }'), 'wrong-type', 6, SCRIPT + 9, /`pause` alone/],
  ['another version', scenarioWith({ version: 'version: 2' }), 'bad-value', 1, 10, /possible: 1/],
  ['a choice that is none', script('{ disconnect: { how: fni } }'), 'bad-value', 6, SCRIPT + 21, /did you mean `fin`\?/],
  ['below the minimum', script('{ receive: { events: 0 } }'), 'bad-value', 6, SCRIPT + 21, /^$/],
  ['a duration below the minimum', upstreams('{ endless: 0ms }'), 'bad-value', 5, UP + 11, /^$/],
  ['a status that is none', upstreams('{ error-status: 42 }'), 'wrong-type', 5, UP + 16, /for example `error-status/],
  ['a signal that is none', scenarioWith({ faults: 'faults: [{ after: gone, signal: SIGTREM }]' }),
    'bad-value', 7, 33, /did you mean `SIGTERM`\?/],
  ['a number that is none', expectation('{ ratio: { p: .inf } }'), 'bad-value', 8, EXPECT + 14, /quote/],
  ['a bad client name', scenarioWith({ clients: 'clients: { Al ice: { script: [pause] } }' }), 'bad-name', 6, 12, /lower-case/],
  ['a bad mark name', script('{ disconnect: rst, mark: 7 }'), 'bad-name', 6, SCRIPT + 25, /lower-case/],
  ['an axis that looks like a header', scenarioWith({ catches: 'matrix: { cookie: [none, large] }', name: 'name: "${cookie}"' }), 'bad-name', 9, 11, /cookie or api-key/],
  ['a client that looks like a header', scenarioWith({ clients: 'clients: { cookies: { script: [pause] } }' }), 'bad-name', 6, 12, /cookie or api-key/],
  ['an upstream that looks like a header', scenarioWith({ upstreams: 'upstreams: { model: endless, x-api-key: silent }' }), 'bad-name', 5, 30, /cookie or api-key/],
  ['a duration without unit', upstreams('{ endless: { every: 5 } }'), 'bad-duration', 5, UP + 20, /500ms/],
  ['an unknown period', scenarioWith({ catches: 'watch: 3 renwals' }), 'bad-duration', 9, 8, /3 renewals/],
  ['a range the wrong way round', scenarioWith({ faults: 'faults: [{ after: gone, wait: 900ms..100ms, signal: SIGTERM }]' }),
    'bad-duration', 7, 31, /the shorter first/],
  ['a range of what must be fixed', upstreams('{ endless: { every: 5ms..9ms } }'), 'bad-duration', 5, UP + 20, /500ms/],
  ['a wait where there is no mark', scenarioWith({ faults: 'faults: [{ before: start, wait: 1s, signal: SIGTERM }]' }),
    'not-one-key', 7, 27, /leave one out/],
  ['a bad size', upstreams('{ endless: { bytes: 64kb } }'), 'bad-size', 5, UP + 20, /64KiB/],
  ['a bad pattern', script('{ await: { log: "(" } }'), 'bad-pattern', 6, SCRIPT + 16, /JavaScript/],
  ['an exponential pattern', script('{ await: { log: "(a+)+$" } }'), 'bad-pattern', 6, SCRIPT + 16, /repetition/],
  ['an unknown behaviour', upstreams('{ endles: {} }'), 'unknown-kind', 5, UP + 2, /did you mean `endless`\?/],
  ['an unknown bare step', script('resum'), 'unknown-kind', 6, SCRIPT, /known: request/],
  ['two kinds', script('{ pause: , disconnect: fin }'), 'not-one-key', 6, SCRIPT + 11, /entry of its own/],
  ['no kind', script('{ mark: here }'), 'not-one-key', 6, SCRIPT, /known: request/],
  ['an unknown upstream', expectation('{ upstream-closed: { upstream: modl, within: 2s } }'),
    'unknown-name', 8, EXPECT + 31, /did you mean `model`\?/],
  ['an unknown client, bare', expectation('{ nothing-reserved: alcie }'), 'unknown-name', 8, EXPECT + 20, /did you mean `alice`\?/],
  ['an unknown mark', expectation('{ renewal-stopped: { client: alice, after: gon } }'),
    'unknown-name', 8, EXPECT + 43, /did you mean `gone`\?/],
  ['the mark `due` as a name', expectation('{ renewal-stopped: { client: alice, after: due } }'),
    'unknown-name', 8, EXPECT + 43, /bound: progress/],
  ['a fault after an unknown mark', scenarioWith({ faults: 'faults: [{ after: gonn, signal: SIGTERM }]' }),
    'unknown-name', 7, 19, /did you mean `gone`\?/],
  ['an instance too many', scenarioWith({ faults: 'faults: [{ after: gone, signal: { signal: SIGTERM, instance: 2 } }]' }),
    'unknown-name', 7, 62, /instances/],
  ['a client of an instance too many', scenarioWith({ clients: 'clients: { bob: { instance: 2, script: [pause] } }' }),
    'unknown-name', 6, 29, /the system has 1; set/],
  ['a clock of an instance too many', system('{ 3: { ahead: 1h } }, instances: 2'), 'unknown-name', 3, CLOCK, /the system has 2/],
  ['a clock of no instance', system('{ zero: { ahead: 1h } }'), 'bad-value', 3, CLOCK, /^$/],
  ['a clock both ways', system('{ 1: { ahead: 1h, behind: 1h } }'), 'bad-value', 3, CLOCK + 3, /^$/],
  ['a clock neither way', system('{ 1: {} }'), 'bad-value', 3, CLOCK + 3, /^$/],
  ['a clock by periods', system('{ 1: { ahead: 2 leases } }'), 'bad-value', 3, CLOCK + 3, /^$/],
  ['a fault both after a mark and before the start', scenarioWith({ faults: 'faults: [{ after: gone, before: start, signal: SIGTERM }]' }),
    'not-one-key', 7, 10, /leave one out/],
  ['a fault before anything else', scenarioWith({ faults: 'faults: [{ before: gone, signal: SIGTERM }]' }),
    'bad-value', 7, 20, /possible: start/],
  ['a fault at no time', scenarioWith({ faults: 'faults: [{ signal: SIGTERM }]' }), 'missing-key', 7, 10, /before: start/],
  ['a fault that waits for its own mark twice set', scenarioWith({ faults: 'faults: [{ after: gone, signal: SIGTERM, mark: gone }]' }),
    'duplicate-mark', 7, 48, /its own name/],
  ['a fault with a mark of the harness', scenarioWith({ faults: 'faults: [{ after: gone, signal: SIGTERM, mark: due }]' }),
    'reserved-mark', 7, 48, /another name/],
  ['a name of a claim that is none', expectation('{ nothing-reserved: alice, as: [1] }'), 'wrong-type', 8, EXPECT + 31, /^$/],
  ['a name of a claim that is empty', expectation('{ nothing-reserved: alice, as: "" }'), 'bad-value', 8, EXPECT + 31, /^$/],
  ['a wait for an own mark that comes later', scenarioWith({
    clients: 'clients: { bob: { script: [await: { mark: gone }, { pause: , mark: gone }] } }', expect: 'expect: [clean-shutdown]' }),
    'bad-value', 6, 43, /another client/],
  ['a wait for an unknown mark', script('{ await: { mark: gonn } }'), 'unknown-name', 6, SCRIPT + 17, /did you mean `gone`\?/],
  ['an account of nobody', scenarioWith({ clients: 'clients: { bob: { account: { same-as: bo }, script: [pause] } }' }),
    'unknown-name', 6, 39, /did you mean `bob`\?/],
  ['an account paid by nobody', scenarioWith({ clients: 'clients: { bob: { account: { balance: 1, paid-by: bo }, script: [pause] } }' }),
    'unknown-name', 6, 51, /did you mean `bob`\?/],
  ['an account that is paid by itself', scenarioWith({ clients: 'clients: { bob: { account: { balance: 1, paid-by: bob }, script: [pause] } }' }),
    'bad-value', 6, 51, /has a balance/],
  ['a payer for the account of another', scenarioWith({
    clients: 'clients: { al: { account: { balance: 1 }, script: [pause] }, bob: { account: { same-as: al, paid-by: al }, script: [pause] } }' }),
    'bad-value', 6, 102, /leave `paid-by` out/],
  ['an unknown bound', expectation('{ renewal-stopped: { client: alice, after: { bound: progres } } }'),
    'bad-value', 8, EXPECT + 52, /did you mean `progress`\?/],
  ['an unknown variable', scenarioWith({ name: 'name: for ${who}' }), 'unknown-reference', 2, 11, /--var who=/],
  ['an unknown dotted reference', scenarioWith({ system: 'system: { card: x, settings: { a: "${upstreams.modl.url}" } }' }),
    'unknown-reference', 3, 36, /did you mean `upstreams.model.url`\?/],
  ['the mark set twice', script('{ pause: , mark: gone }'), 'duplicate-mark', 6, SCRIPT + 17, /its own name/],
  ['a mark of the harness', script('{ pause: , mark: due }'), 'reserved-mark', 6, SCRIPT + 17, /another name/],
  ['a barrier for one', script('barrier: all'), 'lonely-barrier', 6, SCRIPT + 9, /second script/],
  ['a caught claim that is not made', scenarioWith({ catches: 'catches: { d: [upstream-close] }' }),
    'not-claimed', 9, 16, /did you mean `upstream-closed`\?/],
  ['a claim that must be concluded otherwise and is not made', scenarioWith({ catches: 'concludes: { upstream-closed#2: { violated: x } }' }),
    'not-claimed', 9, 14, /did you mean `upstream-closed`\?/],
  ['a claim that is concluded twice', scenarioWith({ catches: 'concludes: { upstream-closed: { violated: x, inconclusive: y } }' }),
    'bad-value', 9, 31, /^/],
  ['a conclusion without its reason', scenarioWith({ catches: 'concludes: { upstream-closed: { inconclusive: "" } }' }),
    'bad-value', 9, 47, /^/],
  ['a seen violation that is not claimed', scenarioWith({ catches: 'saw: { seed: { what: x, violates: [refundable] } }' }),
    'not-claimed', 9, 36, /claimed: clean-shutdown/],
  ['a matrix that explodes', scenarioWith({ matrix: `matrix: { a: [${thirty}], b: [${thirty}] }`, name: 'name: ${a} ${b}' }),
    'matrix-too-large', 4, 1, /split/],
  ['an axis that is used nowhere', scenarioWith({ matrix: 'matrix: { how: [fin] }' }), 'unused-axis', 4, 11, /\$\{how\}/],
  ['an axis that is no list', scenarioWith({ matrix: 'matrix: { how: fin }', name: 'name: ${how}' }), 'wrong-type', 4, 16, /how: \[a, b\]/],
  ['a value twice', scenarioWith({ matrix: 'matrix: { how: [fin, fin] }', name: 'name: ${how}' }), 'bad-value', 4, 22, /leave one out/],
  ['an exclusion of nothing', scenarioWith({ matrix: 'matrix: { how: [fin], exclude: [{ how: rst }] }', name: 'name: ${how}' }),
    'unknown-name', 4, 40, /it has: fin/],
  ['everything excluded', scenarioWith({ matrix: 'matrix: { how: [fin], exclude: [{ how: fin }] }', name: 'name: ${how}' }),
    'bad-value', 4, 23, /leave one in/],
];

// Shown where files lie on disk: load-scenarios.test.ts, use.test.ts and load-card.test.ts.
const ELSEWHERE: readonly ScenarioCode[] = [
  'path-not-found', 'file-unreadable', 'file-too-large', 'unknown-variable', 'duplicate-id', 'unknown-card',
  'bad-use', 'fragment-cycle', 'not-a-fragment', 'fragment-not-scenario', 'missing-variable', 'conflicting-key',
];
const SINGLE: readonly ScenarioCode[] = [
  'unknown-kind', 'bad-duration', 'unknown-name', 'bad-pattern', 'not-claimed', 'unused-axis', 'unknown-reference',
];

describe('bad files', () => {
  test.each(table)('%s', (_, content, code, line, column, hint) => {
    const problems = problemsIn(content);
    const placeOf = ({ code, location }: Problem): string => `${code} ${location?.line}:${location?.column}`;
    expect(problems.map(placeOf)).toContain(`${code} ${line}:${column}`);
    const found = problems.find((problem) => placeOf(problem) === `${code} ${line}:${column}`)!;
    expect(found.family).toBe('scenario');
    expect(found.hint ?? '').toMatch(hint);
    expect(found.message).not.toMatch(/^$|Invalid/);
    expect(found.message).not.toContain('\n');
    expect(found.location!.excerpt).toMatch(/\n *\^+$/);
  });

  test('one mistake is one problem', () => {
    const single = table.filter(([, , code]) => SINGLE.includes(code));
    for (const [title, content] of single) expect([title, problemsIn(content).length]).toEqual([title, 1]);
  });

  test('what is missing is named', () => {
    const text = scenarioWith({ system: '', expect: '', faults: 'faults: [{ signal: SIGTERM }, { after: gone }]' });
    expect(problemsIn(text).map(({ message }) => message)).toEqual([
      '`system` is missing', '`expect` is missing', '`after` is missing', 'which fault is missing',
    ]);
  });

  test('every code is in the table or shown elsewhere', () => {
    const shown = new Set([...table.map(([, , code]) => code), ...ELSEWHERE]);
    expect(SCENARIO_CODES.filter((code) => !shown.has(code))).toEqual([]);
  });

  test('every code is documented', async () => {
    const text = await readFile(join(PACKAGE_ROOT, 'docs', 'problems.md'), 'utf8');
    expect(SCENARIO_CODES.filter((code) => !text.includes(`| \`${code}\` |`))).toEqual([]);
  });

  test('all problems of a file come at once, in its order', () => {
    const text = scenarioWith({
      name: 'nam: x',
      upstreams: 'upstreams: { model: endles }',
      faults: 'faults: [{ after: gon, signal: SIGTERM }]',
      catches: 'catches: { d: [nothing] }',
    });
    expect(problemsIn(text).map(({ code, location }) => `${location?.line} ${code}`)).toEqual([
      '1 missing-key', '2 unknown-key', '5 unknown-kind', '7 unknown-name', '9 not-claimed',
    ]);
  });
});
