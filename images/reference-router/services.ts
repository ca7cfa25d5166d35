// What every part of the router works with.
import type { Behaviour } from './behaviour.ts';
import type { Config } from './config.ts';
import type { OpenUpstream } from './http/upstream.ts';
import type { Live } from './live.ts';
import type { Ledger } from './ledger/client.ts';
import type { Log } from './log.ts';
import type { Settlements } from './settlements.ts';
import type { Slots } from './slots.ts';

export type Services = {
  /** Names this process in rows and logs. */
  readonly instance: string;
  readonly config: Config;
  readonly behaviour: Behaviour;
  readonly ledger: Ledger;
  readonly settlements: Settlements;
  readonly live: Live;
  readonly slots: Slots;
  readonly openUpstream: OpenUpstream;
  readonly log: Log;
};
