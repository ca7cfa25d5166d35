// A stage is a measuring instrument: where it is allowed to, it runs ahead of the other work of its machine, so that
// a busy machine delays what is measured as little as can be. Where it is not, starvation is seen and said.
import { getPriority, setPriority } from 'node:os';
import type { Engine } from './docker.ts';

/** Nine times the weight of a process that nobody has favoured (sched(7): a step of one is a factor of 1.25). */
const NICENESS = -10;
/** The same for a container: 1024 is the weight of a process that nobody has favoured. */
const CPU_SHARES = 8192;

const isRoot = (): boolean => process.getuid?.() === 0;

/** What a command begins with to run ahead, however far ahead we are. Without the right `nice` says so and goes on as it was. */
export const ahead = (): readonly string[] => {
  const missing = NICENESS - getPriority();
  return isRoot() && missing < 0 ? ['nice', '-n', String(missing)] : [];
};

/** The harness itself: it takes what the stages say, and is one of those whose lag leaves claims open. */
export const stepAhead = (): void => {
  try {
    setPriority(NICENESS);
  } catch {
    // Not allowed to: then it lags with everybody else, and says so.
  }
};

export type ContainerShares = { readonly CpuShares: number; readonly CgroupParent?: string };

/**
 * Containers of one engine share what the group of all of them gets, and that group weighs as much as one process: a busy
 * machine starves them all. With plain cgroups a container may have its place beside the machine's processes instead;
 * under systemd it has one among its services.
 */
export const sharesOf = async (engine: Engine): Promise<ContainerShares> => {
  const { CgroupDriver } = (await engine.info()) as { readonly CgroupDriver?: string };
  return CgroupDriver === 'cgroupfs' ? { CpuShares: CPU_SHARES, CgroupParent: '/' } : { CpuShares: CPU_SHARES };
};
