// report.md: one run for a reader who was not there. What was asked, what was found and why, the facts
// that show it, a picture, and how to see it again. Made from the bundle alone.
import { readBundle } from '../bundle/read.ts';
import type { Manifest } from '../bundle/format.ts';
import { isCameAlong } from '../model/came-along.ts';
import type { Observation } from '../model/observation.ts';
import { refOf } from '../model/observation.ts';
import { formatMs } from '../model/time.ts';
import { whyToBelieve } from './believe.ts';
import type { RightOf } from './believe.ts';
import { describe, relativeTime } from './describe.ts';
import { drawLanes } from './lanes.ts';
import { packetsOf } from './packets.ts';
import { rerunCommand } from './rerun.ts';
import { seedRows } from './seed-rows.ts';
import { summarise, titleOf } from './summary.ts';
import type { ClaimRow, ScenarioSummary } from './summary.ts';
import { markdownCode, markdownText, oneLine, plural } from './text.ts';
import type { ReportInput } from './view/input.ts';

/** More facts than this for one claim are not read by anybody; all are in the timeline. */
const MAXIMUM_EVIDENCE = 12;
const MAXIMUM_SENTENCE = 900;
/** Room before and after a violated interval, as a share of it. */
const MARGIN = 0.25;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] => [
  `| ${head.join(' | ')} |`, `|${head.map(() => ' --- ').join('|')}|`, ...rows.map((row) => `| ${row.join(' | ')} |`), '',
];

const claimWord = (row: ClaimRow): string => {
  if (row.standing === 'right') return markdownText(`rightly ${row.outcome}`);
  const word = row.standing ? `${row.outcome} (${row.standing}${row.issue ? `, ${oneLine(row.issue)}` : ''})` : row.outcome;
  return row.outcome === 'violated' && row.standing === null ? `**${markdownText(word)}**` : markdownText(word);
};

const claims = (summary: ScenarioSummary): readonly string[] =>
  table(['claim', 'outcome', 'why'], summary.rows.map((row) => [
    `${markdownCode(row.id)}${row.as === undefined ? '' : ` ${markdownText(row.as)}`}`, claimWord(row),
    `${row.class ? `${markdownText(row.class)}: ` : ''}${markdownText(row.reason)}`,
  ]));

const expected = (summary: ScenarioSummary): readonly string[] => {
  if (summary.expected.length === 0) return [];
  const hasSeed = summary.expected.some((each) => each.what !== null);
  return [
    hasSeed ? '## What the seed saw' : '## What the planted defect must violate', '',
    ...table(['with', hasSeed ? 'seen there' : 'must be violated', 'violated here', 'not violated here'], summary.expected.map((each) => [
      markdownCode(each.by),
      each.what === null ? each.violates.map(markdownCode).join(', ') : markdownText(each.what),
      each.violates.filter((claim) => !each.missing.includes(claim)).map(markdownCode).join(', ') || 'none',
      each.missing.map(markdownCode).join(', ') || 'none',
    ])),
  ];
};

const evidenceOf = (row: ClaimRow, input: ReportInput, byRef: ReadonlyMap<string, Observation>): readonly string[] => {
  const found = row.evidence.flatMap((ref) => byRef.get(ref) ?? []).sort((a, b) => a.atMs - b.atMs);
  if (found.length === 0) return [];
  const shown = found.slice(0, MAXIMUM_EVIDENCE);
  const more = found.length - shown.length;
  return [
    ...table(['when', 'who', 'what', 'fact'], shown.map((each) => [
      markdownText(relativeTime(input.timeline, each.atMs)), markdownCode(each.actor), markdownText(describe(each)),
      markdownCode(refOf(each)),
    ])),
    ...(more > 0 ? [`and ${more} more, named in verdicts.json.`, ''] : []),
  ];
};

const picture = (row: ClaimRow, input: ReportInput): readonly string[] => {
  const { timeline } = input;
  const first = timeline.of('mark')[0]?.atMs ?? row.interval?.fromMs ?? 0;
  const violated = row.interval ?? null;
  if (!violated) return [];
  const roomMs = Math.max(200, (violated.toMs - violated.fromMs) * MARGIN);
  const window = { fromMs: Math.max(0, Math.min(first, violated.fromMs) - roomMs), toMs: violated.toMs + roomMs };
  return ['```text', ...drawLanes(timeline, window, violated).map((line) => line.replaceAll('`', "'")), '```', ''];
};

const whys = (summary: ScenarioSummary, input: ReportInput): readonly string[] => {
  const byRef = new Map(input.timeline.all.map((each) => [refOf(each), each]));
  const rows = summary.rows.filter((row) => row.outcome === 'violated' || row.outcome === 'inconclusive');
  return rows.flatMap((row) => [
    `## ${markdownText(titleOf(row))}: ${row.outcome}`, '', markdownText(row.reason), '',
    `**Why to believe it.** ${whyToBelieve(row.id, input).map((each) => markdownText(each, MAXIMUM_SENTENCE)).join(' ')}`, '',
    ...evidenceOf(row, input, byRef), ...picture(row, input),
  ]);
};

