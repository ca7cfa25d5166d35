// What the requests and answers of an API look like, as far as a router has to know: what of an answer
// is content, what it counts itself, and how an error is told. No byte is ever changed by it.
import type { Json } from './json.ts';

/** `content` is what is billed; `body` is a part of an answer that is no event stream. */
export type PartKind = 'content' | 'usage' | 'end-mark' | 'comment' | 'other' | 'body';
export type Part = { readonly kind: PartKind; readonly usage?: number };

export type Shape = {
  readonly path: string;
  /** What one event of a stream is. `event` is null where its data is no JSON object. */
  readonly partsOf: (event: Json | null, data: string) => readonly Part[];
  /** Tokens produced, as an answer that is not streamed says itself. */
  readonly usageOf: (answer: Json | null) => number | undefined;
  /** An error before the answer has begun. */
  readonly errorBody: (code: string, message: string) => Json;
  /** An error within a stream, with its blank line. */
  readonly errorEvent: (code: string, message: string) => string;
};
