// The page's sections but for the timeline: what went wrong, all claims, what happened in order, logs, how it was made.
import { isCameAlong } from '../../model/came-along.ts';
import { formatMs } from '../../model/time.ts';
import { whyToBelieve } from '../believe.ts';
import { rerunCommand } from '../rerun.ts';
import { packetsOf } from '../packets.ts';
import { seedRows } from '../seed-rows.ts';
import type { ScenarioSummary } from '../summary.ts';
import { plural } from '../text.ts';
import type { ReportInput } from '../view/input.ts';
import type { View, ViewClaim } from '../view/view.ts';
import { escapeText } from './escape.ts';
import { code, intervalWords, momentOf, reference, table, wordOf } from './parts.ts';

/** More facts than this for one claim are read by nobody. */
const MAXIMUM_EVIDENCE = 12;
const MAXIMUM_EVENTS = 200;

const wordsOf = (view: View, ref: number): string => view.texts[view.observations.text[ref]!]!;

const evidenceItems = (view: View, claim: ViewClaim): string => {
  const shown = claim.evidence.slice(0, MAXIMUM_EVIDENCE);
  const more = claim.evidence.length - shown.length;
  return [
    '<ul>',
    ...shown.map(
      (ref) =>
        `<li>${momentOf(view, view.observations.at[ref]!)} ${reference(view, ref)} ${escapeText(wordsOf(view, ref))}</li>`,
    ),
    ...(more > 0 ? [`<li>and ${more} more, named in verdicts.json</li>`] : []),
    ...claim.missing.slice(0, MAXIMUM_EVIDENCE).map((name) => `<li>${code(name)} is not in this bundle</li>`),
    '</ul>',
  ].join('\n');
};

const reasons = (claim: ViewClaim, input: ReportInput): readonly string[] =>
  claim.standing === 'fixed'
    ? []
    : [`<p class="believe"><b>Why to believe it.</b> ${whyToBelieve(claim.id, input).map(escapeText).join(' ')}</p>`];

const finding = (view: View, claim: ViewClaim, index: number, input: ReportInput): string => {
  const count = claim.evidence.length + claim.missing.length;
  const title = 'Show in the timeline';
  return [
    `<li class="finding of-${claim.outcome}" id="claim-${index}" data-claim="${index}">`,
    `<h3>${escapeText(claim.title)}</h3> ${wordOf(claim)}`,
    ...(claim.class === null ? [] : [`<span class="class">${escapeText(claim.class)}</span>`]),
    `<p class="reason">${escapeText(claim.reason)}</p>`,
    ...reasons(claim, input),
    '<p class="more">',
    ...(claim.interval ? [`<span>${intervalWords(view, claim)}</span>`] : []),
    ...(claim.evidence.length > 0 || claim.interval
      ? [
          `<a href="#timeline-title" data-show-claim="${index}" aria-label="${title}: ${escapeText(claim.id)}">${title}</a>`,
        ]
      : []),
    '</p>',
    ...(count > 0
      ? [
          `<details><summary>${count === 1 ? 'The fact that decided it' : `The ${count} facts that decided it`}</summary>`,
          evidenceItems(view, claim),
          '</details>',
        ]
      : []),
    '</li>',
  ].join('\n');
};

const problems = (summary: ScenarioSummary): readonly string[] =>
  summary.problems.map(({ code: name, message, hint }) =>
    [
      `<li class="finding"><h3>${escapeText(name)}</h3>`,
      `<p class="reason">${escapeText(message)}</p>`,
      ...(hint ? [`<p class="note">${escapeText(hint)}</p>`] : []),
      '</li>',
    ].join('\n'),
  );

/** What was not as it should be, each with the facts behind it. */
export const findings = (view: View, summary: ScenarioSummary, input: ReportInput): string => {
  const shown = view.claims.flatMap((claim, index) =>
    claim.outcome === 'violated' || claim.outcome === 'inconclusive' || claim.standing === 'fixed' ? [finding(view, claim, index, input)] : [],
  );
  const items = [...problems(summary), ...shown];
  const otherwise = (summary.otherwise ?? []).map((each) => `<p>${escapeText(each)}</p>`);
  if (items.length + otherwise.length === 0) return '';
  const title = ['failed', 'error'].includes(view.outcome) ? 'What went wrong' : 'What to look at';
  return [
    `<section aria-labelledby="why-title"><h2 id="why-title">${title}</h2>`,
    ...otherwise,
    '<ol class="findings">',
    ...items,
    '</ol></section>',
  ].join('\n');
};

export const claims = (view: View): string =>
  view.claims.length === 0
    ? ''
    : [
        '<section aria-labelledby="claims-title"><h2 id="claims-title">All claims</h2>',
        table(
          'all claims',
          ['claim', 'outcome', 'why', 'where'],
          view.claims.map((claim, index) => [
            escapeText(claim.title),
            wordOf(claim),
            escapeText([claim.class === null ? '' : `${claim.class}: `, claim.reason, claim.issue === null ? '' : ` (${claim.issue})`].join('')),
            claim.evidence.length > 0
              ? `<a href="#timeline-title" data-show-claim="${index}" aria-label="show in the timeline: ${escapeText(claim.id)}">show</a>`
              : '',
          ]),
          view.claims.map((_, index) => `data-claim="${index}"`),
        ),
        '</section>',
      ].join('\n');

