// Clients that exist many times over: `copies: 100` on `alice` makes `alice-1` to `alice-100`, each with the
// same script and, where it has one of its own, an account of its own. A claim on `alice` is about each of them.
import { asMap } from './raw-items.ts';
import type { Data } from './raw-items.ts';
import type { ScenarioClient } from './scenario.ts';

/** Every one has an address of its own; under plain loopback a stage has 254. */
export const MAXIMUM_COPIES = 200;

const namesOf = (name: string, copies: number | undefined): readonly string[] =>
  copies === undefined ? [name] : Array.from({ length: copies }, (_, index) => `${name}-${index + 1}`);

const copiesIn = (client: unknown): number | undefined => {
  const { copies } = asMap(client);
  return typeof copies === 'number' && Number.isInteger(copies) && copies > 0 && copies <= MAXIMUM_COPIES ? copies : undefined;
};

export type ClientNames = {
  /** As they are written. */
  readonly written: readonly string[];
  /** Those that have copies. */
  readonly groups: readonly string[];
  /** Those who take part: a name without copies itself, else its copies. */
  readonly members: readonly string[];
};

/** The names of a scenario's clients, from the data as it stands in the file. */
export const clientNamesOf = (data: Data): ClientNames => {
  const entries = Object.entries(asMap(data.clients));
  return {
    written: entries.map(([name]) => name),
    groups: entries.flatMap(([name, client]) => (copiesIn(client) === undefined ? [] : [name])),
    members: entries.flatMap(([name, client]) => namesOf(name, copiesIn(client))),
  };
};

type Written = ScenarioClient & { readonly copies: number | undefined };

export type Expanded = {
  readonly clients: Readonly<Record<string, ScenarioClient>>;
  /** Names with copies, to those of the copies. */
  readonly copies: Readonly<Record<string, readonly string[]>>;
};

/** Puts its copies in the place of each client that has some. */
export const expandCopies = (written: Readonly<Record<string, Written>>): Expanded => ({
  clients: Object.fromEntries(
    Object.entries(written).flatMap(([name, { copies, ...client }]) => namesOf(name, copies).map((copy) => [copy, client])),
  ),
  copies: Object.fromEntries(
    Object.entries(written).flatMap(([name, { copies }]) => (copies === undefined ? [] : [[name, namesOf(name, copies)]])),
  ),
});
