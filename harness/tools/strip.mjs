// Before packing: each .ts becomes a .js beside it, types stripped, since Node strips none below
// node_modules. After packing (--clean) they are removed again; in a clone the sources run as they are.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as modules from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { stripTypeScriptTypes } = modules;
if (!stripTypeScriptTypes) {
  console.error(`hangup: packing needs Node 24, this is ${process.versions.node}\n  hint: run "npm install" here first, it brings Node 24 along`);
  process.exit(3);
}

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const isSource = (name) => name.endsWith('.ts') && !name.endsWith('.test.ts');

const sources = ['harness', 'upstreams', 'images'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isSource(entry.name) && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name)));

for (const source of sources) {
  const target = source.replace(/\.ts$/, '.js');
  if (process.argv.includes('--clean')) {
    rmSync(target, { force: true });
    continue;
  }
  const code = stripTypeScriptTypes(readFileSync(source, 'utf8'));
  // Only module names end like this inside quotes that follow `from` or `import(`.
  writeFileSync(target, code.replace(/((?:\bfrom|\bimport)\s*\(?\s*')(\.{1,2}\/[^']+)\.ts(')/g, '$1$2.js$3'));
}
