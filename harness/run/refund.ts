// Asks for a refund as the card says, from inside the stage, and notes what was answered.
import { messageOf } from '../model/problem.ts';
import type { FactOf } from '../model/observation.ts';
import { toMicroseconds } from '../model/time.ts';
import { accountValues } from '../systems/accounts.ts';
import { askSystem, fillRequest } from '../systems/ask-system.ts';
import { authorizationOf } from '../systems/requests.ts';
import { answeringFor } from './instances.ts';
import type { Run } from './run-context.ts';

const HTTP_LIMIT_MS = 10_000;
const ANSWER_CHARACTERS = 300;

export type Refund = FactOf<'refund'>['verdict'];

/** @returns how the answer is to be read; null where the card has no refund or the client no account */
export const askRefund = async (run: Run, client: string): Promise<Refund | null> => {
  const { refund, accounts } = run.cell.card;
  const account = run.accounts.get(client);
  if (!refund || !account || !accounts) return null;
  const { baseUrl, own } = answeringFor(run, client);
  const values = { ...run.system.values, ...own, ...accountValues(account) };
  const attempt = run.timeline.observations.filter((seen) => seen.type === 'refund' && seen.account === account.id).length + 1;
  const askedMs = run.timeline.elapsedMs();
  const note = (status: number | null, answer: string, verdict: Refund): Refund => {
    const tookMs = toMicroseconds(run.timeline.elapsedMs() - askedMs);
    run.timeline.note({
      type: 'refund',
      account: account.id,
      attempt,
      status,
      answer: answer.slice(0, ANSWER_CHARACTERS),
      verdict,
      tookMs,
    });
    return verdict;
  };
  try {
    const request = fillRequest(refund.request, values, 'refund', authorizationOf(run.cell.card, values));
    const answer = await askSystem(run.stage.send, baseUrl, request, HTTP_LIMIT_MS);
    const verdict = refund.accepted.status.includes(answer.status)
      ? 'accepted'
      : refund.refused.status.includes(answer.status)
        ? 'refused'
        : 'unexpected';
    return note(answer.status, answer.body, verdict);
  } catch (error) {
    return note(null, messageOf(error), 'unexpected');
  }
};
