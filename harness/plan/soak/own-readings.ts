// What hangup itself takes, read all night: a soak that leaks would accuse others of it. Memory as the machine has it, and what objects still
// hold after a full collection, since the first climbs and falls by the collector's leave. What Node makes of our sources is no object, and
// grows for as long as there is a path that gets warm.
import { readdir, readlink } from 'node:fs/promises';
import { PerformanceObserver, constants, monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapCodeStatistics } from 'node:v8';
import type { MeasureName } from '../../model/soak.ts';
import { createSeries } from './series.ts';
import type { Series } from './series.ts';

export type OwnReadings = {
  readonly series: Readonly<Record<Exclude<MeasureName, 'reserved'>, Series>>;
  readonly stop: () => void;
};

const RESOLUTION_MS = 20;
const NANOSECONDS_PER_MS = 1e6;

/** Open descriptors of this process, and how many of them are sockets; null where the system does not show them. */
const descriptors = async (): Promise<{ readonly fds: number; readonly sockets: number } | null> => {
  const names = await readdir('/proc/self/fd').catch(() => null);
  if (names === null) return null;
  const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => null)));
  // The one through which the folder is read has gone by now.
  const open = targets.filter((target) => target !== null);
  return { fds: open.length, sockets: open.filter((target) => target.startsWith('socket:')).length };
};

const heldByObjects = (): number => {
  const { code_and_metadata_size: code, bytecode_and_metadata_size: bytecode } = getHeapCodeStatistics();
  return process.memoryUsage().heapUsed - code - bytecode;
};

/** @param elapsedMs since the night began @param everyMs between two readings */
export const watchOwn = (elapsedMs: () => number, everyMs: number): OwnReadings => {
  const series = {
    memory: createSeries('mean', everyMs), heap: createSeries('smallest', everyMs), fds: createSeries('mean', everyMs),
    sockets: createSeries('mean', everyMs), lag: createSeries('mean', everyMs),
  };
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const collections = new PerformanceObserver((list) => {
    const isFull = list.getEntries().some((entry) => (entry as { readonly detail?: { readonly kind?: number } }).detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR);
    if (isFull) series.heap.add(elapsedMs(), heldByObjects());
  });
  collections.observe({ entryTypes: ['gc'] });
  const read = async (): Promise<void> => {
    const atMs = elapsedMs();
    series.memory.add(atMs, process.memoryUsage.rss());
    if (delay.count > 0) series.lag.add(atMs, Math.max(0, delay.percentile(99) / NANOSECONDS_PER_MS - RESOLUTION_MS));
    delay.reset();
    const open = await descriptors();
    if (open === null) return;
    series.fds.add(atMs, open.fds);
    series.sockets.add(atMs, open.sockets);
  };
  const timer = setInterval(() => void read(), everyMs);
  return {
    series,
    stop: () => {
      clearInterval(timer);
      delay.disable();
      collections.disconnect();
    },
  };
};
