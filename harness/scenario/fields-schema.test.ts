// What options given as plain data accept, beyond what each scalar does.
import { expect, test } from 'vitest';
import { editorViewOf } from './editor-view.ts';
import { fieldSchema } from './fields-schema.ts';

test('a duration may have words in its place, and only those', () => {
  const schema = fieldSchema({ type: 'duration', choices: ['none'], about: 'How old.', default: '2s' });
  const parse = (value: unknown): unknown => schema.safeParse(value).data;
  expect([parse('none'), parse('5s'), parse('3 leases'), parse(undefined)]).toEqual([
    'none', { ms: 5_000 }, { count: 3, period: 'lease' }, { ms: 2_000 },
  ]);
  for (const value of ['never', 'NONE', 5, null, '']) expect(schema.safeParse(value).success, String(value)).toBe(false);
  expect(schema.safeParse('nnoe').error?.issues[0]?.message).toMatch(/duration/);
  expect(JSON.stringify(editorViewOf(schema))).toContain('"enum":["none"]');
  const plain = fieldSchema({ type: 'duration', about: 'How long.' });
  expect(plain.safeParse('none').success).toBe(false);
});
