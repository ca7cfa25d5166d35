// The facts that decided the claims, with times from the mark, and a picture of when.
import type { Bundle } from '../../bundle/read.ts';
import type { Observation } from '../../model/observation.ts';
import { refOf } from '../../model/observation.ts';
import { describe, relativeTime } from '../describe.ts';
import { drawLanes } from '../lanes.ts';
import type { ClaimRow } from '../summary.ts';
import { block, code, prose, table } from './safe.ts';
import type { Hide } from './safe.ts';

type Input = Pick<Bundle, 'timeline'>;

const MAXIMUM_FACTS = 14;
const MAXIMUM_OF_ONE = 4;
/** Room before and after a violated interval, as a share of it. */
const MARGIN = 0.25;

type Decider = { readonly observation: Observation; readonly claims: readonly string[] };

/** Evidence of a claim, the first and the last of it where there is much. */
const evidenceOf = (row: ClaimRow, byRef: ReadonlyMap<string, Observation>): readonly Observation[] => {
  const found = row.evidence.flatMap((ref) => byRef.get(ref) ?? []).sort((a, b) => a.atMs - b.atMs);
  return found.length <= MAXIMUM_OF_ONE ? found : [...found.slice(0, MAXIMUM_OF_ONE / 2), ...found.slice(-MAXIMUM_OF_ONE / 2)];
};

const decidersOf = (rows: readonly ClaimRow[], { timeline }: Input): readonly Decider[] => {
  const byRef = new Map(timeline.all.map((each) => [refOf(each), each]));
  const pairs = rows.flatMap((row) => evidenceOf(row, byRef).map((observation) => ({ observation, claim: row.id })));
  const grouped = Map.groupBy(pairs, ({ observation }) => refOf(observation));
  return [...grouped.values()].map((all) => ({ observation: all[0]!.observation, claims: all.map(({ claim }) => claim) }));
};

/** A table of those that decided these claims; marks stand between them. */
export const decidingFacts = (rows: readonly ClaimRow[], input: Input, hide: Hide): readonly string[] => {
  const deciders = decidersOf(rows, input);
  if (deciders.length === 0) return [];
  const shown = deciders.slice(0, MAXIMUM_FACTS);
  const marks = input.timeline
    .of('mark')
    .slice(0, MAXIMUM_OF_ONE)
    .filter((mark) => !shown.some(({ observation }) => observation === mark))
    .map((observation): Decider => ({ observation, claims: [] }));
  const all = [...shown, ...marks].sort((a, b) => a.observation.atMs - b.observation.atMs);
  const lines = all.map(({ observation, claims }) => [
    prose(relativeTime(input.timeline, observation.atMs), hide),
    code(refOf(observation), hide),
    prose(describe(observation), hide, 240),
    claims.map((claim) => code(claim, hide)).join(', '),
  ]);
  const more = deciders.length - shown.length;
  return [...table(['when', 'fact', 'what', 'decided'], lines), ...(more > 0 ? [`and ${more} more, named in \`verdicts.json\`.`, ''] : [])];
};

/** Of the first of these claims that was violated for a while: lanes of text. */
export const pictureOfClaims = (rows: readonly ClaimRow[], { timeline }: Input, hide: Hide): readonly string[] => {
  const violated = rows.find(({ interval }) => interval !== undefined)?.interval;
  if (!violated) return [];
  const first = timeline.of('mark')[0]?.atMs ?? violated.fromMs;
  const roomMs = Math.max(200, (violated.toMs - violated.fromMs) * MARGIN);
  const window = { fromMs: Math.max(0, Math.min(first, violated.fromMs) - roomMs), toMs: violated.toMs + roomMs };
  return block(drawLanes(timeline, window, violated), hide);
};
