// The page's script: our own sources of browser/, joined into one. Nothing is fetched, neither here nor by the page. Each
// module keeps its names to itself but for what it exports, so the order is all that a bundler would have to know.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A module stands after those that it imports. */
export const MODULES = [
  'palette',
  'scale',
  'layout',
  'signs',
  'marks',
  'scene',
  'pack',
  'canvas-pen',
  'model',
  'hit',
  'words',
  'log-panel',
  'gestures',
  'overview',
  'stage',
  'tell',
  'page',
] as const;

const IMPORT = /^import \{([^}]+)\} from '\.\/([\w-]+)\.mjs';\n/gm;
const EXPORT = /^export (const (\w+))/gm;
/** Comments on lines of their own: they are for readers of the sources. */
const COMMENTS = /^[ \t]*(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/|\/\/.*)\n/gm;

/** `scene` as a function of the modules before it, which hands out what it exports. */
const wrapped = (name: string, source: string): string => {
  const code = source.replace(COMMENTS, '');
  const imports = [...code.matchAll(IMPORT)].map(([, names, from]) => `const {${names}} = modules['${from}'];\n`);
  const exported = [...code.matchAll(EXPORT)].map((match) => match[2]!);
  const body = code.replace(IMPORT, '').replace(EXPORT, '$1').trim();
  return `modules['${name}'] = (() => {\n${imports.join('')}${body}\nreturn {${exported.join(', ')}};\n})();`;
};

let joined: string | undefined;

/** The whole script, as it stands in the page. */
export const pageScript = (): string => {
  joined ??= [
    "'use strict';",
    '(() => {',
    'const modules = {};',
    ...MODULES.map((name) => wrapped(name, readFileSync(join(import.meta.dirname, 'browser', `${name}.mjs`), 'utf8'))),
    '})();',
  ].join('\n');
  return joined;
};
