// What a search hangs on: a branch that has moved is another question, and no secret is written into the question.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { JUDGE_VERSION } from '../bundle/format.ts';
import { bisectRepository } from '../e2e/fixtures/bisect-repository.ts';
import { differingParts } from '../plan/bisect-run/question.ts';
import { toBisectOptions } from './bisect-options.ts';
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
