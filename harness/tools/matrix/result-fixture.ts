// A result as the rules read it: what a row names, who takes part, and what was said of its claims.
import type { Verdict } from '../../model/verdict.ts';
import type { CellResult } from '../../plan/run-cell.ts';

type Said = Readonly<Record<string, Verdict['outcome']>>;

export type ResultOptions = {
  readonly id?: string;
  readonly catches?: Readonly<Record<string, readonly string[]>>;
  /** Outcome by claim; `claim/client` speaks of that client instead of alice. */
  readonly said: Said;
};

const verdictOf = ([key, outcome]: [string, Verdict['outcome']]): Verdict => {
  const [claim, client = 'alice'] = key.split('/');
  return { claim: claim!, id: claim!, options: { client }, outcome, reason: `because of ${key}`, evidence: [] };
};

const on = (sameAs: string | null) => ({ account: { sameAs } });

/** alice leaves; bob stands by, and carol on her account. */
export const resultOf = ({ id = 'disconnect/row', catches = { leak: ['closed'] }, said }: ResultOptions): CellResult => {
  const verdicts = Object.entries(said).map(verdictOf);
  const cell = {
    id,
    facts: { copies: { crowd: ['alice'] } },
    scenario: { id, catches, clients: { alice: on(null), bob: on(null), carol: on('alice') } },
    scripts: { alice: [{ kind: 'request' }, { kind: 'disconnect' }], bob: [{ kind: 'request' }], carol: [{ kind: 'request' }] },
    claims: verdicts.map(({ claim, id: unique, options }) => ({ kind: claim, id: unique, options, notApplicable: null })),
  };
  const outcome = verdicts.some((verdict) => verdict.outcome === 'violated') ? 'failed' : 'passed';
  return { cell: cell as unknown as CellResult['cell'], attempt: 1, folder: '', outcome, verdicts, problems: [], tookMs: 1 };
};
