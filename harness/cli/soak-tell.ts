// One result of a night in the few words that are remembered of it: how its exit code counts it, and by which symptoms it is known again.
import { createHash } from 'node:crypto';
import { JUDGE_VERSION } from '../bundle/format.ts';
import type { ScenarioResult } from '../model/exit-code.ts';
import { reasonWithoutChance, symptomOf, symptomWords } from '../model/symptom.ts';
import { resolvedOf } from '../plan/cell-bundle.ts';
import type { CellResult } from '../plan/run-cell.ts';
import type { Seen, Told } from '../plan/soak/tally.ts';
import { statusOf } from '../reports/status.ts';
import { summarise } from '../reports/summary.ts';
import type { ScenarioSummary } from '../reports/summary.ts';
import { oneLine } from '../reports/text.ts';

const WORDS = 300;

const seenText = (what: string, text: string, outcome: Seen['outcome']): Seen => {
  const reason = reasonWithoutChance(text);
  const hash = createHash('sha256').update(reason).digest('hex').slice(0, 8);
  return { words: oneLine(`${what} (${reason})`, WORDS), fingerprint: `${what}@${hash}`, outcome };
};

const seenIn = ({ rows, problems, otherwise, beyondKnown }: ScenarioSummary): readonly Seen[] => [
  ...problems.map(({ code, message }) => seenText(code, message, 'error')),
  ...(otherwise ?? []).map((each) => seenText('concluded otherwise', each, beyondKnown === 'inconclusive' ? 'inconclusive' : 'violated')),
  ...(otherwise !== null ? [] : rows.flatMap((row): readonly Seen[] => {
    if (row.standing !== null || (row.outcome !== 'violated' && row.outcome !== 'inconclusive')) return [];
    const symptom = symptomOf(row);
    return [{ words: oneLine(symptomWords(symptom), WORDS), fingerprint: symptom.fingerprint, outcome: row.outcome }];
  })),
];

export type ToldResult = { readonly told: Told; readonly counted: ScenarioResult };

/** @param shown hides secrets, which problems of a system may hold */
export const tellResult = (result: CellResult, strict: boolean, shown: <T>(value: T) => T): ToldResult => {
  const { cell, outcome, verdicts, problems, tookMs, folder } = result;
  const summary = shown(summarise({
    verdicts: { judge: JUDGE_VERSION, scenario: cell.id, outcome, verdicts, problems: problems.map(({ family, code, message }) => ({ family, code, message })) },
    run: resolvedOf(cell, cell.facts).run, tookMs, folder: folder || null,
  }));
  const status = statusOf(summary, strict);
  return {
    told: {
      cell: cell.id, system: cell.card.system, outcome, status: status === 'untestable' ? 'error' : status, tookMs, folder: folder || null,
      seen: status === 'interrupted' ? [] : seenIn(summary),
      fixed: summary.rows.filter(({ standing }) => standing === 'fixed').map(({ id }) => id),
    },
    counted: { outcome, beyondKnown: summary.beyondKnown, hasListed: summary.hasListed },
  };
};
