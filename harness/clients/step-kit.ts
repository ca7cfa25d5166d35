// For the tests of steps: the harness half's context on a live timeline, and a client's process that
// is a real child, spoken to by JSON lines.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Facts } from '../model/facts.ts';
import { onLines } from '../model/lines.ts';
import { createLiveTimeline } from '../model/live.ts';
import type { LiveTimeline } from '../model/live.ts';
import type { Observation } from '../model/observation.ts';
import { MARKER, requestOf } from './test-kit.ts';
import type { StepContext } from './step.ts';

const refuse = (what: string) => () => Promise.reject(new Error(`${what} is not part of this test`));

/** @param over what the test is about; everything else refuses */
export const createContext = (timeline: LiveTimeline, over: Partial<StepContext> = {}): StepContext => ({
  client: 'alice',
  account: 'account-1',
  facts: {} as Facts,
  timeline,
  mark: null,
  act: refuse('act'),
  plan: () => Promise.resolve(requestOf()),
  marker: () => MARKER,
  meet: refuse('meet'),
  removeAddress: refuse('removeAddress'),
  kill: refuse('kill'),
  refund: refuse('refund'),
  awaitLog: refuse('awaitLog'),
  signal: new AbortController().signal,
  ...over,
});

export type ClientProcess = {
  readonly timeline: LiveTimeline;
  readonly send: (command: { readonly do: string } & Readonly<Record<string, unknown>>) => Promise<unknown>;
  /** SIGKILL; resolves when it has ended. */
  readonly kill: () => Promise<void>;
};

type Line = { re?: number; ok?: boolean; value?: unknown; message?: string; at: number } & Observation;

/** Starts harness/clients/main.ts as `client.<name>`. */
export const startClientProcess = (name: string): ClientProcess => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./main.ts', import.meta.url)), `client.${name}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const timeline = createLiveTimeline(() => {});
  const replies = new Map<number, (line: Line) => void>();
  let last = 0;
  onLines(child.stdout, (text) => {
    const line = JSON.parse(text) as Line;
    if (line.re !== undefined) replies.get(line.re)?.(line);
    else timeline.add({ ...line, atMs: line.at - timeline.originMs });
  });
  return {
    timeline,
    send: (command) =>
      new Promise((resolve, reject) => {
        last += 1;
        const timer = setTimeout(() => reject(new Error(`no reply to ${command.do} within 10 s`)), 10_000);
        replies.set(last, (line) => {
          clearTimeout(timer);
          if (line.ok === true) resolve(line.value);
          else reject(new Error(line.message));
        });
        child.stdin.write(`${JSON.stringify({ id: last, to: `client.${name}`, ...command })}\n`);
      }),
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
};
