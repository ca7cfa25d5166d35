// A system that lives for a good part of the night: one cell whose clients do the same again and again, on one system. What a leak of a
// little in each exchange comes to can only be seen there, since every other run has a system of its own.
import type { Policy } from '../../model/facts.ts';
import type { Cell } from '../../systems/cell.ts';

/** Claims that are as true of a thousand exchanges as of one; all others are about the one leave of a scenario. */
const LASTING: ReadonlySet<string> = new Set(['process-alive', 'nothing-reserved', 'accounting-valid', 'clean-shutdown']);
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

/**
 * Who stays hangs up before the next turn: left open, each turn would add its streams to those of all before, which no system is to blame for.
 * To a system that serves on after a FIN only an RST says that its client has gone.
 */
const hangsUp = (script: Script, { halfClose }: Policy): Script => {
  const serves = halfClose === 'serve';
  const hasLeft = script.some(({ kind, options }) => kind === 'disconnect' && !(serves && options.how === 'half-close'));
  return hasLeft ? script : [...script, { kind: 'disconnect', options: { how: serves ? 'rst' : 'fin' }, mark: null }];
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
  if (steps.some(({ kind, options }) => kind === 'await' && options.mark !== undefined)) return 'its clients wait for marks';
  if (cell.facts.tests !== null) return 'it waits for a bound';
  return cell.claims.some(({ kind, notApplicable }) => LASTING.has(kind) && notApplicable === null) ? null : 'no claim of it lasts';
};

/** The same cell, its clients doing the same for that long. Its samples are as many whatever that is. */
export const longLifeOf = (cell: Cell, forMs: number): Cell => ({
  ...cell,
  id: `long-life/${cell.id}`,
  claims: cell.claims.filter(({ kind }) => LASTING.has(kind)),
  scripts: Object.fromEntries(Object.entries(cell.scripts).map(([client, script]) => [client, hangsUp(script, cell.facts.policy)])),
  drivenAgain: { forMs, pauseMs: Math.max(LEAST_PAUSE_MS, forMs / CYCLES) },
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
