// Writes docs/mutation.md from the results of `npm run mutation`: what each file of the judges scores, and every mutant that
// no test kills, with the reason why it may live. Exits 1 below the score that is promised. `npm run mutation-page`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageOf } from './mutation/page.ts';
import type { Report } from './mutation/page.ts';
import { scoreOf } from './mutation/score.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const RESULTS = join(ROOT, 'reports', 'mutation.json');
const PAGE = join(ROOT, 'docs', 'mutation.md');
const LEAST = 90;

if (!existsSync(RESULTS)) {
  process.stderr.write('mutation-page: there are no results yet: run `npm run mutation` first\n');
  process.exit(3);
}
const report = JSON.parse(readFileSync(RESULTS, 'utf8')) as Report;
writeFileSync(PAGE, pageOf(report, LEAST));
const { score } = scoreOf(Object.values(report.files).flatMap(({ mutants }) => mutants));
process.stdout.write(`mutation-page: ${score.toFixed(1)} % of the mutants are killed; docs/mutation.md is written\n`);
if (score < LEAST) process.exitCode = 1;
