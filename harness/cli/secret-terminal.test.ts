// The terminal of every command: no secret of its words or its environment comes out, split or whole, nor in what went wrong.
import { expect, it } from 'vitest';
import { runCommand } from './program.ts';
import { hideSecrets } from './secret-terminal.ts';
import { testTerminal } from './test-terminal.ts';

const SECRET = 'rv7/Wq2+odd=pA55';

it('hides what the words and the environment hold, on both streams, also when written in pieces', () => {
  const environment = { CI_TOKEN: 'x9-tok-4411aa', HOME: '/home/someone', MODE: 'production' };
  const { terminal: given, out, err } = testTerminal({ environment });
  const { terminal, end } = hideSecrets(given, ['run', '--secret', `key=${SECRET}`, '--secret=other=pa55-word-2']);
  for (const sign of `told ${SECRET} and x9-tok-4411aa in production\n`) terminal.write(sign);
  for (const part of ['bad ', 'pa55-', 'word-2 ', encodeURIComponent(SECRET), ' of /home/someone']) terminal.writeError(part);
  end();
  expect(out()).toBe('told [redacted] and [redacted] in production\n');
  expect(err()).toBe('bad [redacted] [redacted] of /home/someone');
});

it('holds nothing back for longer than it takes to know', () => {
  const { terminal: given, out } = testTerminal();
  const { terminal } = hideSecrets(given, ['run', '--secret', `key=${SECRET}`]);
  terminal.write('\u001b[2A\u001b[0J  drive  one\n');
  expect(out()).toBe('\u001b[2A\u001b[0J  drive  one\n');
  terminal.write(SECRET.slice(0, 6));
  expect(out()).toBe('\u001b[2A\u001b[0J  drive  one\n');
  terminal.write('!');
  expect(out()).toBe(`\u001b[2A\u001b[0J  drive  one\n${SECRET.slice(0, 6)}!`);
});

it('knows what was learnt on the way', () => {
  const { terminal: given, out, err } = testTerminal();
  const { terminal, end } = hideSecrets(given, []);
  terminal.secrets.forBundle('').register('key-of-an-account-1');
  terminal.write('key-of-an-account-1\n');
  terminal.writeError('key-of-an-account-1\n');
  end();
  expect(out() + err()).toBe('[redacted]\n[redacted]\n');
});

it.each([
  [['run', `${SECRET}/x.yaml`, '--secret', `key=${SECRET}`], 4],
  [['run', '--no-such-option', SECRET, '--secret', `key=${SECRET}`], 4],
  [['judge', `/nowhere/${SECRET}`, '--secret', `key=${SECRET}`], 4],
  [['run', '--secret', `key=${SECRET}`, '--secret', `short=abc`], 4],
  [['run', '--secret', `key=${SECRET}`, '--secret', `common=ledger`], 4],
] as const)('shows none in what is wrong with %j', async (argv, code) => {
  const { terminal, out, err } = testTerminal({ argv });
  expect(await runCommand(argv, terminal)).toBe(code);
  expect(err()).not.toBe('');
  expect(out() + err()).not.toContain(SECRET);
  expect(out() + err()).not.toMatch(/rv7|odd=pA55/);
});
