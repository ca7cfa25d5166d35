// For the tests beside it: what a fault is given, where each part that a test does not name refuses.
import { onTestFinished } from 'vitest';
import { createUpstreams } from '../../upstreams/upstreams.ts';
import type { Upstreams } from '../../upstreams/upstreams.ts';
import type { Facts } from '../model/facts.ts';
import { createLiveTimeline } from '../model/live.ts';
import type { FaultContext } from './fault.ts';
import { faults } from './registry.ts';

const refuse = (what: string) => () => Promise.reject(new Error(`${what} is not part of this test`));

export const createContext = (over: Partial<FaultContext> = {}): FaultContext => ({
  facts: {
    system: { listen: '', address: '', main: 'router', instances: [] },
    ledger: { hasReservations: true, hasCharges: true },
  } as unknown as Facts,
  timeline: createLiveTimeline(() => {}),
  signalSystem: refuse('signalSystem'),
  upstream: refuse('upstream'),
  writeLedger: refuse('writeLedger'),
  endSystem: refuse('endSystem'),
  startSystem: refuse('startSystem'),
  beside: refuse('beside'),
  cutAddress: refuse('cutAddress'),
  healAddress: refuse('healAddress'),
  ledgerPath: null,
  signal: new AbortController().signal,
  accountOf: (client) => (client === 'alice' ? 'account-1' : null),
  ...over,
});

export const fire = (kind: string, context: FaultContext, options: object): Promise<string> =>
  faults.get(kind)!.fire(context, options as never);

export type Model = { readonly upstreams: Upstreams; readonly port: number; readonly context: FaultContext };

/** A real upstream `model` that streams, and the command that reaches it. Its facts are in the context's timeline. */
export const startModel = async (over: Partial<FaultContext> = {}): Promise<Model> => {
  const timeline = createLiveTimeline(() => {});
  const upstreams = createUpstreams((actor, fact) => void timeline.note(fact, actor));
  onTestFinished(() => upstreams.closeAll());
  const listen = { upstream: 'model', address: '127.0.0.1', port: 0, behaviour: { kind: 'endless', options: { every: '10ms' } } };
  const { port } = await upstreams.listen(listen);
  const does: Readonly<Record<string, (name: string, options: object) => unknown>> = {
    finish: upstreams.finish, reset: upstreams.reset, stop: upstreams.stop, refuse: upstreams.refuse, admit: upstreams.admit,
  };
  const upstream: FaultContext['upstream'] = async (command, name, options = {}) => does[command]!(name, options);
  return { upstreams, port, context: createContext({ timeline, upstream, ...over }) };
};
