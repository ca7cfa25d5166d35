// Waits for something that the run observes elsewhere: in the ledger, at the upstream, in the log.
import { numberOption, textOption } from '../../model/fields.ts';
import type { Options } from '../../model/fields.ts';
import type { LiveTimeline } from '../../model/live.ts';
import { formatMs } from '../../model/time.ts';
import { conditions, OTHERS } from '../await-conditions.ts';
import type { Condition } from '../await-conditions.ts';
import { noteMark } from '../harness-marks.ts';
import type { StepContext, StepDefinition, StepResult } from '../step.ts';

const KEYS = ['renewals', 'upstream-request', 'blocked', 'terminal', 'ended', 'swept', 'mark', 'log'] as const;

/** Resolves true once `wanted` is what the condition says. Looks only after what may have changed it. */
const turns = async (
  timeline: LiveTimeline,
  condition: Condition,
  wanted: boolean,
  limitMs: number,
  signal: AbortSignal,
): Promise<boolean> => {
  let next = 0;
  const look = (): true | undefined => {
    const { observations } = timeline;
    const isNew = next === 0 || observations.slice(next).some(({ type }) => condition.types.includes(type));
    next = observations.length;
    return isNew && condition.holds(observations) === wanted ? true : undefined;
  };
  return (await timeline.waitFor(look, limitMs, signal)) === true;
};

/** True once it has held for as long as it must, within the limit. */
const comesTrue = async ({ timeline, signal }: StepContext, condition: Condition, limitMs: number): Promise<boolean> => {
  const untilMs = timeline.elapsedMs() + limitMs;
  while (!signal.aborted) {
    if (!(await turns(timeline, condition, true, untilMs - timeline.elapsedMs(), signal))) return false;
    if (condition.holdsMs === undefined) return true;
    if (!(await turns(timeline, condition, false, condition.holdsMs, signal))) return !signal.aborted;
  }
  return false;
};

const notSeen = (what: string, limitMs: number, instead: string): StepResult => ({
  outcome: 'not-seen',
  reason: `${what} was not seen within ${formatMs(limitMs)}: ${instead}`,
});

const perform = async (context: StepContext, options: Options): Promise<StepResult> => {
  const limitMs = numberOption(options, 'within');
  const given = KEYS.filter((key) => options[key] !== undefined && options[key] !== false);
  const [key] = given;
  if (given.length !== 1 || key === undefined)
    return { outcome: 'failed', reason: `await needs exactly one of ${KEYS.join(', ')}` };
  if (key === 'log') {
    const pattern = textOption(options, 'log');
    if (await context.awaitLog(pattern, limitMs)) return { outcome: 'done' };
    return notSeen(`a log line like ${pattern}`, limitMs, 'no line of the system matched');
  }
  const marker = context.marker();
  if (marker === null && !OTHERS.includes(key)) return { outcome: 'failed', reason: `${context.client} has not sent a request yet` };
  const condition = conditions[key]!(options, marker ?? '', context.account);
  if (await comesTrue(context, condition, limitMs)) return { outcome: 'done' };
  return notSeen(condition.what, limitMs, condition.instead(context.timeline.observations));
};

const flag = (about: string) => ({ type: 'boolean', about, optional: true }) as const;

export const definition: StepDefinition = {
  kind: 'await',
  about:
    'Waits for one observation. A wait that runs out is not seen, and the script goes on. Its mark is set when the wait is over.',
  fields: {
    $one: KEYS,
    options: {
      renewals: {
        type: 'integer',
        about: "So many renewals of this client's reservation, since its exchange began.",
        optional: true,
        minimum: 1,
      },
      'upstream-request': flag('The request has come to an upstream.'),
      blocked: flag('The upstream can write no more because this client is paused.'),
      terminal: flag("This client's reservation is in a terminal state."),
      ended: flag("The upstream's answer to this client has ended."),
      swept: flag("What faults added to this client's account, rows or a total without one, is terminal or gone."),
      mark: { type: 'mark', about: 'A mark that another client or a fault sets has been set.', optional: true },
      log: { type: 'pattern', about: 'A line of the system matches.', optional: true },
      within: { type: 'duration', about: 'How long it may take.', default: '30s' },
    },
  },
  example: { renewals: 1, within: '2 renewals' },
  needs: (options) => (['renewals', 'terminal', 'swept'].some((key) => options[key] !== undefined) ? ['ledger'] : []),
  perform: async (context, options) => {
    const result = await perform(context, options);
    noteMark(context);
    return result;
  },
};
