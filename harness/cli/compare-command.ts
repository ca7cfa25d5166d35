// `hangup compare`: its options and its help.
import type { Command } from 'commander';
import { examples } from './command.ts';
import type { CommandDefinition } from './command.ts';

const define = (program: Command): Command =>
  program
    .command('compare <a> <b>')
    .summary('two runs side by side: a good and a bad version')
    .description(
      'Shows two bundles (folders or archives) beside each other: claims with both outcomes, what differs first; versions and settings ' +
        'that differ; what was measured from a mark on.',
    )
    .option('--at <mark>', 'the mark that both are aligned at (default: the first leave that both have)')
    .option('--html <file>', 'writes one offline page too, with both pictures on one axis')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        [
          'hangup compare evidence/good/disconnect-endless-how-fin evidence/bad/disconnect-endless-how-fin',
          'hangup compare good.zip bad.zip --at gone --html comparison.html',
        ],
        '0 the outcomes of all claims agree, 1 some differ or were never judged, 4 for what is no bundle or was changed',
      ),
    );

export const definition: CommandDefinition = {
  define,
  load: async () => {
    const { compare } = await import('./compare.ts');
    return (terminal, [a, b], { at, html, json }) =>
      compare(terminal, { a: a!, b: b!, at: (at as string | undefined) ?? null, html: (html as string | undefined) ?? null, json: json === true });
  },
};
