// All upstreams of one process, by name: what the commands do, without the protocol around them.
// The benchmark and the playground use it in process.
import type { Emit } from '../harness/model/actor.ts';
import type { Options } from '../harness/model/fields.ts';
import { readBehaviour } from './choice.ts';
import type { Behaviour } from './choice.ts';
import { createControl } from './control.ts';
import type { Control } from './control.ts';
import { DEFAULT_LIMITS } from './http/parser.ts';
import type { Limits } from './http/parser.ts';
import { admitAll, finishExchanges, refuseAll, resetExchanges, stopUpstream } from './harm.ts';
import type { Which } from './harm.ts';
import { createLedger } from './ledger.ts';
import { commandError, unknownError } from './options.ts';
import { whyNotIn } from './shapes/applies.ts';
import { shapes } from './shapes/registry.ts';
import type { ShapeDefinition } from './shapes/shape.ts';
import { openUpstream } from './upstream.ts';
import type { Upstream } from './upstream.ts';

/** A behaviour by name; options parsed (ms, bytes) or as in YAML; defaults are filled in. */
export type Named = { readonly kind: string; readonly options?: Options };

export type Listen = {
  readonly upstream: string;
  readonly address: string;
  /** 0: any. */
  readonly port: number;
  readonly behaviour: Named;
  /** Absent: that of each request's path. */
  readonly shape?: string;
  readonly onFin?: 'continue' | 'close';
};

export type Upstreams = {
  /** @throws Error with a code: name in use, unknown behaviour or shape, or what the kernel says of the address */
  readonly listen: (plan: Listen) => Promise<{ readonly port: number }>;
  /** Promises a behaviour to the exchanges of one marker. */
  readonly expect: (upstream: string, marker: string, behaviour: Named) => void;
  readonly finish: (upstream: string, which?: Which) => { readonly count: number };
  /** Resets connections with an open exchange. Resolves when their ends have been told. */
  readonly reset: (upstream: string, which?: Which) => Promise<{ readonly count: number }>;
  /** Closes the listener, until `admit` opens it again; what is open goes on. @throws Error `not-listening` */
  readonly refuse: (upstream: string) => void;
  /** @throws Error `not-refusing` */
  readonly admit: (upstream: string) => Promise<void>;
  /** Resolves when every connection's end has been told. The name stays, and may listen again. */
  readonly stop: (upstream: string) => Promise<{ readonly count: number }>;
  /** Stops it, if it was not stopped, and forgets the name. */
  readonly close: (upstream: string) => Promise<{ readonly count: number }>;
  readonly control: Control;
  /** Hands on the facts that were noted so far; they come by themselves within a few ms. */
  readonly flush: () => void;
  readonly closeAll: () => Promise<void>;
};

const shapeNamed = (kind: string | undefined): ShapeDefinition | null => {
  if (kind === undefined) return null;
  const shape = shapes.get(kind);
  if (!shape) throw unknownError('shape', kind, shapes.kinds);
  return shape;
};

/** @throws Error with code `bad-behaviour` where the shape cannot carry it */
const fitting = (shape: ShapeDefinition | null, behaviour: Behaviour): Behaviour => {
  const why = shape && whyNotIn(shape, behaviour.definition);
  if (why !== null) throw commandError('bad-behaviour', why);
  return behaviour;
};

/** @param emit takes the facts, signed `upstream.<name>` */
export const createUpstreams = (emit: Emit, limits: Limits = DEFAULT_LIMITS): Upstreams => {
  const ledger = createLedger(emit);
  const control = createControl();
  const byName = new Map<string, Upstream>();
  const opening = new Set<string>();

  const named = (name: string): Upstream => {
    const upstream = byName.get(name);
    if (!upstream) throw unknownError('upstream', name, [...byName.keys()]);
    return upstream;
  };

  const stop = async (name: string): Promise<{ readonly count: number }> => {
    const count = await stopUpstream(named(name));
    ledger.flush();
    return { count };
  };

  const close: Upstreams['close'] = async (name) => {
    const stopped = await stop(name);
    byName.delete(name);
    return stopped;
  };

  return {
    control,
    flush: ledger.flush,
    stop,
    close,
    listen: async ({ upstream: name, address, port, behaviour, shape: kind, onFin = 'continue' }) => {
      const shape = shapeNamed(kind);
      if (byName.get(name)?.server || opening.has(name)) throw commandError('name-in-use', `upstream ${name} listens already`);
      const plan = { name, ledger, shape, onFin, limits, behaviour: fitting(shape, readBehaviour(behaviour)) };
      opening.add(name);
      try {
        const upstream = await openUpstream(plan, address, port, byName.get(name));
        byName.set(name, upstream);
        return { port: upstream.port };
      } finally {
        opening.delete(name);
      }
    },
    expect: (name, marker, behaviour) => {
      const read = fitting(named(name).shape, readBehaviour(behaviour));
      if (read.definition.listens === false) throw commandError('bad-behaviour', `no exchange can be ${read.kind}: it accepts nothing`);
      named(name).expected.set(marker, read);
    },
    finish: (name, which = {}) => {
      const count = finishExchanges(named(name), which);
      ledger.flush();
      return { count };
    },
    reset: async (name, which = {}) => {
      const count = await resetExchanges(named(name), which);
      ledger.flush();
      return { count };
    },
    refuse: (name) => {
      refuseAll(named(name));
      ledger.flush();
    },
    admit: async (name) => {
      await admitAll(named(name));
      ledger.flush();
    },
    closeAll: async () => {
      await Promise.all([...byName.keys()].map(close));
      control.close();
    },
  };
};
