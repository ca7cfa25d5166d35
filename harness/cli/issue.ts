// `hangup issue`: from a bundle to what is pasted and what is attached. Nothing is opened, and nobody is asked.
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, resolve } from 'node:path';
import { bundleFolderOf } from '../bundle/archive-read.ts';
import { archiveBundle } from '../bundle/archive.ts';
import type { Archive } from '../bundle/archive.ts';
import { FILES } from '../bundle/format.ts';
import { plainName } from '../bundle/plain-name.ts';
import { packetsIn } from '../bundle/reduce.ts';
import { readBundle } from '../bundle/read.ts';
import { readLogs } from '../bundle/read-logs.ts';
import { leftWords } from '../bundle/reduced.ts';
import type { Bundle } from '../bundle/read.ts';
import { EXIT } from '../model/exit-code.ts';
import { problem } from '../model/problem.ts';
import { createScope } from '../model/scope.ts';
import { issueText } from '../reports/issue/issue-text.ts';
import type { IssueInput, IssueText } from '../reports/issue/issue-text.ts';
import { newIssueLink, newIssueUrl, repositoryOf } from '../reports/issue/link.ts';
import { createHide } from '../reports/issue/safe.ts';
import { oneLine } from '../reports/text.ts';
import { PACKAGE_ROOT } from '../scenario/identity.ts';
import { parseCard } from '../systems/load-card.ts';
import type { Terminal } from './command.ts';
import type { IssueOptions } from './issue-options.ts';
import { keepInputs } from './keep-inputs.ts';
import { nearbyRepositories, storedText } from './rerun-card.ts';
import { hiddenVariables } from './rerun-cell.ts';
import { rightIn } from './right-of.ts';

const MAXIMUM_LOGS = 4;
const LOG_LINES = 30;
const LOG_LINE = 300;

/** What was printed last. */
const logsOf = async (folder: string): Promise<IssueInput['logs']> =>
  (await readLogs(folder))
    .filter(({ text }) => text.trim() !== '')
    .slice(0, MAXIMUM_LOGS)
    .map(({ name, text }) => ({ name: `${name}.log`, lines: text.trimEnd().split('\n').slice(-LOG_LINES).map((line) => line.slice(0, LOG_LINE)) }));

/** The scenario and what was planted, as a name for files. */
const nameOf = ({ manifest, resolved: { run } }: Bundle): string =>
  plainName(manifest.scenario, run.presets ?? run.defects).slice(0, 120) || 'bundle';

type Attached = Pick<Archive, 'path' | 'bytes' | 'reduced'> & { readonly isNew: boolean };

const attach = async (terminal: Terminal, options: IssueOptions, bundle: Bundle): Promise<Attached | null> => {
  if (options.archive === null) return null;
  const given = resolve(terminal.cwd, options.bundle);
  const found = await stat(given);
  // What is an archive already, and small enough, is attached as it is.
  const isFit =
    found.isFile() && found.size <= options.limitBytes && (options.withPackets || (await packetsIn(bundle.folder)).length === 0);
  if (options.archive === 'default' && isFit) return { path: given, bytes: found.size, reduced: bundle.reduced, isNew: false };
  const name = nameOf(bundle);
  const path = resolve(terminal.cwd, options.archive === 'default' ? `${name}.hangup.zip` : options.archive.path);
  if (found.isFile()) await keepInputs(path, [given]);
  const archive = await archiveBundle({
    folder: bundle.folder,
    root: name,
    path,
    limitBytes: options.limitBytes,
    refs: new Set(bundle.verdicts.verdicts.flatMap(({ evidence }) => evidence)),
    force: options.force,
    withPackets: options.withPackets,
  });
  return { ...archive, isNew: true };
};

const repositoryFor = ({ repository }: IssueOptions, { resolved }: Bundle): string => {
  const found = repository ?? (resolved.run.repository === undefined ? null : repositoryOf(resolved.run.repository));
  if (found !== null) return found;
  throw problem('scenario', 'bad-option', `the card of ${resolved.run.card} does not say where its issues are kept`, {
    hint: 'say where by --repository owner/name',
  });
};

