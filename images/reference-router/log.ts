// Structured logs: one JSON object a line on standard output. Nothing that is logged holds a key or
// its hash; reservations and markers are what an operator correlates with.

export type Level = 'info' | 'warning' | 'error';
export type Log = (level: Level, event: string, fields?: Readonly<Record<string, unknown>>) => void;

export const createLog = (instance: string, write: (line: string) => void): Log => (level, event, fields = {}) => {
  write(`${JSON.stringify({ at: new Date().toISOString(), level, event, instance, ...fields })}\n`);
};

/** The message of anything thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
