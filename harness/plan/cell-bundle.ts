// The bundle of one cell: its name, what it is begun with, and how it is closed, also where its way broke off.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { JUDGE_VERSION } from '../bundle/format.ts';
import type { Resolved, Verdicts } from '../bundle/format.ts';
import { createNoBundle } from '../bundle/none.ts';
import type { Redactor } from '../bundle/redact.ts';
import { plainName } from '../bundle/plain-name.ts';
import { createBundleWriter } from '../bundle/write.ts';
import type { BundleStart, BundleWriter } from '../bundle/write.ts';
import type { Facts } from '../model/facts.ts';
import { problemsOf } from '../model/problem.ts';
import type { Problem, ProblemError } from '../model/problem.ts';
import type { ScenarioOutcome, Verdict } from '../model/verdict.ts';
import type { Cell } from '../systems/cell.ts';
import { secretsOfCard, stableTextOf } from '../systems/card-secrets.ts';
import { knownOf } from '../systems/known.ts';
import { askedOf } from './asked.ts';
import { manifestOf, runtimeOf } from './session.ts';
import type { Session } from './session.ts';

const WORD = '[A-Za-z0-9]+';
const WORDS = `${WORD}(?:-${WORD})*`;
const PLAIN_ID = new RegExp(`^${WORDS}(?:/${WORDS})*(?:[[ ].*)?$`);
const PLAIN_VALUE = new RegExp(`^${WORD}(?:\\.${WORD})*$`);
const ONE_WORD_FAMILY = new RegExp(`^${WORD}/[^/]*(?:[[ ].*)?$`);

/** `x-y/z` beside `x/y-z`. */
const withFamily = (id: string): string => (ONE_WORD_FAMILY.test(id) ? id : id.replaceAll('/', '_'));

/** What would make one name: `a.b` and `a-b`, a value that begins with a sign, as `-5ms` and `5ms`, values such as `1.2-3` and `1.2.3`, or `v1/a` and `v1-a`. */
const apart = ({ id, coordinates }: Cell): readonly string[] =>
  PLAIN_ID.test(id) && !/=[^A-Za-z0-9]/.test(id) && Object.values(coordinates).every((value) => PLAIN_VALUE.test(value))
    ? []
    : [createHash('sha256').update(id).digest('hex').slice(0, 8)];

/** A name for folders, labels and containers, unique in its command. */
export const nameOf = (cell: Cell, attempt: number): string =>
  plainName(withFamily(cell.id), cell.presets, ...apart(cell), ...(attempt > 1 ? ['attempt', String(attempt)] : []));

/** @param asked what running it again needs beside the cell */
export const resolvedOf = (cell: Cell, facts: Facts, asked?: Session['asked']): Resolved => ({
  judged: { facts, claims: cell.claims },
  run: {
    card: cell.card.system,
    defects: cell.defects,
    settings: cell.settings,
    matrix: cell.scenario.matrix,
    ...(Object.keys(cell.coordinates).length === 0 ? {} : { coordinates: cell.coordinates }),
    catches: cell.scenario.catches,
    saw: cell.scenario.saw,
    ...(cell.scenario.concludes === undefined ? {} : { concludes: cell.scenario.concludes }),
    about: cell.scenario.about,
    source: cell.scenario.source,
    file: cell.scenario.file,
    ...askedOf(cell.card, asked),
    presets: cell.presets,
    ...(cell.drawn ? { drawn: cell.drawn } : {}),
    known: knownOf(cell.card, cell.scenario.id),
  },
});

/** Secrets that are known already are kept out from its first byte on. */
export const openBundle = async (
  cell: Cell,
  attempt: number,
  session: Session,
  scenarioText: string,
  onFailure: (failure: ProblemError) => void,
): Promise<{ bundle: BundleWriter; redactor: Redactor }> => {
  const redactor = session.hidden.forBundle(stableTextOf(cell));
  for (const secret of secretsOfCard(cell, {})) redactor.register(secret);
  const { runId, output, asked } = session;
  const card = asked?.cards.get(cell.card.file);
  const start: BundleStart = {
    manifest: {
      ...manifestOf(session, cell),
      runId,
      scenario: cell.id,
      scenarioHash: createHash('sha256').update(scenarioText).digest('hex'),
      runtime: runtimeOf(session, cell).kind,
      startedAt: new Date().toISOString(),
      isControl: cell.staysMs !== null,
    },
    scenarioText,
    ...(card ? { cardText: card.text } : {}),
    resolved: resolvedOf(cell, cell.facts, asked),
    redactor,
    onFailure,
  };
  const bundle = output === null ? createNoBundle(start) : await createBundleWriter(join(output, nameOf(cell, attempt)), start);
  return { bundle, redactor };
};

/** report.md, and report.html where it was made too. */
export type Pages = { readonly markdown: string; readonly html?: string };

/** Makes the pages of a bundle's folder; a text alone is report.md. */
export type Report = (folder: string) => Promise<string | Pages>;

const writePages = async (bundle: BundleWriter, report: Report): Promise<void> => {
  if (bundle.folder === null) return;
  const made = await report(bundle.folder);
  const { markdown, html } = typeof made === 'string' ? { markdown: made, html: undefined } : made;
  await bundle.writeReport(markdown, html);
};

/** That a page is missing is an error of ours; it hides no violation, and the run was judged all the same. */
const withoutPage = (verdicts: Verdicts, problems: readonly Problem[]): Verdicts => ({
  ...verdicts,
  outcome: verdicts.outcome === 'failed' || verdicts.outcome === 'interrupted' ? verdicts.outcome : 'error',
  problems: [...verdicts.problems, ...problems.map(toWritten)],
});

/**
 * Verdicts, pages, seal: nothing is added after it. Pages that cannot be made take nothing from the verdicts.
 * @returns the outcome as it was written, and why there are no pages
 * @throws ProblemError what could not be written
 */
export const closeBundle = async (
  bundle: BundleWriter,
  verdicts: Verdicts,
  report: Report,
): Promise<{ readonly outcome: ScenarioOutcome; readonly problems: readonly Problem[] }> => {
  await bundle.writeVerdicts(verdicts);
  const problems = await writePages(bundle, report).then((): readonly Problem[] => [], problemsOf);
  const written = problems.length === 0 ? verdicts : withoutPage(verdicts, problems);
  // Where the page could not be written nothing can be, and this says so.
  if (written !== verdicts) await bundle.writeVerdicts(written);
  await bundle.seal();
  return { outcome: written.outcome, problems };
};

const toWritten = ({ family, code, message, hint }: Problem): Verdicts['problems'][number] =>
  ({ family, code, message, ...(hint === undefined ? {} : { hint }) });

export const verdictsOf = (cell: Cell, outcome: ScenarioOutcome, verdicts: readonly Verdict[], problems: readonly Problem[]): Verdicts => ({
  judge: JUDGE_VERSION,
  scenario: cell.id,
  outcome,
  verdicts,
  problems: problems.map(toWritten),
});

/** What can still be kept of a bundle whose way to the verdicts broke off; what cannot be written has been told already. */
export const salvage = async (bundle: BundleWriter, verdicts: Verdicts, report: Report): Promise<void> => {
  await bundle.closeTimeline().catch(() => {});
  if (bundle.failure() !== null) return;
  await bundle
    .writeVerdicts(verdicts)
    // What broke off may be what a page cannot be made of; it is sealed without one.
    .then(() => writePages(bundle, report).catch(() => {}))
    .then(bundle.seal)
    .catch(() => {});
};
