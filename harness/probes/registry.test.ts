// Every probe keeps the contract: its name is its file's, and its example gives what it requires.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Options } from '../model/fields.ts';
import { probes } from './registry.ts';

const definitions = probes.all.map((definition) => [definition.kind, definition] as const);

it.each(definitions)('%s is described and opens with its example', (kind, definition) => {
  expect(existsSync(join(import.meta.dirname, `${kind}.ts`))).toBe(true);
  const example = definition.example as Options;
  const required = Object.entries(definition.fields.options).filter(([, field]) => !field.optional && field.default === undefined);
  expect(Object.keys(example)).toEqual(expect.arrayContaining(required.map(([key]) => key)));
  expect(Object.keys(definition.fields.options)).toEqual(expect.arrayContaining(Object.keys(example)));
  expect(definition.about).toMatch(/^[a-z].{20,}[^.]$/);
  expect(definition.open(example).sample).toBeTypeOf('function');
});
