// docs/asgi-disconnect.md from bundles of images/asgi-proxy: what was seen, put between two marks of the page. The words
// around it are a person's. `npm run asgi-table -- --help`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundlesIn } from '../bundle/bundles-in.ts';
import { readBundle } from '../bundle/read.ts';
import { loadCard } from '../systems/load-card.ts';
import { tablesOf } from './asgi/page.ts';
import { rowsOf } from './asgi/seen.ts';
import type { Row } from './asgi/seen.ts';
import { seenOf } from './asgi/seen-matrix.ts';
import type { Seen } from './asgi/seen-matrix.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const DATA = join(ROOT, 'docs', 'asgi-disconnect.json');
const PAGE = join(ROOT, 'docs', 'asgi-disconnect.md');
const [BEGIN, END] = ['<!-- seen: begin -->', '<!-- seen: end -->'];

const HELP = `usage: npm run asgi-table [-- folder ...]

  folder    of bundles that hangup run wrote; those of images/asgi-proxy/leaves are taken, all of them together

Without a folder the page is written again from docs/asgi-disconnect.json.
examples:
  npm run asgi-table -- evidence/20260101-120000-0123456789
  npm run asgi-table
`;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Where the card stands that no axis moved. */
const usualPlace = async (): Promise<Readonly<Record<string, string>>> => {
  const card = await loadCard(join(ROOT, 'images', 'asgi-proxy', 'system.yaml'));
  const axes = Object.entries(card.axes).map(([name, { use }]) => [name, use ?? '']);
  return { version: card.version ?? '', ...Object.fromEntries(axes) as Record<string, string> };
};

const rowsIn = async (folders: readonly string[]): Promise<readonly Row[]> => {
  const usual = await usualPlace();
  const rows: Row[] = [];
  for (const folder of folders) {
    const names = (await bundlesIn(folder)).filter((name) => name.startsWith('leaves-'));
    for (const [index, name] of names.entries()) {
      rows.push(...rowsOf(await readBundle(join(folder, name)), usual));
      if ((index + 1) % 50 === 0) say(`${folder}: ${index + 1} of ${names.length} bundles read`);
    }
  }
  return rows;
};

const writePage = (seen: Seen): void => {
  const page = readFileSync(PAGE, 'utf8');
  const [from, to] = [page.indexOf(BEGIN!), page.indexOf(END!)];
  if (from < 0 || to < from) throw new Error(`${PAGE} has no place between ${BEGIN} and ${END}`);
  writeFileSync(PAGE, `${page.slice(0, from)}${BEGIN}\n${tablesOf(seen)}\n${page.slice(to)}`);
};

const main = async (folders: readonly string[]): Promise<number> => {
  if (folders.length > 0) {
    const rows = await rowsIn(folders);
    if (rows.length === 0) throw new Error(`no bundle of images/asgi-proxy/leaves in ${folders.join(', ')}`);
    writeFileSync(DATA, `${JSON.stringify(seenOf(rows), null, 1)}\n`);
    const kinds = Map.groupBy(rows, ({ said, isAlone }) => `${said}${isAlone ? ' alone' : ''}`);
    const counts = [...kinds].map(([kind, own]) => `${own.length} ${kind}`);
    say(`${rows.length} leaves: ${counts.join(', ')}`);
  }
  writePage(JSON.parse(readFileSync(DATA, 'utf8')) as Seen);
  return 0;
};

const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean', default: false } } });
process.exitCode = 3;
if (values.help) process.stdout.write(HELP);
process.exitCode = values.help ? 0 : await main(positionals);
