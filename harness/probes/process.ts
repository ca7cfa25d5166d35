// The process view: which processes of the system live, what memory they hold, and how long they
// were kept from a processor. It looks at /proc alone, so the harness can use it on the host's own
// /proc for containers, as the probes' process does inside a stage.
import { existsSync } from 'node:fs';
import type { Options } from '../model/fields.ts';
import type { ProcessValue } from '../model/samples.ts';
import { openDescriptors, openFileBytes } from './open-files.ts';
import type { ProbeDefinition, ProbeView } from './probe.ts';
import { allPids, childrenOf, isLive, readEntry, residentBytes, threadsOf } from './process-tree.ts';
import type { ProcessEntry } from './process-tree.ts';
import { createRunDelays } from './run-delays.ts';
import type { RunDelays } from './run-delays.ts';

export type ProcessConfig = {
  /** Main processes by the name of their `run` entry; null: its pid cannot be known here. */
  readonly roots: Readonly<Record<string, number | null>>;
  /** Those of them that are an init of the engine's: the main process is its child. */
  readonly inits?: readonly string[];
  readonly procRoot?: string;
  /** Every process of this pid namespace is the system's, except those named. */
  readonly everything?: boolean;
  readonly except?: readonly number[];
  /** Add up the files that they hold open. */
  readonly files?: boolean;
  /** Count their open descriptors. */
  readonly descriptors?: boolean;
};

const descendants = (root: string, from: Iterable<number>): ReadonlySet<number> => {
  const found = new Set<number>(from);
  let byParent: Map<number, number[]> | undefined;
  const scan = (pid: number): readonly number[] => {
    byParent ??= Map.groupBy(allPids(root), (each) => readEntry(root, each)?.parent ?? -1);
    return byParent.get(pid) ?? [];
  };
  for (const pid of found) {
    for (const child of childrenOf(root, pid) ?? scan(pid)) found.add(child);
  }
  return found;
};

/** What a view has seen: by pid its start time, and what each thread waited. */
type Memory = { readonly seen: Map<number, string>; readonly delays: RunDelays };

const createMemory = (root: string): Memory => ({ seen: new Map(), delays: createRunDelays(root) });

/** Opens a view. It remembers what it has seen: a process whose parent died stays the system's. */
export const openProcesses = (config: ProcessConfig, memory = createMemory(config.procRoot ?? '/proc')): { readonly sample: () => ProcessValue } => {
  const root = config.procRoot ?? '/proc';
  const except = new Set([...(config.except ?? []), ...(config.everything ? [process.pid] : [])]);
  const { seen, delays } = memory;
  /** The process only if it is the one first seen under this pid, not a later one with the same number. */
  const sameAsBefore = (pid: number): ProcessEntry | undefined => {
    const entry = readEntry(root, pid);
    const before = seen.get(pid);
    return before === undefined || before === entry?.startedAt ? entry : undefined;
  };
  const mains = new Map<string, number>();
  /** An init forks some time after it has begun; what was its child once is the main process for good, also when it has ended. */
  const mainOf = (name: string, pid: number): number => {
    if (!config.inits?.includes(name)) return pid;
    const child = mains.get(name) ?? childrenOf(root, pid)?.[0];
    if (child !== undefined) mains.set(name, child);
    return child ?? pid;
  };
  const find = (pids: readonly number[]): readonly ProcessEntry[] => {
    const candidates = config.everything
      ? allPids(root)
      : [...descendants(root, [...pids, ...seen.keys()].filter((pid) => sameAsBefore(pid) !== undefined))];
    return candidates.filter((pid) => !except.has(pid)).map((pid) => readEntry(root, pid)).filter(isLive);
  };

  const sample = (): ProcessValue => {
    // Without it every process would look dead, which is a claim that nobody has checked.
    if (!existsSync(`${root}/stat`)) throw new Error(`no process file system at ${root}`);
    const roots = Object.entries(config.roots).flatMap(([name, pid]): readonly [string, number][] => (pid === null ? [] : [[name, mainOf(name, pid)]]));
    const alive = Object.fromEntries(roots.map(([name, pid]) => [name, isLive(sameAsBefore(pid))]));
    const live = find(roots.map(([, pid]) => pid));
    for (const [pid] of seen) if (sameAsBefore(pid) === undefined && !roots.some(([, own]) => own === pid)) seen.delete(pid);
    for (const entry of live) if (!seen.has(entry.pid)) seen.set(entry.pid, entry.startedAt);
    const runDelays: Record<string, number> = {};
    for (const { pid } of live) {
      for (const thread of threadsOf(root, pid)) {
        const delay = delays.read(pid, thread);
        if (delay !== undefined) runDelays[`${pid}:${thread}`] = delay;
      }
    }
    const fileBytes = config.files ? openFileBytes(root, live.map(({ pid }) => pid)) : undefined;
    const descriptors = config.descriptors ? openDescriptors(root, live.map(({ pid }) => pid)) : undefined;
    return {
      alive,
      pids: live.map((entry) => entry.pid).sort((a, b) => a - b),
      rssBytes: live.reduce((sum, entry) => sum + residentBytes(root, entry.pid), 0),
      ...(fileBytes === undefined ? {} : { fileBytes }),
      ...(descriptors === undefined ? {} : { descriptors }),
      runDelayMs: Math.max(0, ...Object.values(runDelays)),
      runDelays,
    };
  };
  return { sample };
};

const memories = new WeakMap<ProbeView, Memory>();

/** A restart gives other roots; what the other processes have waited goes on. */
const open = (config: Options, before?: ProbeView): ProbeView => {
  const memory = (before && memories.get(before)) ?? createMemory((config as ProcessConfig).procRoot ?? '/proc');
  const view = openProcesses(config as ProcessConfig, memory);
  memories.set(view, memory);
  return view;
};

export const definition: ProbeDefinition = {
  kind: 'process',
  about: 'live processes of the system, their memory, and how long their threads waited for a processor',
  fields: {
    options: {
      roots: { type: 'any', about: 'main processes: name to pid' },
      inits: { type: 'text', list: true, optional: true, about: 'those of them that are an init, whose child is the main process' },
      procRoot: { type: 'text', default: '/proc', about: 'where the process file system is mounted' },
      everything: { type: 'boolean', optional: true, about: 'every process of the pid namespace is the system\'s' },
      files: { type: 'boolean', optional: true, about: 'also add up the files that they hold open' },
      descriptors: { type: 'boolean', optional: true, about: 'also count their open descriptors' },
      except: { type: 'integer', list: true, optional: true, about: 'pids that are not, such as the actors\'' },
    },
  },
  example: { roots: { router: 4711 }, procRoot: '/proc' },
  open,
};
