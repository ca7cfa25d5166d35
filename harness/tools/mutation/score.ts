// How mutants are counted: a timeout is a kill; what runs once when a file is loaded is not tried, and not counted.
export type Place = { readonly line: number; readonly column: number };

export type Mutant = {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: string;
  readonly location: { readonly start: Place; readonly end: Place };
};

export type Score = { readonly killed: number; readonly survived: number; readonly ignored: number; readonly score: number };

const KILLED = new Set(['Killed', 'Timeout', 'RuntimeError', 'CompileError']);
const ALIVE = new Set(['Survived', 'NoCoverage']);

export const isAlive = ({ status }: Mutant): boolean => ALIVE.has(status);

/** @returns counts, and the killed of those that were tried, percent; 100 where none was */
export const scoreOf = (mutants: readonly Mutant[]): Score => {
  const killed = mutants.filter(({ status }) => KILLED.has(status)).length;
  const survived = mutants.filter(isAlive).length;
  const tried = killed + survived;
  return { killed, survived, ignored: mutants.length - tried, score: tried === 0 ? 100 : (100 * killed) / tried };
};
