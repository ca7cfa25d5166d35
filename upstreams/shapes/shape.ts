// The contract of a wire shape: how a provider's API writes events, usage and ends.
// Text is one character a byte. Every data event carries the subject's label and its own number.
import type { Definition } from '../../harness/model/registry.ts';

/** Whose answer it is: `label` is the exchange's marker, or `exchange-<n>` where it has none. */
export type Subject = { readonly label: string; readonly createdS: number };

export type Format = {
  readonly contentType: string;
  /** Text before anything else of the body. */
  readonly opening: (subject: Subject) => string;
  /** What stands before and after the number of a data event, filled up to about `bytes` where given. */
  readonly event: (subject: Subject, bytes?: number) => readonly [before: string, after: string];
  /** Bytes that are no progress; null where the shape has none. */
  readonly comment: ((text: string) => string) | null;
  readonly usage: (subject: Subject, events: number) => string;
  readonly endMark: string;
  /** Text after everything else of the body. `usage` is null where none was reported. */
  readonly closing: (subject: Subject, usage: number | null) => string;
};

export type ShapeDefinition = Definition & {
  /** Request paths (without query) that this API serves. */
  readonly paths: readonly string[];
  /** For requests that ask for a stream, and for those that say `"stream": false`. */
  readonly stream: Format;
  readonly whole: Format;
};
