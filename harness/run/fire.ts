// Fires the scenario's faults, each at its mark. One that could not fire is noted as failed, which
// makes the scenario inconclusive: nothing was provoked, so nothing can be concluded.
import { faults } from '../faults/registry.ts';
import type { FaultContext, LedgerRow } from '../faults/fault.ts';
import { messageOf, problem } from '../model/problem.ts';
import { fillText } from '../systems/template.ts';
import { ledgerPath } from './sample.ts';
import type { Run } from './run-context.ts';

/** Marks may still be set for this long after the last script has ended (`due` marks of bounds). */
const LATE_MARK_MS = 250;

const writeRows = async (run: Run, rows: readonly LedgerRow[]): Promise<void> => {
  const path = ledgerPath(run);
  const insert = run.cell.card.ledger?.insert ?? [];
  if (path === null || insert.length === 0) throw problem('scenario', 'no-ledger-insert', `${run.cell.card.file} has no ledger.insert statements`);
  const statements = rows.flatMap((row) => {
    const values = Object.fromEntries(Object.entries(row).map(([key, value]) => [`row.${key}`, value]));
    return insert.map((sql) => ({ sql: fillText(sql, values, 'ledger.insert') }));
  });
  await run.stage.send('probes', { do: 'sql', path, statements });
};

const contextOf = (run: Run): FaultContext => ({
  facts: run.facts,
  timeline: run.timeline,
  signalSystem: async (signal, process) => {
    const system = process ? run.system.processes.find(({ name }) => name === process) : run.system.main;
    if (!system) throw problem('scenario', 'unknown-process', `the card runs no "${process}"`, { hint: `it runs: ${run.system.processes.map(({ name }) => name).join(', ')}` });
    if (system.hasExited()) throw problem('environment', 'already-ended', `${system.name} had already ended`);
    run.timeline.note({ type: 'signal-sent', process: system.name, signal, purpose: 'fault' });
    await system.signal(signal);
  },
  upstream: (command, upstream) => run.stage.send('upstreams', { do: command, upstream }),
  writeRows: (rows) => writeRows(run, rows),
  accountOf: (client) => run.accounts.get(client)?.id ?? null,
});

const fireOne = async (run: Run, after: string, kind: string, options: Readonly<Record<string, unknown>>, scriptsEnded: AbortSignal): Promise<void> => {
  const isSet = (): true | undefined => (run.timeline.observations.some((seen) => seen.type === 'mark' && seen.mark === after) ? true : undefined);
  const ended = new AbortController();
  scriptsEnded.addEventListener('abort', () => setTimeout(() => ended.abort(), LATE_MARK_MS));
  const set = await run.timeline.waitFor(isSet, 24 * 3_600_000, AbortSignal.any([ended.signal, run.signal]));
  if (!set) {
    run.timeline.note({ type: 'fault', fault: kind, edge: 'failed', detail: `its mark "${after}" was never set` });
    return;
  }
  try {
    const detail = await faults.get(kind)!.fire(contextOf(run), options);
    run.timeline.note({ type: 'fault', fault: kind, edge: 'fired', detail });
  } catch (error) {
    run.timeline.note({ type: 'fault', fault: kind, edge: 'failed', detail: messageOf(error) });
  }
};

/** Resolves when each fault has fired, failed, or lost the chance of its mark. */
export const fireFaults = async (run: Run, scriptsEnded: AbortSignal): Promise<void> => {
  await Promise.all(run.cell.faults.map(({ after, item }) => fireOne(run, after, item.kind, item.options, scriptsEnded)));
};