/** What a preset or a defect must show, beside what was seen. */
export const expected = (summary: ScenarioSummary): string => {
  if (summary.expected.length === 0) return '';
  const hasSeed = summary.expected.some(({ what }) => what !== null);
  const title = hasSeed ? 'What the seed saw' : 'What the planted defect must violate';
  const list = (names: readonly string[]): string => names.map(code).join(', ') || 'none';
  return [
    `<section aria-labelledby="expected-title"><h2 id="expected-title">${title}</h2>`,
    table(
      title,
      ['with', hasSeed ? 'seen there' : 'must be violated', 'violated here', 'not violated here'],
      summary.expected.map((each) => [
        code(each.by),
        each.what === null ? list(each.violates) : escapeText(each.what),
        list(each.violates.filter((claim) => !each.missing.includes(claim))),
        list(each.missing),
      ]),
    ),
    '</section>',
  ].join('\n');
};

/** Marks and moments of all lanes in order: the picture, for those who read. */
export const events = (view: View): string => {
  const marks = view.marks.map(({ atMs, ref, name, client }) => ({ atMs, ref, who: client ?? 'harness', what: `mark ${name}` }));
  const points = view.lanes.flatMap((lane) => lane.points.map(({ atMs, ref, label }) => ({ atMs, ref, who: lane.id, what: label })));
  const all = [...marks, ...points].sort((a, b) => a.atMs - b.atMs);
  const shown = all.slice(0, MAXIMUM_EVENTS);
  const more = all.length - shown.length;
  return [
    '<section aria-labelledby="events-title"><h2 id="events-title">What happened, in order</h2>',
    `<details><summary>${shown.length} moments</summary>`,
    table(
      'what happened',
      ['when', 'who', 'what', 'fact'],
      shown.map(({ atMs, ref, who, what }) => [momentOf(view, atMs), code(who), escapeText(what), ref < 0 ? '' : reference(view, ref)]),
    ),
    ...(more > 0 ? [`<p class="note">and ${more} more; all are in timeline.ndjson.</p>`] : []),
    '</details></section>',
  ].join('\n');
};

const TIMES = {
  recorded: 'set beside the axis by when they were seen',
  lines: 'set beside the axis by the times that they say',
  none: 'nothing says when they were written',
};

export const logs = (view: View): string =>
  view.logs.length === 0
    ? ''
    : [
        '<section aria-labelledby="logs-title"><h2 id="logs-title">Logs</h2>',
        ...view.logs.map((log, index) =>
          [
            `<details><summary>${code(log.name)}: ${log.text.length} lines, ${TIMES[log.times]}</summary>`,
            ...(log.leftOut === null ? [] : [`<p class="note">${escapeText(log.leftOut)}</p>`]),
            `<pre class="log" id="log-${index}" tabindex="0">${escapeText(log.text.join('\n'))}</pre></details>`,
          ].join('\n'),
        ),
        '</section>',
      ].join('\n');

const packetRows = (timeline: ReportInput['timeline']): readonly (readonly [string, string])[] => {
  const packets = packetsOf(timeline);
  if (packets === null) return [];
  return [['packets', `${packets.path === null ? '' : `<a href="${packets.path}">${packets.path}</a>, `}${escapeText(packets.words)}`]];
};

/** Packages that nobody named: of a large program hundreds. */
const cameWith = (versions: ReportInput['manifest']['versions']): readonly string[] => {
  const along = Object.entries(versions).filter(([name]) => isCameAlong(name));
  if (along.length === 0) return [];
  return [
    `<details><summary>${plural(along.length, 'package')} that came along</summary>`,
    table('packages that came along', ['what', 'version'], along.map((row) => row.map(escapeText))),
    '</details>',
  ];
};

/** How it was made, and the one command that makes it again. */
export const made = ({ manifest, resolved, control, timeline }: ReportInput): string => {
  const { version, commit, dirty } = manifest.harness;
  const hangup = `${version}${commit ? `, commit ${commit.slice(0, 12)}${dirty ? ' with changes' : ''}` : ''}`;
  const settings = Object.entries(resolved.run.settings)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join(', ');
  const rows: readonly (readonly [string, string])[] = [
    ['system card', resolved.run.card],
    ...(resolved.run.version === undefined ? [] : [['version', resolved.run.version] as const]),
    ['runtime', manifest.runtime],
    ['defects', resolved.run.defects.join(', ') || 'none'],
    ...(settings === '' ? [] : [['settings', settings] as const]),
    ['source', resolved.run.source],
    ['begun', manifest.startedAt],
    ...seedRows(manifest, resolved),
    ['control', control ? `${control.all.length} facts of a run whose client stays` : 'none was needed'],
    ['hangup', hangup],
    ...Object.entries(manifest.versions).filter(([name]) => !isCameAlong(name)),
    ...Object.entries(manifest.phases).map(([phase, ms]) => [`phase ${phase}`, formatMs(ms)] as const),
  ];
  return [
    '<section aria-labelledby="again-title"><h2 id="again-title">See it again</h2>',
    '<p>Run it:</p>',
    `<pre tabindex="0">${escapeText(rerunCommand(manifest, resolved))}</pre>`,
    '<p>Judge this evidence again, with nothing running, in the folder of this file:</p>',
    '<pre tabindex="0">npx hangup judge .</pre></section>',
    '<section aria-labelledby="made-title"><h2 id="made-title">How it was made</h2>',
    table(
      'how it was made',
      ['what', 'value'],
      [...rows.map(([name, value]) => [escapeText(name), escapeText(value)]), ...packetRows(timeline)],
    ),
    ...cameWith(manifest.versions),
    '</section>',
  ].join('\n');
};
