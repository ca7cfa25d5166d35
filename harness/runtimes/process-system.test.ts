// A plain process seen from the harness, with the stage's end of the protocol played by hand.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { Command } from '../model/protocol.ts';
import { createLink } from './link.ts';
import { startProcessSystem } from './process-system.ts';

const folder = mkdtempSync(join(tmpdir(), 'hangup-test-'));
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

/** A system that runs, and what is asked of its stage from then on. */
const setUp = async () => {
  const asked: Command[] = [];
  const reply = ({ id }: Command, value: unknown): void => link.feed(Buffer.from(`${JSON.stringify({ re: id, ok: true, value })}\n`));
  const link = createLink((line) => {
    const command = JSON.parse(line) as Command;
    if (command.do === 'start-system') reply(command, { pid: 2 });
    else asked.push(command);
  }, () => {}, () => {});
  const system = await startProcessSystem({ name: 'router', process: { command: ['node'], env: {}, cwd: folder } }, { runId: 'r', stageId: 's', folder }, link.send, new Map());
  return { link, reply, asked, run: system.exec!.run };
};

test('a command beside it may take as long as its card says', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { reply, asked, run } = await setUp();
  const running = run(['jmap'], 120_000);
  vi.advanceTimersByTime(119_000);
  expect(asked).toMatchObject([{ to: 'stage', do: 'run-beside', command: ['jmap'], limitMs: 120_000 }]);
  reply(asked[0]!, { code: 0, output: 'dumped\n' });
  expect(await running).toEqual({ code: 0, output: 'dumped\n' });
});

test('a command whose stage does not answer, or has ended, did not end: nothing is thrown', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { link, run } = await setUp();
  const unanswered = run(['jmap'], 120_000);
  vi.advanceTimersByTime(130_000);
  expect(await unanswered).toEqual({ code: null, output: expect.stringMatching(/did not answer run-beside/) });
  link.end('ended with SIGKILL');
  expect(await run(['jmap'], 120_000)).toEqual({ code: null, output: expect.stringMatching(/ended with SIGKILL/) });
});