/** Standard output: a link where one was asked for and the text fits into it, else the text. */
const tell = (terminal: Terminal, text: IssueText, repository: string | null): void => {
  const link = repository === null ? null : newIssueLink(repository, text);
  terminal.writeError(`title: ${text.title}\n`);
  if (repository !== null && link === null) {
    terminal.writeError(`the text is too long for a link: it follows; paste it at ${newIssueUrl(repository)}\n`);
  } else if (link?.isWhole === false) {
    terminal.writeError(
      'the whole text is too long for a link: in this one is the short text; without --open-in the whole one is printed\n',
    );
  }
  terminal.write(link ? `${link.url}\n` : text.body);
};

const sizeText = (bytes: number): string => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

const tellArchive = (terminal: Terminal, { path, bytes, reduced, isNew }: Attached): void => {
  terminal.writeError(`archive${isNew ? '' : ' (as it was given)'}: ${path} (${sizeText(bytes)}); attach it to the issue\n`);
  for (const left of reduced?.left ?? []) terminal.writeError(`  left out of ${leftWords(left)}\n`);
};

/** Who has only the archive has not what a path of the card leads to. */
const tellRepositories = ({ writeError }: Terminal, { cardText, resolved }: Bundle): void => {
  const card = cardText === null ? null : parseCard(FILES.card, cardText).card;
  for (const path of card === null ? [] : nearbyRepositories(card, resolved.run.coordinates ?? {}))
    writeError(`warning: the card names the repository \`${path}\` by a path: elsewhere this can be run again with a card that has its address (--system)\n`);
};

/** The text says how to run it again: who has only the archive cannot, where that needs what was hidden. */
const tellHidden = ({ writeError }: Terminal, bundle: Bundle): void => {
  if (bundle.cardText !== null && bundle.resolved.run.cardHash !== undefined && storedText(bundle) === null)
    writeError('warning: something in the card was hidden: who has not the card itself can run this again only with another (--system)\n');
  for (const name of hiddenVariables(bundle))
    writeError(`warning: the variable \`${oneLine(name)}\` was hidden: \`hangup rerun\` needs \`--var ${oneLine(name)}=...\`\n`);
};

/** Asked for, there, and not left out for their size. */
const holdsPackets = async (folder: string, { withPackets }: IssueOptions, { reduced }: Attached): Promise<boolean> => {
  const packets = withPackets ? await packetsIn(folder) : [];
  return packets.some((path) => !(reduced?.left ?? []).some((left) => left.path === path));
};

/**
 * @returns 0, whatever the run had come to
 * @throws ProblemError what `readBundle` and `archiveBundle` throw, `bad-option`
 */
export const issue = async (terminal: Terminal, options: IssueOptions): Promise<number> => {
  await using scope = createScope();
  const folder = await bundleFolderOf(resolve(terminal.cwd, options.bundle), scope);
  const bundle = await readBundle(folder);
  const repository = options.openIn === null ? null : repositoryFor(options, bundle);
  const logs = await logsOf(folder);
  const archive = await attach(terminal, options, bundle);
  if (archive && (await holdsPackets(folder, options, archive)))
    terminal.writeError(
      'warning: captured packets are in the archive, with every key that went over the wire; show it to nobody who must not have them\n',
    );
  const text = issueText({
    bundle,
    logs,
    archive: archive && { ...archive, name: basename(archive.path) },
    right: rightIn(bundle.resolved.judged.facts),
    hide: createHide([terminal.cwd, folder, homedir(), PACKAGE_ROOT]),
  });
  tell(terminal, text, repository);
  tellRepositories(terminal, bundle);
  tellHidden(terminal, bundle);
  if (archive) tellArchive(terminal, archive);
  return EXIT.passed;
};
