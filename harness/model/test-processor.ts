// For tests that something ends soon: what this process has worked, which others at work beside it do not make longer.

/** ms of all its threads. */
export const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
