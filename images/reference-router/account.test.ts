// Accounts by hand: added once, shown, and refused where the words make no sense.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

type Answer = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

const account = (words: readonly string[], ledger: string): Promise<Answer> =>
  new Promise((answer) => {
    const env = { ...process.env, LEDGER: ledger };
    const child = execFile(process.execPath, [join(import.meta.dirname, 'account.ts'), ...words], { env }, (_, stdout, stderr) =>
      answer({ code: child.exitCode, stdout, stderr }));
  });

const ledgerPath = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-account-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'ledger.db');
};

test('is added to a ledger that need not exist yet, and keeps its money when it is added again', async () => {
  const ledger = ledgerPath();
  expect(await account(['add', 'alice', 'sk-one', '500'], ledger)).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await account(['add', 'alice', 'sk-two', '900'], ledger)).toMatchObject({ code: 0 });
  expect(await account(['show'], ledger)).toMatchObject({
    code: 0, stdout: 'account {"id":"alice","balance":500,"reserved":0,"spent":0,"refunded":0}\n',
  });
});

test.each([
  [[]], [['add']], [['add', 'alice', 'sk-one', 'much']], [['add', 'alice', 'sk-one', '-5']], [['drop']],
])('%j is answered by the usage', async (words) => {
  const answer = await account(words, ledgerPath());
  expect(answer.code).toBe(64);
  expect(answer.stderr).toMatch(/^usage: LEDGER=/);
});

test('says why a ledger cannot be opened', async () => {
  const answer = await account(['show'], '/nowhere/at/all/ledger.db');
  expect(answer.code).toBe(1);
  expect(answer.stderr).toMatch(/^account: .*unable to open/);
});
