// Asks for a refund as the card says, from inside the stage, and notes what was answered.
import { messageOf } from '../model/problem.ts';
import type { FactOf } from '../model/observation.ts';
import { accountValues } from '../systems/accounts.ts';
import type { HttpAnswer } from '../systems/setup.ts';
import { fillDeep, fillMap, fillText } from '../systems/template.ts';
import type { Run } from './run-context.ts';

const HTTP_LIMIT_MS = 10_000;
const ANSWER_CHARACTERS = 300;

export type Refund = FactOf<'refund'>['verdict'];

/** @returns how the answer is to be read; null where the card has no refund or the client no account */
export const askRefund = async (run: Run, client: string): Promise<Refund | null> => {
  const { refund, accounts } = run.cell.card;
  const account = run.accounts.get(client);
  if (!refund || !account || !accounts) return null;
  const values = { ...run.system.values, ...accountValues(account) };
  const attempt = run.timeline.observations.filter((seen) => seen.type === 'refund' && seen.account === account.id).length + 1;
  const note = (status: number | null, answer: string, verdict: Refund): Refund => {
    run.timeline.note({ type: 'refund', account: account.id, attempt, status, answer: answer.slice(0, ANSWER_CHARACTERS), verdict });
    return verdict;
  };
  try {
    const answer = (await run.stage.send('probes', {
      do: 'http', method: refund.request.method, url: run.system.baseUrl + fillText(refund.request.path, values, 'refund'),
      headers: { authorization: `Bearer ${fillText(accounts.bearer, values, 'bearer')}`, ...fillMap(refund.request.headers, values, 'refund') },
      ...(refund.request.body === undefined ? {} : { body: JSON.stringify(fillDeep(refund.request.body, values, 'refund')) }),
    }, HTTP_LIMIT_MS)) as HttpAnswer;
    const verdict = refund.accepted.status.includes(answer.status) ? 'accepted' : refund.refused.status.includes(answer.status) ? 'refused' : 'unexpected';
    return note(answer.status, answer.body, verdict);
  } catch (error) {
    return note(null, messageOf(error), 'unexpected');
  }
};
