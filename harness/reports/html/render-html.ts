// report.html: one run in one file, for a reader who was not there and has nothing but a browser. It asks nobody for
// anything: its policy forbids all that is not written in it, by hash. What comes from the run is only ever text.
import { createHash } from 'node:crypto';
import { atOnce } from '../../model/turns.ts';
import { concludedWord } from '../status.ts';
import { summarise } from '../summary.ts';
import { plural } from '../text.ts';
import { systemOf } from '../what-was-run.ts';
import type { ScenarioSummary } from '../summary.ts';
import type { ReportInput } from '../view/input.ts';
import { viewing } from '../view/view-of.ts';
import type { Log } from '../view/view-of.ts';
import type { View } from '../view/view.ts';
import { pack } from './browser/drawing.mjs';
import { escapeJson, escapeText } from './escape.ts';
import { pageScript } from './script.ts';
import { claims, events, expected, findings, logs, made } from './sections.ts';
import { pageStyle } from './style.ts';
import { timelineSection } from './timeline-section.ts';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing but this style and this script, from nowhere. */
const policyOf = (style: string, script: string | null): string =>
  [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${script === null ? "'none'" : hashOf(script)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

/** The head of a page of ours that holds this style and script and nothing else. */
export const pageHead = (title: string, style: string, script: string | null): string =>
  [
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policyOf(style, script)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeText(title)}</title>`,
    `<style>${style}</style>`,
  ].join('\n');

const outcomeWords = (summary: ScenarioSummary): readonly [word: string, look: string] => {
  if (summary.otherwise !== null) return [concludedWord(summary), summary.beyondKnown];
  return summary.counts.known > 0 && summary.outcome === 'failed' && summary.beyondKnown !== 'failed'
    ? ['known', 'known']
    : [summary.outcome, summary.outcome];
};

const header = ({ manifest, resolved }: ReportInput, summary: ScenarioSummary): string => {
  const { counts } = summary;
  const [word, look] = outcomeWords(summary);
  const known = counts.known > 0 ? ` (${counts.known} known)` : '';
  const others = `${counts.inconclusive} inconclusive, ${counts.held} held, ${counts['does-not-apply']} not applicable`;
  const numbers = `${plural(summary.rows.length, 'claim')}: ${counts.violated} violated${known}, ${others}`;
  const system = systemOf(summary) ?? resolved.run.card;
  return [
    '<header>',
    '<div class="brand"><span>hangup: evidence of one run</span><button type="button" id="theme" hidden>Theme: auto</button></div>',
    `<h1><span class="badge ${look}" id="outcome">${escapeText(word)}</span>${escapeText(manifest.scenario)}</h1>`,
    `<p class="about">${escapeText(resolved.run.about)}</p>`,
    `<p class="facts">${escapeText(`${numbers} · ${system} · ${manifest.runtime}`)}</p>`,
    '</header>',
  ].join('\n');
};

function* page(input: ReportInput, view: View): Generator<void, string> {
  const { manifest, resolved, verdicts } = input;
  const tookMs = Object.values(manifest.phases).reduce((sum, ms) => sum + ms, 0);
  const summary = summarise({ verdicts, run: resolved.run, tookMs, folder: null });
  const [style, script] = [pageStyle(), pageScript()];
  const timeline = timelineSection(view);
  yield;
  const packed = pack(view);
  yield;
  const data = escapeJson(packed);
  yield;
  return [
    '<!DOCTYPE html>',
    '<html lang="en">',
    '<head>',
    pageHead(`${summary.outcome}: ${manifest.scenario}`, style, script),
    '</head>',
    '<body>',
    '<a class="skip" href="#claims-title">Skip to the claims</a>',
    header(input, summary),
    '<main>',
    findings(view, summary, input),
    timeline,
    claims(view),
    expected(summary),
    events(view),
    logs(view),
    made(input),
    '</main>',
    `<footer>Made by hangup ${escapeText(manifest.harness.version)} from one bundle; times are of the run's own clock.</footer>`,
    `<script type="application/json" id="view-data">${data}</script>`,
    `<script>${script}</script>`,
    '</body>',
    '</html>',
    '',
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** The same as `renderHtml`, in turns (`inTurns` of model/turns.ts). */
export function* renderingHtml(input: ReportInput, printed: readonly Log[] = []): Generator<void, string> {
  const view = yield* viewing(input, printed);
  yield;
  return yield* page(input, view);
}

/**
 * The page of one bundle, whole in one text.
 * @param printed what the system's processes printed
 */
export const renderHtml = (input: ReportInput, printed: readonly Log[] = []): string => atOnce(renderingHtml(input, printed));
