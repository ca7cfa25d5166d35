// Finding a line in a growing log, whole or with its beginning cut away.
import { expect, it } from 'vitest';
import { createLogWatch } from './log.ts';

it('finds a line once it is complete, and only lines after those already seen', () => {
  const look = createLogWatch('settled \\d+', 'settled 1\n');
  expect(look('settled 1\n')).toBe(null);
  expect(look('settled 1\nsettl')).toBe(null);
  expect(look('settled 1\nsettled 22')).toBe(null);
  expect(look('settled 1\nsettled 22\nmore\n')).toBe('settled 22');
  expect(look('settled 1\nsettled 22\nmore\n')).toBe(null);
});

it('goes on where the end of what it saw stands in a log that was cut in front', () => {
  const old = Array.from({ length: 200 }, (_, line) => `line ${line}\n`).join('');
  const look = createLogWatch('^line', old);
  const cut = old.slice(-1_000);
  expect(look(cut)).toBe(null);
  expect(look(`${cut}other\nline new\n`)).toBe('line new');
});

it('cuts lines before it looks at them, and refuses long patterns', () => {
  expect(createLogWatch('end$')(`${'x'.repeat(5_000)}end\n`)).toBe(null);
  expect(() => createLogWatch('x'.repeat(513))).toThrow(RangeError);
  expect(() => createLogWatch('(')).toThrow(SyntaxError);
});
