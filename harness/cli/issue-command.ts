// `hangup issue`: its options and its help.
import { Option } from 'commander';
import type { Command } from 'commander';
import { examples } from './command.ts';
import type { CommandDefinition } from './command.ts';
import type { IssueFlags } from './issue-options.ts';

const HOW = `
The text goes to standard output, its title and the archive's path to standard error. It names
nobody, links nowhere, and shortens paths of this machine; read it before you send it all the same.
Nothing is opened and nobody is asked: pasting and attaching is yours.`;

const define = (program: Command): Command =>
  program
    .command('issue <bundle>')
    .summary('write the text of an issue, and the archive to attach to it')
    .description(
      'Writes what was done, what was seen, what is right and how to see it again, for whoever keeps the system, and packs the ' +
        'evidence into an archive that every command here takes in place of a bundle.',
    )
    .option('--archive <file>', 'where to write the archive (default: <scenario>.hangup.zip in the current folder)')
    .option('--no-archive', 'write none')
    .option('--limit <size>', 'how large the archive may be; what is left out is said in it', '10MB')
    .option('--with-packets', 'put captured packets in too: every key that went over the wire is in them')
    .option('--force', 'write over an archive that is there')
    .addOption(new Option('--open-in <forge>', 'print a link to a new issue with the text in it, where it fits').choices(['github']))
    .option('--repository <owner/name>', 'where, unless the card of the system says')
    .addHelpText('after', HOW)
    .addHelpText(
      'after',
      examples(
        [
          'hangup issue evidence/latest/disconnect-endless-how-rst > issue.md',
          'hangup issue evidence/latest/disconnect-endless-how-rst --limit 25MB --archive /tmp/evidence.zip',
          'hangup issue evidence/latest/disconnect-endless-how-rst --open-in github --repository owner/name',
        ],
        '0 written, 3 not written, 4 not a bundle, one that was changed, or a wrong option',
      ),
    );

export const definition: CommandDefinition = {
  define,
  load: async () => {
    const [{ issue }, { toIssueOptions }] = await Promise.all([import('./issue.ts'), import('./issue-options.ts')]);
    return (terminal, [bundle], flags) => issue(terminal, toIssueOptions(bundle!, flags as IssueFlags));
  },
};
