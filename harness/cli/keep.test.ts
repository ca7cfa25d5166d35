// What is printed of a system that is left up, and that it is one.
import { expect, test } from 'vitest';
import type { Kept } from '../run/keep.ts';
import { createKeeper, keptText } from './keep.ts';

const KEPT: Kept = {
  cell: 'disconnect/endless[how=rst]',
  violated: ['upstream-closed', 'refundable'],
  listen: '10.1.0.1:8000',
  addresses: { system: '10.1.0.1', 'client.alice': '10.1.0.3' },
  ways: [{ what: 'router', how: 'pid 42, which is 7 in the stage' }, { what: 'shell in the stage', how: 'nsenter --target 41 --net sh' }],
  ledger: '/stage/ledger.db',
  folder: "/tmp/it's here",
  evidence: '/home/me/evidence/r1/x',
  file: "/tmp/it's here/kept",
};

test('all that somebody needs is in it, one thing a line, paths as a shell takes them', () => {
  const lines = keptText(KEPT, '/home/me').split('\n');
  expect(lines[0]).toBe('hangup: disconnect/endless[how=rst] is left up (violated: upstream-closed, refundable)');
  const told = new Map(lines.slice(1, -1).map((line) => [line.slice(2, 20).trim(), line.slice(22)]));
  expect(Object.fromEntries(told)).toMatchObject({
    'serves at': '10.1.0.1:8000, in its stage',
    addresses: 'system 10.1.0.1, client.alice 10.1.0.3',
    router: 'pid 42, which is 7 in the stage',
    'shell in the stage': 'nsenter --target 41 --net sh',
    ledger: '/stage/ledger.db',
    evidence: 'evidence/r1/x, sealed when this is over',
    'to end it': expect.stringMatching(/^rm '\/tmp\/it'\\''s here\/kept' /),
  });
});

test('what there is not is not named', () => {
  const text = keptText({ ...KEPT, violated: [], ledger: null, evidence: null }, '/home/me');
  expect(text).toContain('asked for by --keep=always');
  expect(text).not.toMatch(/^ {2}(ledger|evidence)/m);
});

test('one is kept, once, until it has its result; nothing where nothing was asked for', async () => {
  const said: string[] = [];
  const terminal = { cwd: '/', writeError: (text: string) => void said.push(text) };
  expect(createKeeper({ keep: null }, terminal)).toBeNull();
  const { keeping, isUp, untilEnded, ended } = createKeeper({ keep: 'violated' }, terminal)!;
  expect([isUp(), keeping.take(), isUp(), keeping.take()]).toEqual([false, true, true, false]);
  keeping.show(KEPT);
  keeping.isOver();
  expect([isUp(), keeping.take(), said.length]).toEqual([true, false, 1]);
  ended('another');
  expect(isUp()).toBe(true);
  ended(KEPT.cell);
  expect(isUp()).toBe(false);
  await untilEnded();
});
