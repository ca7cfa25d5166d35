// One finite marked exchange per account before anything is judged: it shows that the path works
// and that a charge can be seen. Both are noted; what is missing makes the claims that need it inconclusive.
import type { StepResult } from '../clients/step.ts';
import type { Observation } from '../model/observation.ts';
import type { LedgerValue } from '../model/samples.ts';
import { needsNoStage } from '../systems/no-system.ts';
import type { Run } from './run-context.ts';
import type { Exchanges } from './exchanges.ts';
import { processOf } from './drive.ts';
import { untilAborted } from './until-aborted.ts';

const EXCHANGE_LIMIT_MS = 10_000;
const CHARGE_LIMIT_MS = 3_000;
const FINITE = { kind: 'finite', options: { events: 3, every: 10 } };

/** Clients to warm up: one per account and instance; of those without an account the first of each instance. */
const representatives = (run: Run): readonly string[] => {
  const names = Object.keys(run.facts.clients);
  const seen = new Set<string>();
  return names.filter((name) => {
    const key = `${run.cell.scenario.clients[name]?.instance ?? 1} ${run.facts.clients[name]!.account ?? ''}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
};

const exchange = async (run: Run, exchanges: Exchanges, client: string): Promise<string> => {
  const name = Object.keys(run.cell.card.requests)[0]!;
  const request = await exchanges.plan(client, name, 'prepare', { behaviour: FINITE });
  const perform = (step: string, options: Record<string, unknown>, more: Record<string, unknown> = {}): Promise<unknown> =>
    untilAborted(
      run.stage.send(processOf(run, client), { do: 'perform', client, step, options, mark: null, ...more }, EXCHANGE_LIMIT_MS + 2_000),
      run.signal,
    );
  const sent = (await perform('request', { name }, { request })) as StepResult | undefined;
  if (sent?.outcome === 'done') await perform('receive', { until: 'end', within: EXCHANGE_LIMIT_MS });
  // The script begins on a connection of its own: a kept one may be closed by the system at any moment.
  await run.stage.send(processOf(run, client), { do: 'disconnect', client });
  return request.marker;
};

const notePath = (run: Run, marker: string): void => {
  const ended = run.timeline.observations.findLast((seen) => seen.type === 'response-ended' && seen.marker === marker);
  const head = run.timeline.observations.findLast((seen) => seen.type === 'response-head' && seen.marker === marker);
  const asked = run.timeline.observations.some((seen) => seen.type === 'request-received' && seen.marker === marker);
  const status = head?.type === 'response-head' ? head.status : null;
  const how = ended?.type === 'response-ended' ? ended.how : 'no end';
  run.timeline.note({
    type: 'precondition',
    name: 'path',
    met: status === 200 && how === 'complete' && asked,
    detail: `finite exchange: status ${status ?? 'none'}, ${how}, ${asked ? 'seen' : 'not seen'} at the upstream`,
  });
};

type Totals = { readonly reserved: number; readonly spent: number };

const totalsOf = ({ accounts }: LedgerValue, account: string): Totals =>
  accounts.find(({ id }) => id === account) ?? { reserved: 0, spent: 0 };

/** The account as it was before that exchange; at zero where the ledger was made by it. */
const totalsBefore = (observations: readonly Observation[], marker: string, account: string): Totals => {
  const planned = observations.findIndex((seen) => seen.type === 'exchange-planned' && seen.marker === marker);
  const last = observations
    .slice(0, planned)
    .findLast((seen) => seen.type === 'sample' && seen.probe === 'ledger' && seen.value !== undefined);
  return last?.type === 'sample' && last.probe === 'ledger' && last.value ? totalsOf(last.value, account) : { reserved: 0, spent: 0 };
};

const noteCharge = async (run: Run, marker: string, account: string): Promise<void> => {
  const before = totalsBefore(run.timeline.observations, marker, account);
  const charged = await run.timeline.waitFor(
    (observations) => {
      const last = observations.findLast((seen) => seen.type === 'sample' && seen.probe === 'ledger' && seen.value !== undefined);
      if (last?.type !== 'sample' || last.probe !== 'ledger' || !last.value) return undefined;
      const { charges, reservations } = last.value;
      // Where there are only totals, they are compared with those of before: an account need not begin at zero.
      const totals = totalsOf(last.value, account);
      const open =
        reservations.some((row) => row.account === account && !row.terminal) ||
        (!run.facts.ledger?.hasReservations && totals.reserved > before.reserved);
      const seen = charges ? charges.some((charge) => charge.marker === marker || charge.account === account) : totals.spent > before.spent;
      return seen && !open ? true : undefined;
    },
    CHARGE_LIMIT_MS,
    run.signal,
  );
  run.timeline.note({
    type: 'precondition',
    name: 'charge-visible',
    met: charged === true,
    detail: `account ${account}: ${charged ? 'a charge was seen' : `no settled charge within ${CHARGE_LIMIT_MS} ms`}`,
  });
};

export const warmUp = async (run: Run, exchanges: Exchanges): Promise<void> => {
  if (needsNoStage(run.cell)) return;
  for (const client of representatives(run)) {
    if (run.signal.aborted) return;
    const marker = await exchange(run, exchanges, client);
    notePath(run, marker);
    const account = run.facts.clients[client]!.account;
    if (run.facts.ledger && account !== null) await noteCharge(run, marker, account);
  }
};
