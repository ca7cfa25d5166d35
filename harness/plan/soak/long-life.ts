// A system that lives for a good part of the night: one cell whose clients do the same again and again, on one system. What a leak of a
// little in each exchange comes to can only be seen there, since every other run has a system of its own.
import type { Claim, Policy } from '../../model/facts.ts';
import { settleLimitMs } from '../../run/settle.ts';
import type { Cell } from '../../systems/cell.ts';
import { knownOf } from '../../systems/known.ts';
import type { CellResult } from '../run-cell.ts';

/** Claims that are as true of a thousand exchanges as of one; all others are about the one leave of a scenario. */
const LASTING: ReadonlySet<string> = new Set(['process-alive', 'nothing-reserved', 'accounting-valid', 'clean-shutdown', 'keeps-serving']);
/** What leaves a stream or its money behind with each turn; where a card lists it as known, that it adds up is no news. */
const STREAMS_LEFT: ReadonlySet<string> = new Set(['upstream-closed', 'billing-terminal', 'renewal-stopped']);
/** What a life is asked beside the claims of its scenario. */
const STILL_SERVING: Claim = { kind: 'keeps-serving', id: 'keeps-serving', options: {}, notApplicable: null };
/** So many samples of a life, whatever its length: a record must not grow with the night. */
const SAMPLES = 240;
/** Each holds every row that there ever was. */
const LEDGER_SAMPLES = 60;
const SLOWEST = { processMs: 150, socketsMs: 150, ledgerMs: 500 } as const;
/** As many exchanges at most. */
const CYCLES = 600;
const LEAST_PAUSE_MS = 200;
/** One exchange after the other costs: an account must not run out of money before the night is over. */
const RICHER = 10_000;

type Script = Cell['scripts'][string];

const isSeen = (how: unknown, { halfClose }: Policy): boolean => how === 'rst' || halfClose !== 'serve';

/**
 * Who stays hangs up before the next turn: left open, each turn would add its streams to those of all before, which no system is to blame for.
 * A system that serves on after a FIN takes a close for one until it writes, and only an RST says to it that its client has gone.
 */
const hangsUp = (script: Script, policy: Policy): Script => {
  const asked = script.findLastIndex(({ kind }) => kind === 'request');
  const left = script.findLastIndex(({ kind }) => kind === 'disconnect');
  const how = left > asked ? script[left]!.options.how : undefined;
  if (how !== undefined && isSeen(how, policy)) return script;
  const gone = { kind: 'disconnect', options: { how: policy.halfClose === 'serve' ? 'rst' : 'fin' }, mark: null };
  // After a close there is no connection left to reset.
  return how === 'fin' ? script.with(left, { ...script[left]!, options: { ...script[left]!.options, ...gone.options } }) : [...script, gone];
};

/** Who has stopped reading would not read a word of the next turn, and it would be another one. */
const readsAgain = (script: Script): Script => {
  const last = (wanted: string): number => script.findLastIndex(({ kind }) => kind === wanted);
  return last('pause') > last('resume') ? [...script, { kind: 'resume', options: {}, mark: null }] : script;
};

/** Of a client that asks again while its answer goes on each turn would leave the first of its streams open: a leave is one of the latest only. */
const asksWhileAsked = (script: Script, policy: Policy): boolean => {
  let isOwed = false;
  return script.some(({ kind, options }) => {
    if (kind === 'request' && isOwed) return true;
    if (kind === 'request') isOwed = true;
    const isOver = (kind === 'disconnect' && isSeen(options.how, policy)) || (kind === 'receive' && options.until === 'end') || kind === 'expect-close';
    if (isOver) isOwed = false;
    return false;
  });
};

const endsTheClient = ({ kind, options }: Script[number]): boolean =>
  (kind === 'disconnect' && (options.how === 'kill' || options.how === 'vanish')) || kind === 'refund';

/** Why it cannot be repeated, or null. */
export const whyNotRepeated = (cell: Cell): string | null => {
  const steps = Object.values(cell.scripts).flat();
  if (cell.facts.stopsAt !== null || cell.faults.length > 0) return 'it has faults';
  if (cell.scenario.concludes !== undefined || cell.defects.length > cell.presets.length) return 'it shows what hangup must conclude';
  if (steps.length === 0) return 'nobody asks anything';
  if (steps.some(endsTheClient)) return 'its client is gone for good';
  if (Object.values(cell.scripts).some((script) => asksWhileAsked(script, cell.facts.policy))) return 'a client of it asks again before its first answer is over';
  if (steps.some(({ kind, options }) => kind === 'await' && options.mark !== undefined)) return 'its clients wait for marks';
  if (cell.facts.tests !== null) return 'it waits for a bound';
  if (cell.facts.policy.onDisconnect === 'drain' && cell.facts.bounds.drain === undefined) return 'it drains without a bound';
  if (knownOf(cell.card, cell.scenario.id).some(({ violates }) => violates.some((claim) => STREAMS_LEFT.has(claim.replace(/#.*$/, ''))))) return 'its card lists that streams are left open';
  return cell.claims.some(({ kind, notApplicable }) => LASTING.has(kind) && notApplicable === null) ? null : 'no claim of it lasts';
};

/** After the last turn: as long as its scenario gives the system to let go of a leave, and to drain. */
const restMsOf = (cell: Cell): number =>
  settleLimitMs({ facts: cell.facts, cell }) + (cell.facts.policy.onDisconnect === 'drain' ? cell.facts.bounds.drain! : 0);

const lastingOf = (claims: readonly Claim[]): readonly Claim[] => {
  const lasting = claims.filter(({ kind }) => LASTING.has(kind));
  return lasting.some(({ kind }) => kind === STILL_SERVING.kind) ? lasting : [...lasting, STILL_SERVING];
};

/** Why it says nothing that such a life did not grow: the system did less and less, or nobody knows. Null: it did not, or it was no life. */
export const whyNoLife = ({ cell, verdicts }: Pick<CellResult, 'cell' | 'verdicts'>): string | null => {
  if (cell.drivenAgain === undefined) return null;
  const served = verdicts.find(({ claim }) => claim === STILL_SERVING.kind);
  // What was cut, or went wrong, has no verdicts.
  if (served === undefined) return 'its run broke off before anybody asked whether it served to the end';
  return served.outcome === 'held' ? null : `it was not served to the end: ${served.reason}`;
};

/** The same cell, its clients doing the same for that long. Its samples are as many whatever that is. */
export const longLifeOf = (cell: Cell, forMs: number): Cell => ({
  ...cell,
  id: `long-life/${cell.id}`,
  claims: lastingOf(cell.claims),
  scripts: Object.fromEntries(Object.entries(cell.scripts).map(([client, script]) => [client, readsAgain(hangsUp(script, cell.facts.policy))])),
  drivenAgain: { forMs, pauseMs: Math.max(LEAST_PAUSE_MS, forMs / CYCLES), restMs: restMsOf(cell) },
  facts: {
    ...cell.facts,
    sampling: {
      processMs: Math.max(SLOWEST.processMs, Math.round(forMs / SAMPLES)),
      socketsMs: Math.max(SLOWEST.socketsMs, Math.round(forMs / SAMPLES)),
      ledgerMs: Math.max(SLOWEST.ledgerMs, Math.round(forMs / LEDGER_SAMPLES)),
    },
    leaves: [],
  },
  scenario: {
    ...cell.scenario,
    clients: Object.fromEntries(Object.entries(cell.scenario.clients).map(([name, client]) => [
      name, client.account === null ? client : { ...client, account: { ...client.account, balance: client.account.balance * RICHER } },
    ])),
  },
});
