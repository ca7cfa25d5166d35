// A scenario's text as evidence keeps it: the file as it is, or, where it uses fragments, with what
// it takes from them written out, so that one file can be read, hashed and run alone.
import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { readFile } from 'node:fs/promises';
import { collectFragments } from './fragment-files.ts';
import { parseTree, renderYaml } from './load.ts';
import { expandUse } from './use.ts';
import { entryOf, toData } from './tree.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** @param file a scenario that was loaded without a problem */
export const readSelfContained = async (file: string): Promise<string> => {
  const text = await readFile(file, 'utf8');
  const { source, root } = parseTree(file, text);
  if (root === null || entryOf(root, 'use') === undefined) return text;
  const path = resolve(file);
  const expanded = expandUse(source, root, path, await collectFragments(path, root));
  const fragments = new Map(expanded.used.map((used) => [`${used.written}\n${hash(used.source.text)}`, used]));
  const head = [
    `# ${basename(file)} (sha256 ${hash(text)}) with the fragments that it uses written out, so that this file stands alone:`,
    ...[...fragments.values()].map(({ written, source: { text: used } }) => `# ${written} (sha256 ${hash(used)})`),
  ];
  return `${head.join('\n')}\n${renderYaml(toData(expanded.root))}`;
};
