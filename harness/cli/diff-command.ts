// `hangup diff`: its options and its help.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { examples, show } from './command.ts';
import type { CommandDefinition } from './command.ts';

const define = (program: Command): Command =>
  program
    .command('diff <bundle> [from] [to]')
    .summary('show what changed in a run between two of its marks')
    .description(
      'Compares two snapshots of one run: accounts, reservations and their leases, charges, sockets, processes, status fields. ' +
        'Without marks it lists those that there are; with one it compares with the end.',
    )
    .option('--json', 'all of it as JSON')
    .addHelpText(
      'after',
      `
Snapshots are taken at the baseline, at each leave by the name of its mark (gone), a lease later
(gone+lease), when a stale row should have been swept (gone+sweep), and at the end; those after the
leave only where the run was still going by then.`,
    )
    .addHelpText(
      'after',
      examples(
        [
          'hangup diff evidence/latest/disconnect-endless-how-fin',
          'hangup diff evidence/latest/disconnect-endless-how-fin gone end',
          'hangup diff evidence/latest/disconnect-endless-how-fin gone gone+lease --json',
        ],
        '0, or 4 for what is no bundle, was changed, or has no such mark',
      ),
    );

export const definition: CommandDefinition = {
  define,
  load: async () => {
    const [{ diffBundle }, { withBundle }] = await Promise.all([import('./diff.ts'), import('./with-bundle.ts')]);
    return async (terminal, [folder, from, to], { json }) => {
      const path = resolve(terminal.cwd, folder!);
      const options = { from: from ?? null, to: to ?? null, json: json === true, shownAs: path };
      return show(terminal, await withBundle(path, (found) => diffBundle(found, options)));
    };
  },
};
