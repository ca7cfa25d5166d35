// Everybody who was asked to report, told the same. One that throws, or whose file cannot be written, is told of once, makes the exit
// code an error where it was none, and does not keep the others from theirs.
import type { Redactor } from '../bundle/redact.ts';
import { EXIT } from '../model/exit-code.ts';
import { messageOf } from '../model/problem.ts';
import type { Reporter, RunEnd } from '../reports/reporter.ts';
import type { Terminal } from './command.ts';
import type { Sink } from './report-sinks.ts';

export type Told = {
  readonly tell: (what: (reporter: Reporter) => void, to?: (sink: Sink) => boolean) => void;
  /** @returns the exit code: the given one, or that of an error where some reporter has failed and nothing worse was said */
  readonly end: (end: RunEnd, folder: string | null) => Promise<number>;
};

/** The order of exit codes has an error before these. */
const MILDER: readonly number[] = [EXIT.inconclusive, EXIT.nothing, EXIT.passed];

export const createTold = (sinks: readonly Sink[], { writeError }: Pick<Terminal, 'writeError'>, redactor: Pick<Redactor, 'text'>): Told => {
  const failed = new Set<Sink>();
  const fail = (sink: Sink, error: unknown): void => {
    if (!failed.has(sink)) writeError(`hangup: reporter ${sink.kind} failed: ${redactor.text(messageOf(error))}\n`);
    failed.add(sink);
  };
  return {
    tell: (what, to = () => true) => {
      for (const sink of sinks.filter(to)) {
        try {
          what(sink.reporter);
        } catch (error) {
          fail(sink, error);
        }
      }
    },
    end: async (end, folder) => {
      const codeNow = (): number => (failed.size > 0 && MILDER.includes(end.exitCode) ? EXIT.error : end.exitCode);
      const close = async (sink: Sink): Promise<void> => {
        try {
          await sink.reporter.end({ ...end, exitCode: codeNow() });
          await sink.writeFile(folder);
        } catch (error) {
          fail(sink, error);
        }
      };
      for (const turn of ['quiet', 'printing', 'last'] as const) for (const sink of sinks) if (sink.turn === turn) await close(sink);
      return codeNow();
    },
  };
};
