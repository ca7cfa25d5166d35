// Why a system cannot be had at its coordinates: nothing about it was shown, which is another thing than that it failed.
import { messageOf, ProblemError } from '../model/problem.ts';
import type { Card } from './card.ts';

export type Untestable = {
  /** One line: what could not be had, and why. */
  readonly reason: string;
  /** What the tools printed. */
  readonly log: string;
  readonly hint: string | null;
};

/** What is the fault of the combination that was asked for; all else is the machine's, and stops the command. */
const CODES: readonly string[] = ['install-failed', 'image-missing', 'image-not-built', 'source-not-built', 'unknown-revision'];

const partsOf = (cause: unknown): readonly string[] => {
  if (!(cause instanceof Error)) return [];
  const { cmd, stdout, stderr } = cause as { readonly cmd?: unknown; readonly stdout?: unknown; readonly stderr?: unknown };
  return [
    ...(typeof cmd === 'string' ? [`$ ${cmd}`] : []),
    ...[stdout, stderr].flatMap((text) => (typeof text === 'string' && text.trim() !== '' ? [text.trimEnd()] : [])),
    ...(cause.cause === undefined ? [] : partsOf(cause.cause)),
  ];
};

/** What programs printed on the way to an error, the outermost first. */
export const logOf = (error: unknown): string => {
  const parts = partsOf(error);
  return `${[messageOf(error), ...parts].join('\n')}\n`;
};

/**
 * @param card one that was asked for at these coordinates; one that is used as its file says is never untestable
 * @throws the error itself, where it is no fault of the combination
 */
export const toUntestable = (card: Pick<Card, 'coordinates'>, error: unknown): Untestable => {
  const first = error instanceof ProblemError ? error.problems[0] : undefined;
  if (first === undefined || !CODES.includes(first.code) || Object.keys(card.coordinates).length === 0) throw error;
  return { reason: first.message, log: logOf(error), hint: first.hint ?? null };
};
