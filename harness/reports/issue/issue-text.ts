// The text of an issue: what was done, what was seen, what is right, and how to see it again, as somebody wants it who keeps
// a project: short first, the rest folded away, and never longer than a forge takes.
import type { Archive } from '../../bundle/archive.ts';
import type { Bundle } from '../../bundle/read.ts';
import { formatMs } from '../../model/time.ts';
import { pathWords, rightWords } from '../believe.ts';
import type { RightOf } from '../believe.ts';
import { whatTheControlShows } from '../control.ts';
import { rerunCommand, secretOptions, shellWord } from '../rerun.ts';
import { summarise, titleOf } from '../summary.ts';
import type { ClaimRow, ScenarioSummary } from '../summary.ts';
import { decidingFacts, pictureOfClaims } from './facts.ts';
import { caveats, firstParagraph, titleOfIssue } from './headline.ts';
import { block, code, details, prose, table } from './safe.ts';
import type { Hide } from './safe.ts';
import { fitSections } from './sections.ts';
import type { Section } from './sections.ts';
import { whatWasDone } from './steps.ts';
import { versionRows } from './versions.ts';

export type IssueInput = {
  readonly bundle: Bundle;
  /** What is attached; null: nothing is. */
  readonly archive: (Pick<Archive, 'bytes' | 'reduced'> & { readonly name: string }) | null;
  /** What a claim asks for, by its kind, and when it is violated: judges know, and reports do not see them. */
  readonly right: RightOf;
  /** The last lines of what the system printed, by log. */
  readonly logs: readonly { readonly name: string; readonly lines: readonly string[] }[];
  readonly hide: Hide;
};

export type IssueText = {
  readonly title: string;
  readonly body: string;
  /** Without pictures and what is folded away, for a link. */ readonly short: string;
};

/** Forges take 65,536; what they count as one may be more here. */
export const MAXIMUM_ISSUE = 59_900;
const MAXIMUM_CLAIMS = 12;
const MAXIMUM_FILES = 6;
const MAXIMUM_SENTENCE = 900;

const NO_CONTROL = 'No control was run: no claim of this run is about something that happens because the client left.';

const deciding = ({ rows }: ScenarioSummary): readonly ClaimRow[] => {
  const violated = rows.filter(({ outcome }) => outcome === 'violated');
  return violated.length > 0 ? violated : rows.filter(({ outcome }) => outcome === 'inconclusive');
};

/** Right beside seen, for each claim that is not held. */
const rightAndSeen = (rows: readonly ClaimRow[], { bundle, right, hide }: IssueInput): readonly string[] => {
  const shown = rows.slice(0, MAXIMUM_CLAIMS);
  const lines = shown.map((row) => {
    const claim = bundle.resolved.judged.claims.find(({ id }) => id === row.id);
    const known = claim ? right(claim) : null;
    const seen = `${row.class ? `*${prose(row.class, hide)}*: ` : ''}${prose(row.reason, hide)}`;
    const asked = known ? prose(rightWords(known), hide, MAXIMUM_SENTENCE) : '';
    return [code(titleOf(row), hide), asked, row.outcome === 'violated' ? seen : `undecided: ${seen}`];
  });
  const more = rows.length - shown.length;
  return [
    ...table(['claim', 'what is right', 'what was seen'], lines),
    ...(more > 0 ? [`and ${more} more, in the table of all claims.`, ''] : []),
  ];
};

/** What lies beside a card of hangup's own comes with hangup. */
const notInArchive = ({ bundle: { resolved: { run } }, archive, hide }: IssueInput): readonly string[] => {
  const files = run.cardFile?.startsWith('images/') ? [] : Object.keys(run.cardFiles ?? {});
  if (files.length === 0) return [];
  const names = files.slice(0, MAXIMUM_FILES).map((file) => code(file, hide)).join(', ');
  const all = `${names}${files.length > MAXIMUM_FILES ? ', ...' : ''}.`;
  if (archive === null) return [`It needs the system's card, and what lies beside it: ${all}`, ''];
  const what = `It needs what lies beside the system's card, which is not in the archive: ${all}`;
  return [`${what} Put it beside a copy of the archive's \`system.yaml\`, and add \`--system ./system.yaml\`.`, ''];
};

const again = (input: IssueInput): readonly string[] => {
  const { bundle, archive, hide } = input;
  const words = archive ? ['npx', 'hangup', 'rerun', archive.name, ...secretOptions(bundle.manifest.argv)] : [];
  const command = archive ? words.map(shellWord).join(' ') : rerunCommand(bundle.manifest, bundle.resolved);
  const { version } = bundle.manifest.harness;
  const what = `This was found with hangup ${prose(version, hide)}, a harness that lets clients hang up and judges what the system does then.`;
  const where = `In a clone of it${archive ? `, with the attached ${code(archive.name, hide)}` : ''}:`;
  return [what, '', where, '', ...block([command], hide, 'sh'), ...notInArchive(input)];
};

const leftOut = ({ archive, hide }: IssueInput): readonly string[] =>
  archive?.reduced
    ? [
        'The archive is not the whole evidence; it lacks:',
        '',
        ...archive.reduced.left.map(({ path, what, bytes }) => `- ${code(path, hide)}: ${prose(what, hide)} (${bytes} bytes)`),
        '',
        archive.reduced.canBeJudged
          ? 'All that is judged is in it.'
          : 'Observations are missing in it: its verdicts are those of the whole evidence.',
        '',
      ]
    : [];

