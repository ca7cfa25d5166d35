// What the card and the image start: the sources in a clone, their stripped .js in the published package,
// since Node strips no types below node_modules. What Node makes of them is kept beside them for the
// next start, which costs less than half then; the variable is for the thread of the ledger.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('./node_modules/.cache/compiled', import.meta.url));
module.enableCompileCache(process.env.NODE_COMPILE_CACHE);

const main = ['./main.ts', './main.js'].map((name) => new URL(name, import.meta.url)).find((url) => existsSync(url));
if (!main) throw new Error('neither main.ts nor main.js lies beside start.mjs');
await import(main.href);
