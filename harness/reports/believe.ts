// Why a verdict can be believed, in a few plain sentences: what the claim asks for, what the control showed, and that a close
// comes through the path that it was watched on. Whatever shows a claim says them, each in its own markup.
import type { Bundle } from '../bundle/read.ts';
import { eachClient } from '../model/facts.ts';
import type { Claim, Facts } from '../model/facts.ts';
import { formatMs } from '../model/time.ts';
import type { Timeline } from '../model/timeline.ts';
import { whatTheControlShows } from './control.ts';
import type { Asked } from './control.ts';

/** What a claim asks for. `about` is a sentence; `violatedIf` are lines without a full stop, with limits written out. */
export type Right = { readonly about: string; readonly violatedIf: readonly string[]; readonly usesControl: boolean };

/** Judges know it, and reports do not see them: who calls gives it. Null for a claim that this version does not know. */
export type RightOf = (claim: Claim) => Right | null;

const MAXIMUM_WAYS = 2;

/** `The upstream sees ... Wrong: it is still open 2.0 s after mark gone, and 500 ms for measuring.` */
export const rightWords = ({ about, violatedIf }: Right): string => {
  const wrong = violatedIf.slice(0, MAXIMUM_WAYS).join('; or ');
  return `${about}${wrong === '' ? '' : ` Wrong: ${wrong}.`}`;
};

/** That a direct close on each leg was seen before the run, and how soon; else what that leaves open. */
export const pathWords = (timeline: Timeline): string => {
  const controls = timeline.of('path-control');
  if (controls.length === 0) return 'No path control is in this record: nothing shows that a close comes through to who watches for it.';
  const hidden = controls.filter(({ seen }) => !seen);
  if (hidden.length > 0) {
    const which = [...new Set(hidden.map(({ leg, how }) => `${how.toUpperCase()} on the ${leg} leg`))].join(', ');
    return `The path hides closes: of direct connections this was not seen within ${formatMs(hidden[0]!.tookMs)}: ${which}.`;
  }
  const legs = [...Map.groupBy(controls, ({ leg }) => leg)].map(([leg, all]) => ({
    leg,
    hows: [...new Set(all.map(({ how }) => how.toUpperCase()))].join(' and '),
  }));
  const seen = [...Map.groupBy(legs, ({ hows }) => hows)].map(
    ([hows, all]) => `${hows} on the ${all.map(({ leg }) => leg).join(' and the ')} leg`,
  );
  const withinMs = Math.max(1, Math.ceil(Math.max(...controls.map(({ tookMs }) => tookMs))));
  return `The path does not hide closes: direct ones were seen within ${formatMs(withinMs)}, ${seen.join(', ')}.`;
};

/** Whose exchanges a claim is about: of the client that it names, else of those that leave at its mark. */
const askedBy = (facts: Facts, { options }: Claim): Asked => {
  const named = eachClient(facts, options).flatMap(({ client }) => (typeof client === 'string' ? [client] : []));
  const leaving = facts.leaves.filter(({ mark }) => mark === options.after).map(({ client }) => client);
  const clients = named.length > 0 ? named : leaving;
  return { clients: clients.length > 0 ? clients : null, upstream: typeof options.upstream === 'string' ? options.upstream : null };
};

const controlWords = (control: Timeline | null, facts: Facts, claim: Claim, { usesControl }: Right): string => {
  // Only a leave that puts something on the wire is compared with a client that stays; a bound that is due is not.
  const isOfLeave = facts.leaves.some(({ mark, how }) => mark === claim.options.after && how !== 'vanish');
  if (!usesControl || !isOfLeave) return 'This claim is judged without a control.';
  return control === null
    ? 'No control was run: nothing here says what happens with a client that stays.'
    : whatTheControlShows(control, askedBy(facts, claim));
};

export type BelieveInput = Pick<Bundle, 'timeline' | 'control' | 'resolved'> & { readonly right?: RightOf };

/** Sentences of plain text for the claim of that id; what is not known of it is left out. */
export const whyToBelieve = (id: string, { timeline, control, resolved, right }: BelieveInput): readonly string[] => {
  const { claims, facts } = resolved.judged;
  const claim = claims.find((each) => each.id === id);
  const known = claim ? (right?.(claim) ?? null) : null;
  const demands = claim && known ? [`Right: ${rightWords(known)}`, controlWords(control, facts, claim, known)] : [];
  return [...demands, pathWords(timeline)];
};
