// The version of this package, apart from all that asks git: telling it must cost nothing.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const packageVersion = (): string =>
  (JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8')) as { version: string }).version;
