// Packets of a stage of plain processes: tcpdump beside the actors, writing straight to its file, so that no line of the
// actors waits for it. The kernel keeps the file below its limit and ends it with the stage.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { hasBegun, reasonIn, TCPDUMP } from './capture.ts';

const BEGIN_LIMIT_MS = 5_000;

export type StageCapture = {
  /** Resolves when packets are seen. @throws Error with the words of tcpdump, or that it is not installed */
  readonly start: (file: string, limitBytes: number) => Promise<void>;
  readonly stop: () => Promise<{ readonly words: string; readonly isCut: boolean }>;
  readonly pids: () => readonly number[];
};

type Running = { readonly child: ChildProcess; readonly words: () => string; readonly ended: Promise<void> };

const beginning = async ({ child, words, ended }: Running): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const begun = new Promise<void>((resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`tcpdump did not begin within ${BEGIN_LIMIT_MS} ms`)), BEGIN_LIMIT_MS);
    child.stderr!.on('data', () => hasBegun(words()) && resolve());
    child.on('error', (error) => reject('code' in error && error.code === 'ENOENT' ? new Error('tcpdump is not installed') : error));
    void ended.then(() => reject(new Error(`tcpdump ended: ${reasonIn(words())}`)));
  });
  await begun.finally(() => clearTimeout(timer));
};

export const createStageCapture = (): StageCapture => {
  let running: Running | undefined;

  const start: StageCapture['start'] = async (file, limitBytes) => {
    const output = openSync(file, 'wx');
    const child = spawn('prlimit', [`--fsize=${limitBytes}`, '--core=0', ...TCPDUMP], { stdio: ['ignore', output, 'pipe'] });
    closeSync(output);
    let words = '';
    child.stderr!.on('data', (chunk: Buffer) => (words += chunk.toString('utf8')));
    const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
    running = { child, words: () => words, ended };
    await beginning(running).catch(async (error: unknown) => {
      running = undefined;
      child.kill('SIGKILL');
      throw error;
    });
  };

  return {
    start,
    stop: async () => {
      if (!running) throw new Error('nothing is captured');
      const { child, words, ended } = running;
      child.kill('SIGINT');
      await ended;
      running = undefined;
      return { words: words(), isCut: child.signalCode === 'SIGXFSZ' };
    },
    pids: () => (running?.child.pid === undefined ? [] : [running.child.pid]),
  };
};
