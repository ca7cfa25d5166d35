// `hangup compare`: two bundles read, laid over each other at a mark, and shown side by side.
import { resolve } from 'node:path';
import { readBundle } from '../bundle/read.ts';
import { EXIT } from '../model/exit-code.ts';
import { createScope } from '../model/scope.ts';
import { compareRuns } from '../reports/compare/comparison.ts';
import { comparisonText } from '../reports/compare/text.ts';
import { jsonText } from '../reports/json-text.ts';
import { wantsColour } from '../reports/reporter.ts';
import type { Terminal } from './command.ts';
import { findOne } from './found-bundles.ts';
import { createPageTarget } from './page-target.ts';

export type CompareOptions = {
  readonly a: string;
  readonly b: string;
  /** null: the first leave that both have. */
  readonly at: string | null;
  /** Where the page goes; null: none is made. */
  readonly html: string | null;
  readonly json: boolean;
};

/**
 * @returns 0 where the outcomes of all claims agree, 1 where some differ or one run was never judged
 * @throws ProblemError `unknown-mark`, `bad-option`, `output-not-writable`, and what `readBundle` throws
 */
export const compare = async (terminal: Terminal, { a, b, at, html, json }: CompareOptions): Promise<number> => {
  await using scope = createScope();
  const [inA, inB] = [await findOne(a, terminal.cwd, scope), await findOne(b, terminal.cwd, scope)];
  const [ofA, ofB] = [await readBundle(inA.folder), await readBundle(inB.folder)];
  const comparison = compareRuns({ name: a, input: ofA, notes: ofA.notes }, { name: b, input: ofB, notes: ofB.notes }, at);
  if (html !== null) {
    const { renderComparison } = await import('../reports/compare/page.ts');
    const write = createPageTarget([inA, inB], terminal, terminal.writeError);
    await write(resolve(terminal.cwd, html), renderComparison(comparison, ofA, ofB));
  }
  terminal.write(json ? `${jsonText(comparison, 2)}\n` : comparisonText(comparison, wantsColour(terminal.isTerminal, terminal.environment)));
  return comparison.agree ? EXIT.passed : EXIT.failed;
};
