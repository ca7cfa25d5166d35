// `hangup judge`: its options and its help.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { examples, show } from './command.ts';
import type { CommandDefinition } from './command.ts';

const CLAIMS = `
A file of claims holds \`expect:\` as a scenario does, about the clients, upstreams and marks that are
in the evidence; and where they are to be seen otherwise \`policy:\`, \`bounds:\` and \`price:\`, as a
card has them:
  expect:
    - billing-terminal: { client: alice, after: gone, within: 1s }
    - charged-once: { client: alice, after: gone }
  price: { per-event: 2 }
What was not recorded makes a claim inconclusive. The verdicts of the bundle stay as they are.`;

const CODES =
  'those of the outcome: 0 passed, 1 failed, 2 inconclusive, 3 error (of a run that was cut off before it was judged: error: interrupted), 5 nothing applies, ' +
  '130 interrupted by its user; 3 where the same judges now say something else; 4 not a bundle, one that was changed, or a wrong file of claims';

const define = (program: Command): Command =>
  program
    .command('judge <bundle>')
    .summary('judge a bundle again, with nothing running')
    .description('Reads the evidence of a run, a folder or an archive of one, and judges it again. The verdicts are the same, byte for byte, unless other claims are given.')
    .option('--expect <file>', 'judge by the claims of this file instead, and compare')
    .option('--output <file>', 'write the verdicts there as JSON; nothing is written otherwise')
    .option('--strict', 'violations listed as known, and fixed ones, fail too')
    .addHelpText('after', CLAIMS)
    .addHelpText(
      'after',
      examples(
        [
          'hangup judge evidence/latest/disconnect-endless-how-fin',
          'hangup judge evidence/latest/disconnect-endless-how-fin --expect claims.yaml --output verdicts.json',
        ],
        CODES,
      ),
    );

export const definition: CommandDefinition = {
  define,
  load: async () => {
    const [{ judgeBundle }, { wantsColour }, { withBundle }] = await Promise.all([
      import('./judge.ts'), import('../reports/reporter.ts'), import('./with-bundle.ts'),
    ]);
    return async (terminal, [folder], { strict, expect, output }) => {
      const at = (path: unknown): string | null => (typeof path === 'string' ? resolve(terminal.cwd, path) : null);
      const options = {
        strict: strict === true,
        hasColour: wantsColour(terminal.isTerminal, terminal.environment),
        expect: at(expect),
        output: at(output),
      };
      return show(terminal, await withBundle(at(folder)!, (found) => judgeBundle(found, { ...options, shownAs: at(folder)! })));
    };
  },
};
