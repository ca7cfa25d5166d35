// How many exchanges are with the upstream at once, and who waits for a place there. First come, first
// served; the queue is bounded, since waiting in it is only fair to those who will get through.

export type Slot = {
  /** Calls back once there is a place: at once, or when it is this one's turn. Never after the release. */
  readonly onGranted: (listener: () => void) => void;
  /** Gives the place back, or leaves the queue. A second time changes nothing. */
  readonly release: () => void;
};

export type Slots = {
  /** Null when the queue is full. */
  readonly take: () => Slot | null;
  readonly counts: () => { readonly taken: number; readonly waiting: number };
};

type Ticket = { state: 'waiting' | 'granted' | 'released'; listener: (() => void) | null };

/** @param limit places; 0: as many as asked for */
export const createSlots = (limit: number, queueLimit: number): Slots => {
  const queue: Ticket[] = [];
  let taken = 0;
  const grant = (ticket: Ticket): void => {
    taken += 1;
    ticket.state = 'granted';
    ticket.listener?.();
  };
  const release = (ticket: Ticket): void => {
    const { state } = ticket;
    ticket.state = 'released';
    if (state === 'waiting') queue.splice(queue.indexOf(ticket), 1);
    if (state !== 'granted') return;
    taken -= 1;
    const next = queue.shift();
    if (next) grant(next);
  };
  const take = (): Slot | null => {
    const isFree = limit === 0 || taken < limit;
    if (!isFree && queue.length >= queueLimit) return null;
    const ticket: Ticket = { state: 'waiting', listener: null };
    if (isFree) grant(ticket);
    else queue.push(ticket);
    return {
      onGranted: (listener) => {
        if (ticket.state === 'granted') listener();
        else ticket.listener = listener;
      },
      release: () => release(ticket),
    };
  };
  return { take, counts: () => ({ taken, waiting: queue.length }) };
};