/** A scenario may say what must be concluded of it. */
const concluded = ({ otherwise }: ScenarioSummary): readonly string[] => {
  if (otherwise === null) return [];
  if (otherwise.length === 0) return ['Rightly so: that is what this scenario says a run of it must conclude.', ''];
  return ['A run of this scenario must conclude something else:', '', ...otherwise.map((each) => `- ${markdownText(each)}`), ''];
};

const problems = (summary: ScenarioSummary): readonly string[] =>
  summary.problems.length === 0 ? [] : ['## What went wrong', '', ...summary.problems.map((each) =>
    `- ${markdownCode(each.code)}: ${markdownText(each.message)}${each.hint ? ` (${markdownText(each.hint)})` : ''}`),
  ...(summary.outcome === 'untestable' ? ['', 'Nothing was started. What the tools printed: [logs/install.log](logs/install.log).'] : []), ''];

const again = ({ manifest, resolved }: ReportInput): readonly string[] => [
  '## See it again', '',
  'Run it:', '', '```sh', rerunCommand(manifest, resolved), '```', '',
  'Judge this evidence again, with nothing running (the folder of this file):', '', '```sh', 'npx hangup judge .', '```', '',
];

const versionOf = ({ version, commit, dirty }: Manifest['harness']): string =>
  version + (commit ? `, commit ${commit.slice(0, 12)}${dirty ? ' with changes' : ''}` : '');

/** Linked where there are any; why not, where they were asked for in vain. */
const packets = ({ timeline }: ReportInput): readonly (readonly string[])[] =>
  [packetsOf(timeline)].flatMap((packets) =>
    packets === null ? [] : [['packets', `${packets.path === null ? '' : `[${packets.path}](${packets.path}), `}${markdownText(packets.words)}`]]);

const versionRows = (versions: readonly (readonly [string, string])[]): readonly (readonly string[])[] => versions.map((row) => row.map((text) => markdownText(text)));

/** Packages that nobody named: of a large program hundreds. */
const cameWith = (versions: Manifest['versions']): readonly string[] => {
  const along = Object.entries(versions).filter(([name]) => isCameAlong(name));
  if (along.length === 0) return [];
  return ['<details>', `<summary>${plural(along.length, 'package')} that came along</summary>`, '', ...table(['what', 'version'], versionRows(along)), '</details>', ''];
};

const made = (input: ReportInput): readonly string[] => {
  const { manifest, resolved, control } = input;
  return [
    '## How it was made', '',
    ...table(['what', 'value'], [
      ['system card', markdownCode(resolved.run.card)],
      ...(resolved.run.version === undefined ? [] : [['version', markdownText(resolved.run.version)]]),
      ['runtime', markdownText(manifest.runtime)],
      ...Object.entries(resolved.run.coordinates ?? {}).filter(([axis]) => axis !== 'version').map(([axis, value]) => [`axis ${markdownText(axis)}`, markdownText(value)]),
      ['defects', resolved.run.defects.map(markdownCode).join(', ') || 'none'],
      ['begun', markdownText(manifest.startedAt)],
      ...seedRows(manifest, resolved).map((row) => row.map((text) => markdownText(text))),
      ['control', control ? `${control.all.length} facts of a run whose client stays` : 'none was needed'],
      ['hangup', markdownText(versionOf(manifest.harness))],
      ...packets(input),
      ...versionRows(Object.entries(manifest.versions).filter(([name]) => !isCameAlong(name))),
    ]),
    ...cameWith(manifest.versions),
    ...(Object.keys(manifest.phases).length === 0 ? [] : table(['phase', 'took'], Object.entries(manifest.phases)
      .map(([phase, ms]) => [markdownText(phase), formatMs(ms)]))),
  ];
};

/** The page of one bundle. Needs its verdicts. */
export const renderReport = (input: ReportInput): string => {
  const { manifest, resolved, verdicts } = input;
  if (!verdicts) throw new Error('a report needs verdicts');
  const tookMs = Object.values(manifest.phases).reduce((sum, ms) => sum + ms, 0);
  const summary = summarise({ verdicts, run: resolved.run, tookMs, folder: null });
  const { counts } = summary;
  const violated = `${counts.violated} violated${counts.known > 0 ? ` (${counts.known} known)` : ''}`;
  return [
    `# ${markdownText(manifest.scenario)}: ${summary.outcome}`, '',
    markdownText(resolved.run.about), '',
    `Source: ${markdownText(resolved.run.source)}.`, '',
    `Claims: ${counts.held} held, ${violated}, ${counts.inconclusive} inconclusive, ${counts['does-not-apply']} not applicable.`, '',
    ...concluded(summary), ...problems(summary), ...(summary.rows.length === 0 ? [] : claims(summary)), ...expected(summary), ...whys(summary, input), ...again(input), ...made(input),
  ].join('\n').trimEnd() + '\n';
};

/** The page of a bundle that its writer is about to seal. */
export const reportOf = async (folder: string, right?: RightOf): Promise<string> =>
  renderReport({ ...(await readBundle(folder, { isOver: false })), ...(right && { right }) });
