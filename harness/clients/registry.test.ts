// Every step is what its file says, can be described, and has something to do.
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { steps } from './registry.ts';

it('registers every file of steps/ under its name', () => {
  const files = readdirSync(new URL('./steps/', import.meta.url)).map((file) => file.replace(/\.ts$/, ''));
  expect([...steps.kinds].sort()).toEqual(files.sort());
});

it.each(steps.all)('$kind has words, options that exist, and a half', (step) => {
  const keys = Object.keys(step.fields.options);
  expect(step.about).not.toBe('');
  expect(
    [...(step.fields.$one ?? []), ...(step.fields.$bare === undefined ? [] : [step.fields.$bare])].filter(
      (key) => !keys.includes(key),
    ),
  ).toEqual([]);
  expect(
    Object.values(step.fields.options).filter(({ type, choices }) => (type === 'choice') !== (choices !== undefined)),
  ).toEqual([]);
  expect(step.act !== undefined || step.perform !== undefined).toBe(true);
});

it('says what only some runtimes and cards can do', () => {
  const needs = (kind: string, options: object): readonly string[] => steps.get(kind)?.needs?.(options as never) ?? [];
  expect(needs('disconnect', { how: 'vanish' })).toEqual(['namespace']);
  expect(needs('disconnect', { how: 'kill' })).toEqual(['own-process']);
  expect(needs('disconnect', { how: 'fin' })).toEqual([]);
  expect(needs('await', { renewals: 1 })).toEqual(['ledger']);
  expect(needs('await', { blocked: true })).toEqual([]);
});
