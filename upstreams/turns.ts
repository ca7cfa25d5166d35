// Who goes on in the next turn of the loop. Between turns the sockets are looked at, so that an
// upstream that floods still sees its peer leave.

export type Turns<T> = { readonly add: (member: T) => void };

export const createTurns = <T>(go: (member: T) => void): Turns<T> => {
  let waiting: T[] = [];
  const turn = (): void => {
    const ready = waiting;
    waiting = [];
    for (const member of ready) go(member);
  };
  return {
    add: (member) => {
      if (waiting.push(member) === 1) setImmediate(turn);
    },
  };
};
