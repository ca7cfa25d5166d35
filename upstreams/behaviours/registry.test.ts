// Every behaviour keeps the contract: its kind is its file's name, its example is made of its fields,
// and its program is one that the interpreter can run.
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Options } from '../../harness/model/fields.ts';
import type { Instruction } from '../behaviour.ts';
import { readOptions } from '../options.ts';
import { behaviours } from './registry.ts';

const files = readdirSync(import.meta.dirname).filter((name) => !name.includes('.test.') && name !== 'registry.ts');
const cases = behaviours.all.map((definition) => [definition.kind, definition] as const);

it('lists exactly the files of the folder, by kind', () => {
  expect([...behaviours.kinds].sort()).toEqual(files.map((name) => name.replace(/\.ts$/, '')).sort());
});

it.each(cases)('%s describes itself and its options', (kind, definition) => {
  expect(kind).toMatch(/^[a-z]+(-[a-z]+)*$/);
  expect(definition.about).not.toBe('');
  const { $bare, options } = definition.fields;
  if ($bare !== undefined) expect(Object.keys(options)).toContain($bare);
  expect(() => readOptions(definition.fields, (definition.example ?? {}) as Options)).not.toThrow();
  expect(() => readOptions(definition.fields, { surely: 'not an option' })).toThrow('there is no option surely');
});

const flat = (program: readonly Instruction[]): readonly Instruction[] =>
  program.flatMap((instruction) => (instruction.do === 'repeat' ? [instruction, ...flat(instruction.body)] : [instruction]));

it.each(cases)('%s makes a program that can end or wait', (_kind, definition) => {
  const program = definition.program(readOptions(definition.fields));
  if (definition.listens === false) {
    expect(program).toEqual([]);
    return;
  }
  const all = flat(program);
  for (const instruction of all) {
    if (instruction.do !== 'repeat') continue;
    expect(instruction.body).not.toHaveLength(0);
    // For ever without waiting and without a limit would never let anyone else have a turn of its own.
    const waits = flat(instruction.body).some((one) => one.do === 'wait');
    if (instruction.times === 'forever') expect(waits || instruction.atMostBytes !== undefined).toBe(true);
  }
  const last = program.at(-1)!;
  const endless = last.do === 'repeat' && last.times === 'forever';
  expect(endless || ['finish', 'close', 'wait-forever'].includes(last.do)).toBe(true);
});
