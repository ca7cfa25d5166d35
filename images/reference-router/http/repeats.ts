// A request that comes again, because its client did not hear the answer, is billed once.
import type { IncomingMessage } from 'node:http';
import type { Services } from '../services.ts';
import type { Refusal } from './body.ts';

const KEY_LIMIT = 256;

/** Answers are not kept, so one that was charged for cannot be given again. */
export const REPEATED: Readonly<Record<'active' | 'charged', Refusal>> = {
  active: [409, 'request-in-progress', 'this request is being served already'],
  charged: [409, 'request-already-billed', 'this request has been served and charged already'],
};

/** The name under which a request may come again: its Idempotency-Key, else its marker where that is configured. */
export const repeatKeyOf = ({ behaviour, config }: Services, request: IncomingMessage, marker: string | null): string | null => {
  const header = request.headers['idempotency-key'];
  const key = typeof header === 'string' && header !== '' ? header.slice(0, KEY_LIMIT) : null;
  return behaviour.repeatKey(key ?? (config.idempotency === 'marker' ? marker : null));
};
