// Configures the probes of a run and keeps them sampling; takes snapshots at marks. In docker the
// process probe samples from the harness, where the host's /proc can be read.
import { expectations } from '../expectations/registry.ts';
import { instancesOf } from '../model/facts.ts';
import { definition as processProbe } from '../probes/process.ts';
import type { ProbeView } from '../probes/probe.ts';
import { messageOf, problem } from '../model/problem.ts';
import type { ProbeName, ProcessValue } from '../model/samples.ts';
import { nowMs, toMicroseconds } from '../model/time.ts';
import { hasNoSystem, needsNoStage } from '../systems/no-system.ts';
import { fillText } from '../systems/template.ts';
import { createLeaveSnapshots } from './leave-snapshots.ts';
import type { LeaveSnapshots } from './leave-snapshots.ts';
import type { Run } from './run-context.ts';

export type Sampling = Pick<LeaveSnapshots, 'beforeLeave'> & {
  /** One sample of every probe, as part of the snapshot at that mark. */
  readonly snapshot: (mark: string) => Promise<void>;
  /** The snapshot `end`, where there is none yet; after it none is taken that was still due. */
  readonly end: () => Promise<void>;
  readonly halt: () => Promise<void>;
  /** Nothing is looked at while the work goes on; afterwards everything once, and then as before. */
  readonly rest: (work: () => Promise<void>) => Promise<void>;
  /** @throws ProblemError `ledger-unreadable` where a sample of the ledger now fails */
  readonly proveLedger: () => Promise<void>;
  /** The system has ended: the ledger is read from a copy from now on. */
  readonly readDead: () => Promise<void>;
};

/** Without a stage there is nothing that could be looked at. */
const nothing = async (): Promise<void> => {};
const NOTHING_TO_SAMPLE: Sampling = { snapshot: nothing, end: nothing, halt: nothing, rest: (work) => work(), proveLedger: nothing, readDead: nothing, beforeLeave: nothing };

const SAMPLE_LIMIT_MS = 5_000;

export const ledgerPath = (run: Pick<Run, 'cell' | 'stage' | 'system'>): string | null =>
  run.cell.card.ledger ? fillText(run.cell.card.ledger.sqlite, { ...run.system.values, dir: run.stage.probesFolder }, 'ledger') : null;

const ledgerConfig = (run: Run): Record<string, unknown> | null => {
  const { ledger } = run.cell.card;
  return (
    ledger && {
      path: ledgerPath(run),
      queries: { accounts: ledger.accounts, reservations: ledger.reservations, charges: ledger.charges },
      terminal: ledger.terminal,
      // Copies of a closed ledger: in the stage, where they go with it however it ends.
      temporary: `${run.stage.probesFolder}/copies`,
    }
  );
};

const rootsOf = ({ system }: Run): { readonly roots: Record<string, number>; readonly inits?: readonly string[] } => {
  const found = system.processes.flatMap(({ name, pid, stagePid }) => {
    const root = pid ?? stagePid?.pid;
    return root === undefined ? [] : [{ name, root, isInit: pid === null && stagePid?.isInit === true }];
  });
  const inits = found.filter(({ isInit }) => isInit).map(({ name }) => name);
  return { roots: Object.fromEntries(found.map(({ name, root }) => [name, root])), ...(inits.length > 0 ? { inits } : {}) };
};

/** Adding up files costs a look at every descriptor: it is done where a claim speaks of them. */
const looksAtFiles = ({ cell }: Run): boolean => cell.claims.some(({ kind }) => expectations.get(kind)?.looksAtFiles === true);

type Here = {
  readonly once: (mark?: string) => Promise<void>;
  readonly replace: (open: (before: ProbeView) => ProbeView) => void;
  readonly rest: (isResting: boolean) => void;
  readonly halt: () => void;
};

/** The process probe run by the harness itself, on the host's pids. */
const sampleHere = (run: Run, first: ProbeView, everyMs: number): Here => {
  let view = first;
  const once = async (mark?: string): Promise<void> => {
    const startedMs = nowMs();
    const took = (): number => toMicroseconds(nowMs() - startedMs);
    const base = { type: 'sample', probe: 'process', ...(mark === undefined ? {} : { mark }) } as const;
    try {
      run.timeline.note({ ...base, value: (await view.sample()) as ProcessValue, tookMs: took() }, 'probe.process');
    } catch (error) {
      run.timeline.note({ ...base, error: messageOf(error), tookMs: took() }, 'probe.process');
    }
  };
  let isBusy = false;
  let isResting = false;
  const rest = (is: boolean): void => {
    isResting = is;
  };
  // A look that takes longer than its turn is not followed by a second one beside it.
  const turn = async (): Promise<void> => {
    if (isBusy || isResting) return;
    isBusy = true;
    await once();
    isBusy = false;
  };
  let isHalted = false;
  const timer = setInterval(() => void turn(), everyMs);
  const halt = (): void => {
    clearInterval(timer);
    if (!isHalted) view.close?.();
    isHalted = true;
  };
  const replace: Here['replace'] = (open) => {
    view = open(view);
  };
  return { once, replace, rest, halt };
};

