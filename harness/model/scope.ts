// Owns what was started. Entries are registered before they are awaited and closed in reverse,
// each under its own deadline, whatever the others do; every outcome is reported, none is swallowed.
import { messageOf } from './problem.ts';
import { nowMs } from './time.ts';

export type CloseReport = {
  readonly name: string;
  readonly outcome: 'closed' | 'failed' | 'timed-out';
  readonly tookMs: number;
  readonly error?: string;
};

export type Scope = {
  /** Registers a closer; called at most once, when the scope closes. Returns a way to close it early. */
  readonly own: (name: string, close: () => Promise<void> | void, limitMs?: number) => () => Promise<CloseReport>;
  /** Idempotent: a second call waits for the first. */
  readonly close: () => Promise<readonly CloseReport[]>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

const DEFAULT_LIMIT_MS = 10_000;

const closeOne = async (name: string, close: () => Promise<void> | void, limitMs: number): Promise<CloseReport> => {
  const startedMs = nowMs();
  const took = (): number => Math.round(nowMs() - startedMs);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<CloseReport>((resolve) => {
    timer = setTimeout(() => resolve({ name, outcome: 'timed-out', tookMs: took() }), limitMs);
  });
  const done = (async (): Promise<CloseReport> => {
    try {
      await close();
      return { name, outcome: 'closed', tookMs: took() };
    } catch (error) {
      return { name, outcome: 'failed', tookMs: took(), error: messageOf(error) };
    }
  })();
  const report = await Promise.race([done, late]);
  clearTimeout(timer);
  return report;
};

/** @param onClosed is told of each outcome as it happens */
export const createScope = (onClosed: (report: CloseReport) => void = () => {}): Scope => {
  const entries: (() => Promise<CloseReport>)[] = [];
  let closing: Promise<readonly CloseReport[]> | undefined;

  const own: Scope['own'] = (name, close, limitMs = DEFAULT_LIMIT_MS) => {
    let once: Promise<CloseReport> | undefined;
    const entry = (): Promise<CloseReport> => {
      once ??= closeOne(name, close, limitMs).then((report) => {
        onClosed(report);
        return report;
      });
      return once;
    };
    if (closing) void entry();
    else entries.push(entry);
    return entry;
  };

  const closeAll = async (): Promise<readonly CloseReport[]> => {
    const reports: CloseReport[] = [];
    for (let entry = entries.pop(); entry; entry = entries.pop()) reports.push(await entry());
    return reports;
  };

  const close = (): Promise<readonly CloseReport[]> => (closing ??= closeAll());
  return { own, close, [Symbol.asyncDispose]: async () => void (await close()) };
};
