// JUnit read back by a parser that did not write it: only elements and attributes that Surefire, Jenkins and GitLab know, in
// Surefire's order, with counts that are right.
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { EXIT, exitCode } from '../model/exit-code.ts';
import { endOf, HOSTILE_SET, runOf, SET } from './fixtures/set.ts';
import { renderJunit } from './junit.ts';
import type { RunEnd } from './reporter.ts';

type Element = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
};

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseAttributeValue: false,
  trimValues: false,
});

const toElements = (nodes: readonly Record<string, unknown>[]): readonly Element[] =>
  nodes.flatMap((node): readonly Element[] => {
    const name = Object.keys(node).find((key) => key !== ':@')!;
    if (name === '#text') return [];
    const inner = node[name] as readonly Record<string, unknown>[];
    const text = inner
      .filter((each) => '#text' in each)
      .map((each) => String(each['#text']))
      .join('');
    return [{ name, attributes: (node[':@'] ?? {}) as Record<string, string>, children: toElements(inner), text }];
  });

const parse = async (end: RunEnd): Promise<Element> => {
  const text = await renderJunit(end, { cwd: '/', environment: {} });
  expect(XMLValidator.validate(text)).toBe(true);
  const [declaration, root, ...more] = toElements(parser.parse(text) as Record<string, unknown>[]);
  expect([declaration?.name, declaration?.attributes, more]).toEqual(['?xml', { version: '1.0', encoding: 'UTF-8' }, []]);
  return root!;
};

const COUNTS = ['tests', 'failures', 'errors', 'skipped', 'time'];
const RERUN = { required: ['message', 'type'], optional: [], children: ['stackTrace'] };
const OUTCOME = { required: ['message', 'type'], optional: [], children: [] };
const PLAIN = { required: [], optional: [], children: [] };
/** Children in the order in which Surefire's schema has them; properties of a test come first, as pytest has them. */
const GRAMMAR: Readonly<
  Record<string, { readonly required: readonly string[]; readonly optional: readonly string[]; readonly children: readonly string[] }>
> = {
  testsuites: { required: ['name', ...COUNTS], optional: ['timestamp'], children: ['testsuite'] },
  testsuite: { required: ['name', ...COUNTS], optional: ['timestamp'], children: ['properties', 'testcase'] },
  testcase: {
    required: ['name', 'classname', 'time'],
    optional: ['file'],
    children: ['properties', 'failure', 'rerunFailure', 'flakyFailure', 'skipped', 'error', 'rerunError', 'flakyError', 'system-out'],
  },
  properties: { required: [], optional: [], children: ['property'] },
  property: { required: ['name', 'value'], optional: [], children: [] },
  failure: OUTCOME,
  error: OUTCOME,
  skipped: { ...OUTCOME, required: ['message'] },
  rerunFailure: RERUN,
  flakyFailure: RERUN,
  rerunError: RERUN,
  flakyError: RERUN,
  stackTrace: PLAIN,
  'system-out': PLAIN,
};

const breaksOf = (element: Element): readonly string[] => {
  const rule = GRAMMAR[element.name];
  if (!rule) return [`${element.name} is unknown`];
  const given = Object.keys(element.attributes);
  const order = element.children.map(({ name }) => rule.children.indexOf(name));
  return [
    ...rule.required.filter((name) => !given.includes(name)).map((name) => `${element.name} has no ${name}`),
    ...given.filter((name) => ![...rule.required, ...rule.optional].includes(name)).map((name) => `${element.name} has ${name}`),
    ...(order.some((at, index) => at < (order[index - 1] ?? 0))
      ? [`${element.name}: ${element.children.map(({ name }) => name).join()}`]
      : []),
    ...element.children.flatMap(breaksOf),
  ];
};

const casesOf = (root: Element): readonly Element[] =>
  root.children.flatMap((suite) => suite.children.filter(({ name }) => name === 'testcase'));
const has = (test: Element, name: string): boolean => test.children.some((child) => child.name === name);
const find = (root: Element, name: string): Element => casesOf(root).find(({ attributes }) => attributes.name === name)!;
const namesIn = (test: Element): readonly string[] =>
  test.children.map(({ name }) => name).filter((name) => name !== 'properties' && name !== 'system-out');

const counted = (tests: readonly Element[]): Readonly<Record<string, string>> => {
  const count = (name: string): string => String(tests.filter((test) => has(test, name)).length);
  return { tests: String(tests.length), failures: count('failure'), errors: count('error'), skipped: count('skipped') };
};

