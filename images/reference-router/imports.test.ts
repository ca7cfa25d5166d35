// The router's image holds Node and this folder, so nothing may be imported from elsewhere.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = import.meta.dirname;
const sources = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('fixtures'));

test.each(sources)('%s imports Node and its own folder only', (file) => {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const imports = [...text.matchAll(/^(?:import|export)\b[^;]*?from '([^']+)'/gm)].map((match) => match[1]!);
  const foreign = imports.filter((name) => {
    if (name.startsWith('node:')) return false;
    return !name.startsWith('.') || relative(ROOT, resolve(ROOT, dirname(file), name)).startsWith('..');
  });
  expect(foreign).toEqual([]);
});
