// Why an exchange ended, and what its client is told. The reason goes into the reservation's row, so
// that a question about a charge can be answered weeks later.
import type { Bound } from './deadlines.ts';

export type Reason =
  | 'finished' | 'client-left' | 'upstream-failed' | 'upstream-refused' | 'shutdown' | 'reservation-lost'
  | 'header-timeout' | 'read-timeout' | 'progress-timeout' | 'send-timeout' | 'lifetime-exceeded' | 'age-exceeded' | 'drain-timeout';

export type Told = { readonly status: number; readonly message: string };

export const REASON_OF_BOUND: Readonly<Record<Exclude<Bound, 'settle'>, Reason>> = {
  header: 'header-timeout',
  read: 'read-timeout',
  progress: 'progress-timeout',
  send: 'send-timeout',
  lifetime: 'lifetime-exceeded',
  age: 'age-exceeded',
  drain: 'drain-timeout',
};

/** Null where there is nothing to tell: the answer was complete, or nobody is there to hear. */
export const TOLD: Readonly<Record<Reason, Told | null>> = {
  'finished': null,
  'upstream-refused': null,
  'client-left': null,
  'drain-timeout': null,
  'upstream-failed': { status: 502, message: 'the upstream connection failed' },
  'shutdown': { status: 503, message: 'the router is shutting down' },
  'reservation-lost': { status: 503, message: 'the reservation of this request is no longer valid' },
  'header-timeout': { status: 504, message: 'the upstream did not start to answer in time' },
  'read-timeout': { status: 504, message: 'the upstream went silent' },
  'progress-timeout': { status: 504, message: 'the upstream made no progress' },
  'send-timeout': { status: 504, message: 'the client did not take the answer' },
  'lifetime-exceeded': { status: 504, message: 'the request exceeded its maximum lifetime' },
  'age-exceeded': { status: 504, message: 'the reservation exceeded its maximum age' },
};
