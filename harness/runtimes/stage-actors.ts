// The stage's other actors: child processes whose lines pass through the stage host unchanged.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import type { Actor } from '../model/actor.ts';
import { exitOf } from './exit.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** Entries have the ending of this file: `.ts` in a clone, `.js` where the package was stripped. */
const ENDING = extname(import.meta.filename);
const ENTRIES: Readonly<Record<string, string>> = {
  upstreams: `upstreams/main${ENDING}`,
  clients: `harness/clients/main${ENDING}`,
  probes: `harness/probes/main${ENDING}`,
};
const NEWLINE = 10;

const LAST_WORDS_BYTES = 4_000;

type Child = { readonly child: ChildProcess; readonly ended: Promise<void>; readonly words: () => string; asked: boolean };

export type StageActors = {
  /** @param entry `upstreams`, `clients`, `probes`, or a path from the repository's root */
  readonly start: (process: string, entry: string) => Promise<{ readonly pid: number }>;
  /** SIGKILL; resolves when the kernel has closed its sockets and it was reaped. */
  readonly kill: (process: string) => Promise<void>;
  /** False where no such actor runs. */
  readonly pass: (process: string, line: string) => boolean;
  readonly pids: () => readonly number[];
};

/** Passes on what came, up to its last whole line, and waits where the reader is slow. */
const passLines = async (child: ChildProcess, pass: Actor['pass']): Promise<void> => {
  let rest = Buffer.alloc(0);
  for await (const chunk of child.stdout!) {
    const bytes = Buffer.concat([rest, chunk as Buffer]);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    rest = bytes.subarray(end);
    if (end > 0) await pass(bytes.subarray(0, end));
  }
};

/** Keeps the end of what it complains of; gives the line that names the error. */
const collectWords = (child: ChildProcess): (() => string) => {
  let text = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString('utf8')).slice(-LAST_WORDS_BYTES);
  });
  return () => {
    const lines = text.split('\n').map((line) => line.trim()).filter((line) => line !== '');
    return lines.find((line) => /\b\w*Error\b.*:/.test(line)) ?? lines.at(-1) ?? '';
  };
};

export const createStageActors = (actor: Actor): StageActors => {
  const running = new Map<string, Child>();

  const end = (name: string, one: Child): void => {
    running.delete(name);
    if (one.asked) return;
    const { code, signal } = exitOf(one.child.exitCode, one.child.signalCode);
    const words = one.words();
    const error = `ended with ${signal ?? `code ${code}`}${words === '' ? '' : `: ${words}`}`;
    actor.emit('stage', { type: 'actor-failed', process: name, error });
  };

  const start: StageActors['start'] = async (name, entry) => {
    if (running.has(name)) throw new Error(`actor ${name} is already running`);
    const file = join(ROOT, ENTRIES[entry] ?? entry);
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, name], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    // A write to an actor that has just died: its end is reported by itself.
    child.stdin.on('error', () => {});
    const words = collectWords(child);
    const closed = once(child, 'close');
    await once(child, 'spawn');
    const passed = passLines(child, actor.pass);
    const one: Child = { child, ended: Promise.all([closed, passed]).then(() => {}), words, asked: false };
    running.set(name, one);
    void one.ended.then(() => end(name, one));
    return { pid: child.pid! };
  };

  const kill: StageActors['kill'] = async (name) => {
    const one = running.get(name);
    if (!one) throw new Error(`no actor ${name} is running`);
    one.asked = true;
    one.child.kill('SIGKILL');
    await one.ended;
  };

  const pass: StageActors['pass'] = (name, line) => running.get(name)?.child.stdin?.write(`${line}\n`) !== undefined;
  return { start, kill, pass, pids: () => [...running.values()].map((one) => one.child.pid!) };
};
