// Runtimes on which nothing that was asked for could be started: `auto` must not take one of them because its engine answers.
import type { RuntimeKind } from '../runtimes/runtime.ts';
import { runtimeKinds } from '../runtimes/registry.ts';
import { whyNotOn } from '../systems/runs-on.ts';
import { wantedOf } from './select.ts';
import type { Loaded, Selection } from './select.ts';

/** By runtime: why none of the wanted cards can be run on it. One that any of them can be run on is not named. */
export const unfitRuntimes = (
  loaded: readonly Loaded[],
  selection: Pick<Selection, 'defects' | 'tags' | 'where'>,
): Readonly<Partial<Record<RuntimeKind, string>>> => {
  const cards = [...new Set(wantedOf(loaded, selection).map(({ card }) => card))];
  return Object.fromEntries(
    runtimeKinds.flatMap((kind) => {
      const whys = cards.map((card) => whyNotOn(card, kind));
      return whys.length === 0 || whys.includes(null) ? [] : [[kind, [...new Set(whys)].join(', ')]];
    }),
  );
};
