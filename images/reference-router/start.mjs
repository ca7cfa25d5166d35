// What the card and the image start: the sources in a clone, their stripped .js in the published package,
// since Node strips no types below node_modules.
import { existsSync } from 'node:fs';

const main = ['./main.ts', './main.js'].map((name) => new URL(name, import.meta.url)).find((url) => existsSync(url));
if (!main) throw new Error('neither main.ts nor main.js lies beside start.mjs');
await import(main.href);
