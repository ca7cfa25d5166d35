// The contract of an upstream's behaviour: a program in the algebra below, run once per exchange.
import type { Options } from '../harness/model/fields.ts';
import type { Definition } from '../harness/model/registry.ts';

/** Where a connection ends: FIN, RST, a half-close, or never by the upstream. */
export type CloseKind = 'fin' | 'rst' | 'half' | 'never';

/** The algebra all behaviours are written in. Numbers are ms or counts. */
export type Instruction =
  | { readonly do: 'head'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** One data event of the wire shape; its text carries the exchange's marker and number, so that no two are alike. */
  | { readonly do: 'event'; readonly bytes?: number }
  | { readonly do: 'comment'; readonly text: string }
  | { readonly do: 'usage' }
  | { readonly do: 'end-mark' }
  | { readonly do: 'raw'; readonly bytes: string }
  | { readonly do: 'body'; readonly text: string }
  /** The head of an error status and, with its length announced, the shape's error body. */
  | { readonly do: 'error'; readonly status: number }
  /** Ends the HTTP message as announced (last chunk); the connection is kept. */
  | { readonly do: 'finish' }
  | { readonly do: 'wait'; readonly ms: number }
  /** Waits until the harness says so: forever, unless `finish` or `stop` comes. */
  | { readonly do: 'wait-forever' }
  | { readonly do: 'repeat'; readonly times: number | 'forever'; readonly body: readonly Instruction[]; readonly atMostBytes?: number }
  | { readonly do: 'close'; readonly how: CloseKind };

export type BehaviourDefinition = Definition & {
  /** True: no listener at all (connection refused). */
  readonly listens?: false;
  /** It is made of comments: a shape without them cannot carry it. */
  readonly needsComments?: true;
  readonly program: (options: Options) => readonly Instruction[];
};
