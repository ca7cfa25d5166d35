// One shared timer for what must be looked at again soon. A silent connection is in no pulse and
// so costs no timer; the pulse itself stands still while nobody is in it.
import { nowMs } from '../harness/model/time.ts';

export type Pulse<T> = { readonly add: (member: T) => void; readonly remove: (member: T) => void };

/** @param beat looks at one member; returns whether it must be looked at again */
export const createPulse = <T>(periodMs: number, beat: (member: T, atMs: number) => boolean): Pulse<T> => {
  const members = new Set<T>();
  let timer: NodeJS.Timeout | undefined;
  const remove = (member: T): void => {
    if (!members.delete(member) || members.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const tick = (): void => {
    const atMs = nowMs();
    for (const member of members) if (!beat(member, atMs)) remove(member);
  };
  return {
    remove,
    add: (member) => {
      members.add(member);
      timer ??= setInterval(tick, periodMs).unref();
    },
  };
};