const ENDS = [
  ['one of each kind', endOf(SET)],
  ['hostile', endOf(HOSTILE_SET)],
  ['nothing', endOf([])],
] as const;

describe.each(ENDS)('a report of %s', (_, end) => {
  it('has elements, attributes and their order as readers know them', async () => {
    expect(breaksOf(await parse(end))).toEqual([]);
  });

  it('counts what is in it: on top, and in each suite', async () => {
    const root = await parse(end);
    expect(root.attributes).toMatchObject(counted(casesOf(root)));
    for (const suite of root.children)
      expect(suite.attributes).toMatchObject(counted(suite.children.filter(({ name }) => name === 'testcase')));
  });

  it('has each cell once, with at most one of failure, error and skipped', async () => {
    const tests = casesOf(await parse(end));
    expect(tests).toHaveLength(new Set(end.summaries.map(({ cell }) => cell)).size);
    for (const test of tests) expect(['failure', 'error', 'skipped'].filter((name) => has(test, name)).length).toBeLessThanOrEqual(1);
  });
});

it('is green exactly where the exit code is', async () => {
  for (const summary of [...SET, ...HOSTILE_SET]) {
    const [test] = casesOf(await parse(endOf([summary])));
    const isGreen = !has(test!, 'failure') && !has(test!, 'error');
    expect([summary.scenario, isGreen]).toEqual([summary.scenario, [EXIT.passed, EXIT.nothing].includes(exitCode([summary]) as 0 | 5)]);
  }
});

it.each([
  ['disconnect/endless[how=fin]', ['failure']],
  ['disconnect/endless[how=rst]', []],
  ['disconnect/silent', ['skipped']],
  ['disconnect/finite', []],
  ['judges/rightly', []],
  ['judges/wrongly', ['failure']],
  ['drain/flaky', ['failure', 'flakyFailure', 'flakyError']],
  ['drain/always', ['failure', 'rerunFailure']],
  ['drain/unclear', ['error']],
  ['start/broken', ['error']],
  ['start/slow', ['error']],
  ['start/elsewhere', ['skipped']],
])('%s ends with %j', async (cell, names) => {
  expect(namesIn(find(await parse(endOf(SET)), cell))).toEqual(names);
});

it('tells why by type and message, and where the evidence is', async () => {
  const root = await parse(endOf(SET));
  const outcome = (cell: string, name: string): Element => find(root, cell).children.find((child) => child.name === name)!;
  expect(outcome('drain/unclear', 'error').attributes).toEqual({ type: 'inconclusive', message: 'inconclusive: charged-once' });
  expect(outcome('start/broken', 'error').attributes.type).toBe('system-not-ready');
  expect(outcome('judges/wrongly', 'failure').attributes.type).toBe('concluded-otherwise');
  expect(outcome('disconnect/silent', 'skipped').attributes.message).toBe('known: upstream-closed (https://example.org/issues/1)');
  expect(outcome('start/elsewhere', 'skipped').attributes.message).toBe('does not apply: the card has no refund');
  expect(outcome('drain/flaky', 'failure').attributes.message).toBe('flaky, 1 of 3 attempts passed; violated: charged-once');
  expect(outcome('disconnect/endless[how=fin]', 'failure').text).toMatch(/\nevidence: evidence\/r1\/endless-how-fin$/);
  expect(find(root, 'disconnect/endless[how=fin]').attributes).toEqual({
    name: 'disconnect/endless[how=fin]',
    classname: 'disconnect.endless',
    time: '3.610',
    file: 'scenarios/disconnect/endless.yaml',
  });
});

it('attaches the pages of every attempt, and no path that would end its line early', async () => {
  const lines = (root: Element, cell: string): readonly string[] =>
    find(root, cell)
      .children.find(({ name }) => name === 'system-out')!
      .text.split('\n')
      .filter((line) => line.startsWith('[['));
  const root = await parse(endOf(SET));
  expect(lines(root, 'drain/always')).toEqual(
    [1, 2].flatMap((attempt) =>
      ['html', 'md'].map((type) => `[[ATTACHMENT|evidence/r1/drain-always-attempt-${attempt}-of-2-/report.${type}]]`),
    ),
  );
  const odd = runOf('a/b', { outcome: 'does-not-apply', claims: { x: 'does-not-apply' }, folder: 'evidence/x]]y' });
  expect(lines(await parse(endOf([odd])), 'a/b')).toEqual([]);
});
