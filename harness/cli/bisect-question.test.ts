// What a search hangs on: a branch that has moved is another question, and no secret is written into the question.
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { JUDGE_VERSION } from '../bundle/format.ts';
import { bisectRepository } from '../e2e/fixtures/bisect-repository.ts';
import type { ProblemError } from '../model/problem.ts';
import { differingParts } from '../plan/bisect-run/question.ts';
import { toBisectOptions } from './bisect-options.ts';
import type { BisectFlags } from './bisect-options.ts';
import { askQuestion } from './bisect-question.ts';
import { commitsOf } from '../systems/axes/values.ts';
import { packageVersion } from './package-version.ts';
import { testTerminal } from './test-terminal.ts';

test('names are kept as commits, variables without secrets and with their hash', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-question-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { path, commits, git } = bisectRepository(join(folder, 'proxy'), ['one', 'two', 'three']);
  git('branch', 'stable', 'v1');
  const card = readFileSync(join(path, 'card.yaml'), 'utf8').replace('${card}', '${source}').replace(/^run:/m, 'versions: { from: git, repository: ./proxy }\nrun:');
  writeFileSync(join(folder, 'card.yaml'), card);
  const scenario = readFileSync(join(path, 'leak.yaml'), 'utf8').replace('watch:', 'about: "${note}"\nwatch:');
  writeFileSync(join(folder, 'leak.yaml'), scenario);
  const { terminal } = testTerminal({ cwd: folder, environment: { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') } });
  const secret = 'Qx7-moss-lantern-4431';
  terminal.secrets.give(secret, 'the secret "token"');
  const options = toBisectOptions('leak.yaml', {
    system: './card.yaml', axis: [['version', ['stable', 'main']]], var: { note: secret }, confidence: 0.95, maxProbes: 9, endRuns: 9, runtime: 'process',
  });
  const { question, card: read, aboutOf } = await askQuestion(terminal, options);
  expect(question).toMatchObject({ commits: { version: [commits[1], commits[2]] }, judge: JUDGE_VERSION, variablesHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(question.hangup.startsWith(packageVersion())).toBe(true);
  expect(JSON.stringify(question)).not.toContain(secret);
  expect([aboutOf(['stable']), aboutOf(['main']), aboutOf(['never'])]).toEqual(['version 1', 'version 2', '']);
  expect(question.axes).toEqual([{ axis: 'version', values: ['stable', 'main'] }]);

  const other = await askQuestion(terminal, { ...options, variables: { note: `${secret}-2` } });
  expect(differingParts(question, other.question).map(({ key }) => key)).toEqual(['variablesHash']);
  // Each revision is asked for by its name; one that is not there is for the search to find untestable.
  const context = { environment: { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') }, progress: () => {} };
  expect(await commitsOf(read, 'version', ['v0', 'never', commits[0]!.slice(0, 12)], context)).toEqual([commits[0], null, commits[0]!.slice(0, 12)]);
});

/** A folder with the repository, a card whose versions are its commits, and a way to ask about two ends. */
const between = () => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-question-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const repository = bisectRepository(join(folder, 'proxy'), ['one', 'two', 'three']);
  const card = readFileSync(join(repository.path, 'card.yaml'), 'utf8').replace('${card}', '${source}').replace(/^run:/m, 'versions: { from: git, repository: ./proxy }\nrun:');
  writeFileSync(join(folder, 'card.yaml'), card);
  copyFileSync(join(repository.path, 'leak.yaml'), join(folder, 'leak.yaml'));
  const { terminal } = testTerminal({ cwd: folder, environment: { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') } });
  const askWith = (flags: Partial<BisectFlags>, path = 'leak.yaml') =>
    askQuestion(terminal, toBisectOptions(path, { system: './card.yaml', axis: [['version', []]], confidence: 0.95, maxProbes: 9, endRuns: 9, runtime: 'process', ...flags }));
  const ask = (good: string, bad: string) => askWith({ good: [good], bad: [bad] });
  return { ...repository, folder, ask, askWith };
};

test('an end on a branch that was left is told with where it was left, whichever end it is; ends the other way round are searched backwards', async () => {
  const { git, commits, ask } = between();
  git('switch', '-q', '-c', 'release', 'v1');
  git('commit', '-q', '--allow-empty', '-m', 'only there');
  git('tag', 'v1.0.1');
  git('switch', '-q', 'main');
  const short = commits.map((commit) => commit.slice(0, 12));
  const lines = (good: string, bad: string) => ask(good, bad).then(({ question }) => question.axes, (error: unknown) => (error as ProblemError).problems[0]);
  expect(await lines('v1.0.1', 'main')).toMatchObject({
    code: 'bad-range', message: 'version=v1.0.1..main: v1.0.1 is not on the line of first parents that leads to main', hint: `write version=${short[1]}..main: there both lines part`,
  });
  expect(await lines('main', 'v1.0.1')).toMatchObject({
    code: 'bad-range', message: 'version=main..v1.0.1: main is not on the line of first parents that leads to v1.0.1', hint: `write version=${short[1]}..v1.0.1: there both lines part`,
  });
  expect(await lines('v0', 'main')).toEqual([{ axis: 'version', values: short }]);
  expect(await lines('main', 'v0')).toEqual([{ axis: 'version', values: short.toReversed(), isBackwards: true }]);
});

test('a good end that is looked for is another question than the oldest as the good end: what they look for may be another symptom', async () => {
  const { ask, askWith } = between();
  const [named, lookedFor] = [await ask('v0', 'main'), await askWith({ findGood: true, bad: ['main'] })];
  expect(lookedFor.question.axes).toEqual(named.question.axes);
  expect(differingParts(lookedFor.question, named.question)).toEqual([{ key: 'findGood', path: ['findGood'], what: 'whether the good end is named or looked for' }]);
});

test('the only scenario of a folder is as good as named: a defect that it does not catch is planted all the same', async () => {
  const { folder, askWith } = between();
  mkdirSync(join(folder, 'only'));
  copyFileSync(join(folder, 'leak.yaml'), join(folder, 'only', 'leak.yaml'));
  const card = readFileSync(join(folder, 'card.yaml'), 'utf8');
  writeFileSync(join(folder, 'card.yaml'), `${card}defects: { env: DEFECTS, presets: { slow: [slow] } }\n`);
  const { question, cellAt } = await askWith({ good: ['v0'], bad: ['main'], defect: ['slow'] }, 'only');
  expect([question.defects, cellAt([question.axes[0]!.values[0]!]).defects]).toEqual([['slow'], ['slow']]);
});
