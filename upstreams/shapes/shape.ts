// The contract of a wire shape: how a provider's API writes events, usage and ends. Behaviours know nothing of
// it. Text is one character a byte. Every data event carries the subject's label and its own number.
//
// Not streamed. Providers make the whole answer first and send it in one piece: until then nothing of it is
// on the wire, which is the behaviour `header-wait`. Some send their head at once and keep the connection warm
// (DeepSeek: empty lines before the document), and whatever stands between may cut or stall an answer at any byte.
// So that silence, a trickle, a flood and a cut each keep a state of their own on this wire too (no head; a
// document that stands still; one that grows), the document is written as it is made: a piece of its text
// an event, the usage at its end. A document that is not whole is worth nothing to whoever gets it.
import type { Definition } from '../../harness/model/registry.ts';

/** Whose answer it is: `label` is the exchange's marker, or `exchange-<n>` where it has none. */
export type Subject = { readonly label: string; readonly createdS: number };

/** What was written so far; `usage` is null where none was reported. */
export type Totals = { readonly events: number; readonly usage: number | null };

/** A data event in pieces: text, and where a number stands, how far it is from the event's own number. */
export type EventParts = readonly (string | number)[];

export type Format = {
  readonly contentType: string;
  /** Text before anything else of the body. */
  readonly opening: (subject: Subject) => string;
  /** Whoever streams opens with the head; a document begins with its first content, so that blanks may come before. */
  readonly opensWith: 'head' | 'content';
  /** Filled up to about `bytes` where given. */
  readonly event: (subject: Subject, bytes?: number) => EventParts;
  /** Bytes that are no progress; null where the shape has none. */
  readonly comment: ((text: string, totals: Totals) => string) | null;
  /** Null where the shape reports none. */
  readonly usage: ((subject: Subject, events: number) => string) | null;
  readonly endMark: (subject: Subject, totals: Totals) => string;
  /** Text after everything else of the body. */
  readonly closing: (subject: Subject, totals: Totals) => string;
};

export type ShapeDefinition = Definition & {
  /** Request paths (without query) that this API serves; none where only a scenario can choose it. */
  readonly paths: readonly string[];
  /** For requests that ask for a stream or say nothing of it, and for those that say `"stream": false`. */
  readonly stream: Format;
  readonly whole: Format;
  /** The body of an answer with an error status. */
  readonly error: (status: number) => string;
};
