// One growing log file for each actor, made when its first line comes. Redaction goes over chunk
// borders, so each has a stream of its own.
import { join } from 'node:path';
import { createAppender } from './append.ts';
import type { Appender } from './append.ts';
import type { Redactor } from './redact.ts';
import { createRedactedStream } from './redact-stream.ts';
import type { RedactedStream } from './redact-stream.ts';

type Log = { readonly stream: RedactedStream; readonly file: Promise<Appender | null> };

export type LogFiles = {
  readonly add: (actor: string, chunk: string) => void;
  readonly flush: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** A name that is safe in a path: marks and actors are named by scenarios. */
export const safeName = (name: string): string => name.replace(/[^\w.-]/g, '_').slice(0, 120);

/** @param onFailure told of whatever could not be created or written */
export const createLogFiles = (folder: string, redactor: Redactor, onFailure: (error: unknown) => void): LogFiles => {
  const logs = new Map<string, Log>();

  const logOf = (actor: string): Log => {
    const name = safeName(redactor.text(actor));
    const found = logs.get(name);
    if (found) return found;
    const file = createAppender(join(folder, `${name}.log`), onFailure).catch((error: unknown) => {
      onFailure(error);
      return null;
    });
    const log = { stream: createRedactedStream(redactor), file };
    logs.set(name, log);
    return log;
  };

  const ofEach = async (work: (log: Log, appender: Appender) => Promise<void>): Promise<void> => {
    await Promise.all([...logs.values()].map(async (log) => {
      const appender = await log.file;
      if (appender) await work(log, appender);
    }));
  };

  return {
    add: (actor, chunk) => {
      const { stream, file } = logOf(actor);
      const ready = stream.push(chunk);
      if (ready !== '') void file.then((appender) => appender?.add(ready));
    },
    flush: () => ofEach((_, appender) => appender.flush()),
    close: () => ofEach((log, appender) => {
      appender.add(log.stream.end());
      return appender.close();
    }),
  };
};
