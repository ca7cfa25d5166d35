// JSON lines between the harness and its actors. Down: commands. Up: replies (with `re`) and
// facts (with `type`), stamped at the source in absolute CLOCK_MONOTONIC ms.
import type { Fact } from './observation.ts';

/** `to` names the actor process (`stage`, `upstreams`, `clients`, `client.<name>`, `probes`). */
export type Command = { readonly id: number; readonly to: string; readonly do: string } & Readonly<Record<string, unknown>>;

export type Reply =
  | { readonly re: number; readonly ok: true; readonly value?: unknown }
  | { readonly re: number; readonly ok: false; readonly code: string; readonly message: string };

/** A fact on its way: `at` is absolute. */
export type Emitted = { readonly at: number; readonly actor: string; readonly seq: number } & Fact;

export type UpLine = Reply | Emitted;

/** What a command handler may do beside returning its value. */
export type Handler = (command: Command) => unknown;

/** Sends a command to an actor process and waits for its reply. Rejects with the actor's error. */
export type Send = (to: string, command: { readonly do: string } & Readonly<Record<string, unknown>>, limitMs?: number) => Promise<unknown>;