const allClaims = (summary: ScenarioSummary, hide: Hide): readonly string[] =>
  table(
    ['claim', 'outcome', 'why'],
    summary.rows.map((row) => [code(titleOf(row), hide), row.outcome, prose(row.reason, hide)]),
  );

const problems = (summary: ScenarioSummary, hide: Hide): readonly string[] =>
  summary.problems.flatMap((each) => [
    `- ${code(each.code, hide)}: ${prose(each.message, hide)}${each.hint ? ` (${prose(each.hint, hide)})` : ''}`,
    '',
  ]);

const more = (input: IssueInput, summary: ScenarioSummary): readonly Section[] => {
  const { bundle, logs, hide } = input;
  const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  const settings = Object.entries(bundle.resolved.run.settings).map(([name, value]) => [code(name, hide), code(valueText(value), hide)]);
  const phases = Object.entries(bundle.manifest.phases).map(([phase, ms]) => [prose(phase, hide), formatMs(ms)]);
  return [
    { name: 'all claims', weight: 50, lines: details('All claims', summary.rows.length > 0 ? allClaims(summary, hide) : []) },
    { name: 'the scenario', weight: 40, lines: details('The scenario', block(bundle.scenarioText.trimEnd().split('\n'), hide, 'yaml')) },
    {
      name: 'settings and phases',
      weight: 20,
      lines: details('Settings and phases', [
        ...(settings.length > 0 ? table(['setting', 'value'], settings) : []),
        ...(phases.length > 0 ? table(['phase', 'took'], phases) : []),
      ]),
    },
    ...logs.map(({ name, lines }): Section => ({
      name: `the log ${name}`,
      weight: 30,
      lines: details(`The last lines of ${hide(name)}`, block(lines, hide)),
    })),
    {
      name: 'the other ways to see it',
      weight: 25,
      lines: details('Other ways to see it', [
        ...block(
          [
            rerunCommand(bundle.manifest, bundle.resolved),
            ...(input.archive
              ? [`npx hangup judge ${shellWord(input.archive.name)}`, `npx hangup report ${shellWord(input.archive.name)}`]
              : []),
          ],
          hide,
          'sh',
        ),
      ]),
    },
  ];
};

const main = (input: IssueInput, summary: ScenarioSummary): readonly Section[] => {
  const { bundle, hide } = input;
  const rows = deciding(summary);
  const headed = { bundle, summary };
  const isCutOff = summary.outcome === 'error' || summary.outcome === 'interrupted';
  const shown = bundle.control ? whatTheControlShows(bundle.control) : NO_CONTROL;
  return [
    {
      name: 'the beginning',
      weight: 100,
      lines: [firstParagraph(headed, hide), '', ...caveats(headed, hide), prose(bundle.resolved.run.about, hide), ''],
    },
    { name: 'problems', weight: 90, lines: summary.problems.length > 0 ? ['### What went wrong', '', ...problems(summary, hide)] : [] },
    { name: 'what was done', weight: 80, lines: ['### What was done', '', ...whatWasDone(bundle.timeline, hide)] },
    {
      name: 'what is right and what was seen',
      weight: 85,
      lines: rows.length > 0 ? ['### What is right, and what was seen', '', ...rightAndSeen(rows, input)] : [],
    },
    {
      name: 'the facts',
      weight: 75,
      isLong: true,
      lines: rows.length > 0 ? ['### The facts', '', ...decidingFacts(rows, bundle, hide)] : [],
    },
    { name: 'the picture', weight: 60, isLong: true, lines: pictureOfClaims(rows, bundle, hide) },
    {
      name: 'the control',
      weight: 70,
      lines:
        isCutOff || bundle.resolved.judged.facts.leaves.length === 0
          ? []
          : ['### Does it close by itself?', '', prose(shown, hide, MAXIMUM_SENTENCE), ''],
    },
    {
      name: 'the path',
      weight: 68,
      lines: rows.length > 0 ? ['### Would a close have been seen?', '', prose(pathWords(bundle.timeline), hide), ''] : [],
    },
    { name: 'versions', weight: 78, lines: ['### Versions', '', ...table(['what', 'version'], versionRows(bundle, hide))] },
    {
      name: 'how to see it again',
      weight: 95,
      lines: [
        '### See it again',
        '',
        ...(bundle.manifest.isControl ? ['Not alone: with the scenario that it is the control of.', ''] : again(input)),
        ...leftOut(input),
      ],
    },
  ];
};

/** The title and the text. Everything in it passes `hide`. */
export const issueText = (input: IssueInput): IssueText => {
  const { bundle, hide } = input;
  const { verdicts, manifest, resolved } = bundle;
  const tookMs = Object.values(manifest.phases).reduce((sum, ms) => sum + ms, 0);
  const summary = summarise({ verdicts, run: resolved.run, tookMs, folder: null });
  const sections = main(input, summary);
  return {
    title: titleOfIssue({ bundle, summary }, hide),
    body: fitSections([...sections, ...more(input, summary)], MAXIMUM_ISSUE),
    short: fitSections(
      sections.filter(({ isLong }) => isLong !== true),
      MAXIMUM_ISSUE,
    ),
  };
};
