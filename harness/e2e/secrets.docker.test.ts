// The same canaries where the system is a container: what it prints comes from the engine in pieces, and none comes out of us.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leaksIn, piecesIn } from './fixtures/canaries.ts';
import { CANARIES, SECRETS, writeLoudScenarios } from './fixtures/loud-run.ts';
import { bundlesOf, runOf, runWords, startCli, temporaryFolder } from './test-kit.ts';
import type { Finished } from './test-kit.ts';

const answers = spawnSync('docker', ['version'], { stdio: 'ignore' }).status === 0;
/** As the harness makes them. */
const KEY = /sk-[0-9a-f]{20,}/;

test('an engine answers where tests must not be left out', () => expect(answers || process.env['CI'] === undefined).toBe(true));

describe.skipIf(!answers)('with an engine', () => {
  let folder: string;
  let finished: Finished;
  beforeAll(async () => {
    folder = temporaryFolder(true);
    const paths = writeLoudScenarios(join(folder, 'scenarios'), ['loud', 'dying']);
    const env = { CI_DEPLOY_TOKEN: CANARIES['variable of the harness'] };
    const words = [...SECRETS, '--var', `note=${CANARIES['variable of the harness']}`, '--reporter', 'terminal,html,junit'];
    finished = await startCli(runWords(paths, folder, words, 'docker'), { folder, env }).finished;
  }, 180_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('it told everything, and what it told is there without what was hidden', async () => {
    const outcomes = [...(await bundlesOf(folder)).values()].map(({ verdicts }) => verdicts!.outcome);
    expect(outcomes.sort(), finished.output).toEqual(['error', 'failed']);
    const log = readFileSync(join(runOf(folder)!.path, 'loud', 'logs', 'loud.log'), 'utf8');
    expect(log).toContain('no secret: this line must be there');
    expect(log).toMatch(/^key urlTwice \|\[redacted\]\|$/m);
    expect(log.match(/\[redacted\]/g)!.length).toBeGreaterThan(100);
  });

  test('no file and no line holds a canary', () => {
    const shown = Buffer.from(finished.output.split('\n').slice(1).join('\n'));
    const pieces = [...piecesIn(join(folder, 'evidence')), { from: 'the terminal', bytes: shown }];
    expect(pieces.length).toBeGreaterThan(30);
    expect(leaksIn(pieces, CANARIES)).toEqual([]);
    expect(pieces.filter(({ bytes }) => KEY.test(bytes.toString('latin1'))).map(({ from }) => from)).toEqual([]);
  });
});
