// What the tests of this folder share: upstreams whose facts are kept, raw peers on real sockets,
// and waiting for a condition with a message that says what was awaited.
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { Emit } from '../harness/model/actor.ts';
import type { Fact, FactOf, FactType } from '../harness/model/observation.ts';
import { nowMs } from '../harness/model/time.ts';
import type { BehaviourDefinition, Instruction } from './behaviour.ts';
import { DEFAULT_LIMITS } from './http/parser.ts';
import type { Limits } from './http/parser.ts';
import { createLedger } from './ledger.ts';
import { shapes } from './shapes/registry.ts';
import { stopUpstream } from './harm.ts';
import { openUpstream } from './upstream.ts';
import type { Upstream } from './upstream.ts';
import { createUpstreams } from './upstreams.ts';
import type { Listen, Upstreams } from './upstreams.ts';

export type Told = Fact & { readonly atMs: number };

export type Facts = {
  readonly all: readonly Told[];
  readonly of: <T extends FactType>(type: T) => readonly (FactOf<T> & { readonly atMs: number })[];
  /** Waits until so many facts of a type have been told. @returns the last of them */
  readonly await: <T extends FactType>(type: T, count?: number) => Promise<FactOf<T> & { readonly atMs: number }>;
};

/** Polls until `look` returns something. @throws Error naming `what` after 15 s */
export const until = async <T>(what: string, look: () => T | undefined | false): Promise<T> => {
  const endMs = nowMs() + 15_000;
  for (;;) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    if (nowMs() > endMs) throw new Error(`awaited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
};

type Kept = Facts & { readonly take: Emit; flushFirst: () => void };

/** Whoever looks has everything handed on first that was noted until then. */
const createFacts = (): Kept => {
  const all: Told[] = [];
  const of: Facts['of'] = (type) => facts.all.filter((fact) => fact.type === type) as never;
  const facts: Kept = {
    flushFirst: () => undefined,
    get all() {
      facts.flushFirst();
      return all;
    },
    of,
    await: (type, count = 1) => until(`${count} facts ${type}`, () => of(type)[count - 1]),
    take: (_actor, fact, atMs = nowMs()) => void all.push({ ...fact, atMs }),
  };
  return facts;
};

export type Started = { readonly upstreams: Upstreams; readonly facts: Facts; readonly port: number } & AsyncDisposable;

/** Upstreams with one of them, `model`, listening. */
export const start = async (kind: string, options = {}, extra: Partial<Listen> = {}, limits: Limits = DEFAULT_LIMITS): Promise<Started> => {
  const facts = createFacts();
  const upstreams = createUpstreams(facts.take, limits);
  facts.flushFirst = upstreams.flush;
  const plan = { upstream: 'model', address: '127.0.0.1', port: 0, behaviour: { kind, options }, ...extra };
  const { port } = await upstreams.listen(plan);
  return { upstreams, facts, port, [Symbol.asyncDispose]: () => upstreams.closeAll() };
};

export type Running = { readonly upstream: Upstream; readonly facts: Facts; readonly port: number } & AsyncDisposable;

/** One upstream that runs a program of the test's own. */
export const startProgram = async (program: readonly Instruction[]): Promise<Running> => {
  const facts = createFacts();
  const definition: BehaviourDefinition = { kind: 'custom', about: '', fields: { options: {} }, example: null, program: () => program };
  const behaviour = { kind: 'custom', definition, program };
  const shape = shapes.get('openai-chat')!;
  const ledger = createLedger(facts.take);
  facts.flushFirst = ledger.flush;
  const plan = { name: 'model', ledger, shape, onFin: 'continue', limits: DEFAULT_LIMITS, behaviour } as const;
  const upstream = await openUpstream(plan, '127.0.0.1', 0);
  return { upstream, facts, port: upstream.port, [Symbol.asyncDispose]: async () => void (await stopUpstream(upstream)) };
};

export type Peer = {
  readonly socket: Socket;
  /** Everything received so far, one character a byte. */
  readonly text: () => string;
  readonly awaitText: (what: string) => Promise<string>;
  /** How the upstream ended its direction, as far as it has. */
  readonly ended: () => 'fin' | 'rst' | null;
  readonly awaitEnd: () => Promise<'fin' | 'rst'>;
};

/** A raw connection. It keeps its own direction open when the upstream ends (`allowHalfOpen`). */
export const openPeer = (port: number, sends = ''): Peer => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let text = '';
  let ended: 'fin' | 'rst' | null = null;
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  socket.on('end', () => {
    // An end that was read may be a RST that came together with data: the error then follows at once.
    if (!socket.writableEnded) socket.write('');
    setImmediate(() => (ended ??= 'fin'));
  });
  socket.on('error', () => (ended = 'rst'));
  if (sends !== '') socket.write(sends, 'latin1');
  return {
    socket,
    text: () => text,
    awaitText: (what) => until(`text ${JSON.stringify(what)} in ${JSON.stringify(text.slice(-200))}`, () => text.includes(what) && text),
    ended: () => ended,
    awaitEnd: () => until('the upstream ends the connection', () => ended ?? undefined),
  };
};

export const MARKER = 'hx.alice.1.9f3a01bc';
export const OTHER_MARKER = 'hx.bob.2.00aa11ff';

/** A chat request as it goes over the wire. */
export const chat = (body: object = { user: MARKER }, extra = ''): string => {
  const text = JSON.stringify({ model: 'gpt-test', stream: true, messages: [], ...body });
  return `POST /v1/chat/completions HTTP/1.1\r\nhost: model\r\n${extra}content-length: ${text.length}\r\n\r\n${text}`;
};

/** The content of the first chunked body in a received text, as far as it came; says whether it was complete. */
export const chunkedBody = (text: string): { readonly body: string; readonly complete: boolean; readonly rest: string } => {
  let at = text.indexOf('\r\n\r\n') + 4;
  let body = '';
  for (;;) {
    const end = text.indexOf('\r\n', at);
    if (end < 0) return { body, complete: false, rest: text.slice(at) };
    const size = Number.parseInt(text.slice(at, end), 16);
    if (size === 0) return { body, complete: text.startsWith('\r\n', end + 2), rest: text.slice(end + 4) };
    body += text.slice(end + 2, end + 2 + size);
    at = end + 2 + size + 2;
  }
};

/** The numbers of the data events in a body of server-sent events, in order. */
export const eventNumbers = (body: string, marker = MARKER): readonly number[] =>
  [...body.matchAll(new RegExp(`"content":"${marker} (\\d+) `, 'g'))].map((match) => Number(match[1]));