/** A card that is wrong about the ledger would make every billing claim inconclusive: it is told before anything is driven. */
const unreadable = ({ cell, stage, system }: Run, cause: unknown): Error => {
  const ledger = cell.card.ledger!;
  const message = messageOf(cause);
  const query = (['accounts', 'reservations', 'charges'] as const).find((name) => message.includes(`ledger query "${name}"`));
  const hint =
    query === undefined
      ? `ledger.sqlite is ${ledger.sqlite}; with this stage's folder ${ledgerPath({ cell, stage, system })}`
      : `ledger.${query} is: ${ledger[query]}`;
  return problem('environment', 'ledger-unreadable', `${cell.card.file}: the ledger cannot be read: ${message}`, { hint, cause });
};

/** Starts sampling; what is registered in the scope stops it again. */
export const startSampling = async (run: Run): Promise<Sampling> => {
  if (needsNoStage(run.cell)) return NOTHING_TO_SAMPLE;
  const { stage, facts } = run;
  const view = hasNoSystem(run.cell.card) ? 'none' : stage.processView;
  const everyMs: Record<ProbeName, number> = {
    ledger: facts.sampling.ledgerMs,
    sockets: facts.sampling.socketsMs,
    process: facts.sampling.processMs,
    http: 1_000,
  };
  const configured: ProbeName[] = [];
  const configure = async (probe: ProbeName, config: Record<string, unknown>): Promise<void> => {
    await stage.send('probes', { do: 'configure', probe, config });
    configured.push(probe);
  };
  const ledger = ledgerConfig(run);
  if (ledger) await configure('ledger', ledger);
  // A connection to an address of `lo` comes from that same address: the system's end is found by the upstream's.
  await configure('sockets', { addresses: [...instancesOf(facts), ...Object.values(facts.upstreams)].map(({ address }) => address) });
  const processes = (): Record<string, unknown> => ({ ...rootsOf(run), procRoot: '/proc', ...(looksAtFiles(run) ? { files: true } : {}), ...(run.cell.countsDescriptors ? { descriptors: true } : {}) });
  if (view === 'stage') await configure('process', processes());
  const here = view === 'harness' ? sampleHere(run, processProbe.open(processes()), everyMs.process) : null;
  run.system.follow(async () => {
    here?.replace((before) => processProbe.open(processes(), before));
    if (view === 'stage') await stage.send('probes', { do: 'configure', probe: 'process', config: processes() });
  });
  const start = async (): Promise<void> => {
    for (const probe of configured) await stage.send('probes', { do: 'start', probe, everyMs: everyMs[probe] });
  };
  await start();

  /** @param onlyHarmless not where looking can lock the system's own writer out: nobody judges by that look */
  const take = async (probe: ProbeName, mark?: string, onlyHarmless = false): Promise<void> => {
    if (here !== null && probe === 'process') return here.once(mark);
    const command = { do: 'sample', probe, ...(mark === undefined ? {} : { mark }), ...(onlyHarmless ? { onlyHarmless } : {}) };
    await stage.send('probes', command, SAMPLE_LIMIT_MS).catch(() => undefined);
  };
  const probes: readonly ProbeName[] = here ? [...configured, 'process'] : configured;
  const leaves = createLeaveSnapshots(facts.periods, probes, take);
  let hasEnded = false;
  const snapshot = async (mark: string): Promise<void> => {
    hasEnded ||= mark === 'end';
    await Promise.all(probes.map((probe) => take(probe, mark)));
  };
  const pause = async (): Promise<void> =>
    void (await Promise.all(configured.map((probe) => stage.send('probes', { do: 'halt', probe }, SAMPLE_LIMIT_MS).catch(() => undefined))));
  const halt = async (): Promise<void> => {
    leaves.halt();
    here?.halt();
    await pause();
  };
  run.scope.own('sampling', halt);
  // A probe that died is a fact of its own: from then on nothing is concluded, and nothing more is wrong.
  const isBlind = (): boolean => run.timeline.observations.some((seen) => seen.type === 'actor-failed' && seen.process === 'probes');
  return {
    snapshot,
    halt,
    rest: async (work) => {
      here?.rest(true);
      await pause();
      try {
        await work();
      } finally {
        here?.rest(false);
        if (!isBlind()) await start();
        await Promise.all(probes.map((probe) => take(probe)));
      }
    },
    beforeLeave: leaves.beforeLeave,
    end: async () => {
      leaves.halt();
      if (!hasEnded && !isBlind()) await snapshot('end');
    },
    proveLedger: async () => {
      if (!ledger || isBlind()) return;
      await stage.send('probes', { do: 'sample', probe: 'ledger' }, SAMPLE_LIMIT_MS).catch((cause: unknown) => {
        throw unreadable(run, cause);
      });
    },
    readDead: async () => {
      if (!ledger || isBlind()) return;
      await stage.send('probes', { do: 'configure', probe: 'ledger', config: { ...ledger, dead: true } }, SAMPLE_LIMIT_MS);
    },
  };
};
