// Every fault is what its file says and can be described.
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { faults } from './registry.ts';

/** Files of the folder that are no fault. */
const OTHERS = ['registry', 'fault', 'instance', 'count', 'hold', 'accounts', 'of-client', 'fixture'];

it('registers every fault under the name of its file', () => {
  const files = readdirSync(new URL('./', import.meta.url)).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const names = files.map((file) => file.replace(/\.ts$/, '')).filter((name) => !OTHERS.includes(name));
  expect([...faults.kinds].sort()).toEqual(names.sort());
});

it.each(faults.all)('$kind has words, and a bare option that exists', (fault) => {
  expect(fault.about).not.toBe('');
  expect(fault.example).not.toBeNull();
  if (fault.fields.$bare !== undefined) expect(Object.keys(fault.fields.options)).toContain(fault.fields.$bare);
});

it('knows which faults are the stop of the system', () => {
  const stops = (options: object): boolean => faults.get('signal')!.stopsSystem!(options as never);
  expect(['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGKILL'].map((signal) => stops({ signal }))).toEqual([true, true, true, true]);
  expect(stops({ signal: 'SIGUSR1' })).toBe(false);
  expect(stops({ signal: 'SIGTERM', process: 'store' })).toBe(false);
  expect(faults.all.filter(({ stopsSystem }) => stopsSystem !== undefined).map(({ kind }) => kind)).toEqual(['signal']);
});
