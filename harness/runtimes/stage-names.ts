// Who is asked for inside a stage: a name server that knows nobody. A stage has no way out, so a name that
// is not in its hosts file is that of somebody outside, and the system wanted something of them.
import { createSocket } from 'node:dgram';
import type { RemoteInfo, Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { messageOf } from '../model/problem.ts';
import { nowMs } from '../model/time.ts';

/** Where resolv.conf of a stage points to. */
export const NAME_SERVER = { address: '127.0.0.1', port: 53 } as const;

const HEADER_BYTES = 12;
/** Response, recursion available, no such name (RFC 1035, 4.1.1). */
const NO_SUCH_NAME = 0x8083;
/** One lookup asks for both families, and perhaps twice: that is one call. */
const SAME_CALL_MS = 1_000;

export type Question = { readonly name: string; /** Just behind it. */ readonly endByte: number };

/** The first question of a query, in lower case without the last dot. @returns null where it is none */
export const questionOf = (query: Buffer): Question | null => {
  if (query.length < HEADER_BYTES || (query[2]! & 0x80) !== 0 || query.readUInt16BE(4) === 0) return null;
  const labels: string[] = [];
  let at = HEADER_BYTES;
  while (at < query.length && query[at] !== 0) {
    const length = query[at]!;
    // No label is longer, and nothing points to what came before: there was nothing.
    if (length > 63 || at + 1 + length >= query.length) return null;
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return at + 5 > query.length ? null : { name: labels.join('.').toLowerCase(), endByte: at + 5 };
};

/** The answer that there is no such name. */
export const refusalOf = (query: Buffer, { endByte }: Question): Buffer => {
  const answer = Buffer.from(query.subarray(0, endByte));
  answer.writeUInt16BE(NO_SUCH_NAME | (query.readUInt16BE(2) & 0x7900), 2);
  answer.writeUInt16BE(1, 4);
  answer.fill(0, 6, HEADER_BYTES);
  return answer;
};

/** Below which a resolver asks for a name of one word as well: resolv.conf(5), `search` or `domain`, else what follows the first dot of the machine's own. */
export const searchedDomains = (resolvConf: string, machine: string): readonly string[] => {
  const words = resolvConf.split('\n').map((line) => line.trim().toLowerCase().split(/\s+/));
  const [, ...named] = words.findLast(([key]) => key === 'search' || key === 'domain') ?? [];
  const own = machine.toLowerCase().split('.').slice(1).join('.');
  return (named.length > 0 ? named : [own]).map((domain) => domain.replace(/\.$/, '')).filter((domain) => domain !== '');
};

const resolvConfHere = (): string => {
  try {
    return readFileSync('/etc/resolv.conf', 'utf8');
  } catch {
    return '';
  }
};

/** The stage's own machine, and who stands behind an address of it, are nobody outside. */
const outsideOf = (resolvConf: string, machine: string): ((name: string) => boolean) => {
  const own = machine.toLowerCase();
  const here = new Set(['', 'localhost', own, ...searchedDomains(resolvConf, machine).map((domain) => `${own}.${domain}`)]);
  return (name) => !here.has(name) && !name.endsWith('.localhost') && !name.endsWith('.arpa');
};

/**
 * Listens until the stage ends.
 * @param onAsked is told of each outside name, once a call
 * @param resolvConf what a resolver here goes by
 * @returns why it cannot be told who is asked for, or null
 */
export const refuseNames = async (
  onAsked: (name: string) => void,
  at: { readonly address: string; readonly port: number } = NAME_SERVER,
  resolvConf = resolvConfHere(),
): Promise<string | null> => {
  const isOutside = outsideOf(resolvConf, hostname());
  const askedMs = new Map<string, number>();
  const socket: Socket = createSocket('udp4');
  socket.on('message', (query: Buffer, from: RemoteInfo) => {
    const question = questionOf(query);
    if (!question) return;
    socket.send(refusalOf(query, question), from.port, from.address);
    const now = nowMs();
    const isNew = now - (askedMs.get(question.name) ?? -Infinity) > SAME_CALL_MS;
    askedMs.set(question.name, now);
    if (isNew && isOutside(question.name)) onAsked(question.name);
  });
  try {
    socket.bind(at.port, at.address);
    await once(socket, 'listening');
    socket.on('error', () => {});
    socket.unref();
    return null;
  } catch (error) {
    return messageOf(error);
  }
};
