// How much memory there is to run in, and how much of it is free just now. Inside a container the machine's own numbers
// say too much: the limit of its control group is what counts.
import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import type { Runtime } from '../runtimes/runtime.ts';

export type Capacity = {
  readonly memoryBytes: number;
  /** Null where nobody can say. */
  readonly freeBytes: () => number | null;
  /** Absent: those of this machine. */
  readonly processors?: number;
};

const KIBIBYTE = 1024;
/** What version 1 says where there is no limit: the largest multiple of a page. */
const NO_LIMIT = 2 ** 60;

type Group = { readonly limit: string; readonly used: string; readonly cache: string; readonly folder: string };

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

const numberIn = (text: string, name: RegExp): number | null => {
  const found = name.exec(text)?.[1];
  return found === undefined ? null : Number(found);
};

/** A group and all above it, since each may have a limit. Inside a container the path may be the host's, which is not there: the root is its own. */
const foldersOf = (root: string, path: string): readonly string[] => {
  const folders: string[] = [root];
  for (let at = path; at !== '/' && at !== '.' && at !== ''; at = dirname(at)) folders.push(join(root, at));
  return folders;
};

const groupsOf = (root: string): readonly Group[] =>
  read(join(root, 'proc/self/cgroup'))
    .split('\n')
    .flatMap((line): readonly Group[] => {
      const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
      if (path === undefined) return [];
      if (controllers === '')
        return foldersOf(join(root, 'sys/fs/cgroup'), path).map((folder) => ({ folder, limit: 'memory.max', used: 'memory.current', cache: 'inactive_file' }));
      if (!controllers!.split(',').includes('memory')) return [];
      return foldersOf(join(root, 'sys/fs/cgroup/memory'), path).map((folder) => ({
        folder, limit: 'memory.limit_in_bytes', used: 'memory.usage_in_bytes', cache: 'total_inactive_file',
      }));
    });

type Limited = { readonly limit: number; readonly free: number };

/** Files that were read count as used until somebody needs the room, and are free then. */
const limitOf = ({ folder, limit, used, cache }: Group): readonly Limited[] => {
  const bytes = numberIn(read(join(folder, limit)), /^(\d+)/);
  if (bytes === null || bytes >= NO_LIMIT) return [];
  const taken = numberIn(read(join(folder, used)), /^(\d+)/) ?? 0;
  const cached = numberIn(read(join(folder, 'memory.stat')), new RegExp(`^${cache} (\\d+)`, 'm')) ?? 0;
  return [{ limit: bytes, free: Math.max(0, bytes - taken + cached) }];
};

const machineFree = (root: string): number | null => {
  const kibibytes = numberIn(read(join(root, 'proc/meminfo')), /^MemAvailable:\s+(\d+) kB/m);
  return kibibytes === null ? null : kibibytes * KIBIBYTE;
};


/**
 * What this process and its children may use.
 * @param root where `proc` and `sys` are
 */
export const capacityHere = (root = '/', machineBytes = totalmem()): Capacity => {
  const groups = groupsOf(root);
  const limits = groups.flatMap(limitOf).map(({ limit }) => limit);
  const freeBytes = (): number | null => {
    const free = [machineFree(root), ...groups.flatMap(limitOf).map((one) => one.free)].filter((bytes) => bytes !== null);
    return free.length === 0 ? null : Math.min(...free);
  };
  return { memoryBytes: Math.min(machineBytes, ...limits), freeBytes };
};

/** What the runtime's engine may use, or this process. Of an engine elsewhere only the whole is known. */
export const capacityOf = async (runtime: Pick<Runtime, 'capacity'> | undefined): Promise<Capacity> => {
  const engine = await runtime?.capacity?.().catch(() => undefined);
  if (engine === undefined) return capacityHere();
  const { isHere, ...has } = engine;
  // The engine's containers are in no group of ours.
  return { ...has, freeBytes: () => (isHere ? machineFree('/') : null) };
};
