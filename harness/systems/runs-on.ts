// On which runtime a card's processes can be started: it says an image, a command or both for each of them.
import type { RuntimeKind } from '../runtimes/runtime.ts';
import type { Card } from './card.ts';

const WAYS: Readonly<Record<RuntimeKind, string>> = { docker: 'image', process: 'command' };

/** Why the card's processes cannot be started on it, in one line, or null. */
export const whyNotOn = (card: Pick<Card, 'system' | 'run'>, runtime: RuntimeKind): string | null => {
  const without = card.run.find((entry) => entry[runtime] === undefined);
  return without ? `the card of ${card.system} has no ${WAYS[runtime]} for ${without.name}` : null;
};

/** The runtimes that all of them can be started on. */
export const runtimesOf = (card: Pick<Card, 'system' | 'run'>): readonly RuntimeKind[] =>
  (Object.keys(WAYS) as readonly RuntimeKind[]).filter((runtime) => whyNotOn(card, runtime) === null);

/** For people who are on another one: what to ask for instead. */
export const otherRuntime = (card: Pick<Card, 'system' | 'run'>): string => {
  const [other] = runtimesOf(card);
  return other === undefined ? '' : `; --runtime ${other} can run it`;
};
