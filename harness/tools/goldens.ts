// The golden bundles in evidence/golden: makes them anew by real runs, or checks that those that are there are current.
// `npm run goldens -- --help`.
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { drawAgain, wrongWithGoldens } from './goldens/check.ts';
import { makeGolden } from './goldens/make.ts';
import { GOLDENS } from './goldens/table.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const GOLDEN = join(ROOT, 'evidence', 'golden');
/** Ignored by git, as all beside them. */
const MADE = join(ROOT, 'evidence', 'made-goldens');

const HELP = `usage: npm run goldens [-- --check | --pages | name ...]

Makes the bundles in evidence/golden anew, all or those that are named: ${GOLDENS.map(({ name }) => name).join(', ')}.
What is there from an older format is kept as it is.

  --check   makes nothing: says what is not current, and exits 1 if anything is
  --pages   runs nothing: draws report.md and report.html of all anew, after a change of renderers
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean', default: false },
    pages: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** All at once, when all are made. */
const takeOver = (): void => {
  for (const name of readdirSync(MADE)) {
    rmSync(join(GOLDEN, name), { recursive: true, force: true });
    cpSync(join(MADE, name), join(GOLDEN, name), { recursive: true });
  }
  rmSync(MADE, { recursive: true });
};

const main = async (): Promise<number> => {
  if (values.help) {
    say(HELP);
    return 0;
  }
  const unknown = positionals.filter((name) => !GOLDENS.some((golden) => golden.name === name));
  if (unknown.length > 0) {
    say(`there is no golden bundle ${unknown.join(', ')}\n\n${HELP}`);
    return 4;
  }
  if (values.pages) for (const golden of GOLDENS) await drawAgain(golden, GOLDEN);
  const wanted = values.check || values.pages ? [] : GOLDENS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  rmSync(MADE, { recursive: true, force: true });
  for (const golden of wanted) {
    say(`${golden.name} ...`);
    await makeGolden(golden, ROOT, MADE);
  }
  if (wanted.length > 0) takeOver();
  const wrong = await wrongWithGoldens(GOLDEN);
  for (const line of wrong) say(line);
  if (wrong.length === 0) say(`${GOLDENS.length} golden bundles, all current`);
  return wrong.length === 0 ? 0 : 1;
};

process.exitCode = await main();
