// For the tests beside it: a run on a live timeline, with a stage and a system that do what the test says.
import { createLiveTimeline } from '../model/live.ts';
import type { LiveTimeline } from '../model/live.ts';
import type { Send } from '../model/protocol.ts';
import type { LedgerValue, Reservation } from '../model/samples.ts';
import type { RunningSystem, Stage } from '../runtimes/runtime.ts';
import { cellWith } from '../systems/fixture.ts';
import type { Cell } from '../systems/cell.ts';
import type { Run } from './run-context.ts';

export type Sent = { readonly to: string; readonly command: Readonly<Record<string, unknown>> };

export type TestRun = Run & { readonly sent: Sent[] };

/** A process that ends when it hears one of these signals. */
export const processNamed = (name: string, endsOn: readonly string[], code = 0): RunningSystem & { readonly heard: string[] } => {
  const heard: string[] = [];
  let end = (_: { code: number | null; signal: string | null; atMs: number }): void => {};
  let hasExited = false;
  const exited = new Promise<{ code: number | null; signal: string | null; atMs: number }>((resolve) => {
    end = resolve;
  });
  return {
    name,
    pid: 1,
    heard,
    exited,
    hasExited: () => hasExited,
    readLog: async () => `${name} has spoken`,
    signal: async (signal) => {
      heard.push(signal);
      if (hasExited) return false;
      if (!endsOn.includes(signal)) return true;
      hasExited = true;
      end({ code, signal: null, atMs: 0 });
      return true;
    },
  };
};

export type TestRunOptions = {
  readonly cell?: Cell;
  readonly timeline?: LiveTimeline;
  readonly answer?: (to: string, command: Readonly<Record<string, unknown>>) => unknown;
  readonly processes?: readonly RunningSystem[];
  /** Those that serve; the last process unless given. */
  readonly serving?: readonly RunningSystem[];
  readonly startAgain?: (process: string) => Promise<void>;
  readonly signal?: AbortSignal;
};

/** Commands to actors are kept in `sent` and answered by `answer`. */
export const testRun = ({
  cell = cellWith(),
  timeline = createLiveTimeline(() => {}),
  answer = () => ({ outcome: 'done', count: 1 }),
  processes,
  serving,
  startAgain = () => Promise.reject(new Error('nothing is started again')),
  signal,
}: TestRunOptions = {}): TestRun => {
  const sent: Sent[] = [];
  const send: Send = async (to, command) => {
    sent.push({ to, command });
    return answer(to, command);
  };
  const all = processes ?? [processNamed('proxy', ['SIGTERM', 'SIGKILL'])];
  const stage = {
    send,
    systemProcesses: async () => [],
    addressOf: (name: string) => name,
    systemFolder: '/stage',
    probesFolder: '/stage',
    removeAddress: async () => {},
    killActor: async () => {},
  };
  return {
    cell,
    facts: cell.facts,
    timeline,
    sent,
    scope: { own: () => () => Promise.reject(new Error('nothing is owned')), close: async () => [], [Symbol.asyncDispose]: async () => {} },
    stage: stage as unknown as Stage,
    system: {
      processes: all,
      main: serving?.[0] ?? all.at(-1)!,
      baseUrl: '',
      values: { dir: '/stage' },
      instances: (serving ?? all.slice(-1)).map((process) => ({ process, baseUrl: '', own: { 'system.address': process.name } })),
      startAgain,
      follow: () => {},
    },
    accounts: new Map(Object.keys(cell.facts.clients).map((name) => [name, { id: name, key: `sk-${name}-key`, balance: 1 }])),
    bundle: { log: () => {} } as unknown as Run['bundle'],
    signal: signal ?? new AbortController().signal,
  };
};

export const row = (marker: string, terminal: boolean): Reservation => ({
  id: marker,
  account: 'alice',
  payer: 'alice',
  amount: 1,
  state: terminal ? 'done' : 'active',
  terminal,
  leaseAtMs: 0,
  marker,
});

/** Notes a sample of the ledger that was begun just now. */
export const noteLedger = (timeline: LiveTimeline, ...reservations: readonly Reservation[]): void => {
  const value: LedgerValue = { accounts: [], reservations, consistent: true, wallMs: 0 };
  timeline.note({ type: 'sample', probe: 'ledger', tookMs: 0, value }, 'probe.ledger');
};

export const notesOf = <T extends string>(run: Run, type: T) => run.timeline.seal().all.filter((seen) => seen.type === type);
