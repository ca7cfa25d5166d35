// A limit may be written as a number, or as a map that says what the number is; what reads it sees the number.
import { expect, test } from 'vitest';
import { definition } from '../expectations/request-count.ts';
import { fieldSchema, optionsSchema } from './fields-schema.ts';
import { PARSE_OPTIONS } from './issues.ts';

const parse = (value: unknown) => optionsSchema(definition.fields).safeParse({ upstream: 'model', ...(value === undefined ? {} : { 'bare-connections': value }) }, PARSE_OPTIONS);

test('both ways of writing it mean the same', () => {
  expect(parse(2).data).toEqual({ upstream: 'model', 'bare-connections': 2 });
  expect(parse({ 'at-most': 2 }).data).toEqual({ upstream: 'model', 'bare-connections': 2 });
  expect(parse({ 'at-most': 0 }).data).toEqual({ upstream: 'model', 'bare-connections': 0 });
  expect(parse(undefined).data).toEqual({ upstream: 'model' });
});

test.each([[-1], [1.5], ['2'], [{}], [{ 'at-most': -1 }], [{ 'at-least': 1 }], [{ 'at-most': 1, equals: 1 }], [null], [[1]]])('%j is neither', (value) => {
  expect(parse(value).success).toBe(false);
});

test('where it must be given it must be given', () => {
  expect(fieldSchema({ type: 'at-most', about: 'x' }).safeParse(undefined, PARSE_OPTIONS).success).toBe(false);
});
