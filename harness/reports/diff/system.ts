// What changed around the books between two looks: sockets of the system, its processes, and the fields of its status page.
import type { HttpValue, ProcessValue, SocketRow, SocketsValue } from '../../model/samples.ts';
import type { Pair } from './ledger.ts';

/** `id` is `local remote`. */
export type SocketsDiff = { readonly sockets: readonly Pair<SocketRow>[] };

export type ProcessDiff = {
  readonly alive: readonly Pair<boolean>[];
  readonly appeared: readonly number[];
  readonly gone: readonly number[];
  readonly rssBytes: { readonly from: number; readonly to: number };
  /** Null where it was not asked for. */
  readonly fileBytes: { readonly from: number; readonly to: number } | null;
};

export type HttpDiff = { readonly status: { readonly from: number; readonly to: number }; readonly fields: readonly Pair<unknown>[] };

const bySocket = ({ rows }: SocketsValue): ReadonlyMap<string, SocketRow> => new Map(rows.map((row) => [`${row.local} ${row.remote}`, row]));

const changed = <T>(from: ReadonlyMap<string, T>, to: ReadonlyMap<string, T>): readonly Pair<T>[] =>
  [...new Set([...from.keys(), ...to.keys()])]
    .map((id) => ({ id, from: from.get(id) ?? null, to: to.get(id) ?? null }))
    .filter((pair) => JSON.stringify(pair.from) !== JSON.stringify(pair.to));

export const diffSockets = (from: SocketsValue, to: SocketsValue): SocketsDiff => ({ sockets: changed(bySocket(from), bySocket(to)) });

export const diffProcess = (from: ProcessValue, to: ProcessValue): ProcessDiff => ({
  alive: changed(new Map(Object.entries(from.alive)), new Map(Object.entries(to.alive))),
  appeared: to.pids.filter((pid) => !from.pids.includes(pid)),
  gone: from.pids.filter((pid) => !to.pids.includes(pid)),
  rssBytes: { from: from.rssBytes, to: to.rssBytes },
  fileBytes: from.fileBytes === undefined || to.fileBytes === undefined ? null : { from: from.fileBytes, to: to.fileBytes },
});

export const diffHttp = (from: HttpValue, to: HttpValue): HttpDiff => ({
  status: { from: from.status, to: to.status },
  fields: changed(new Map(Object.entries(from.fields)), new Map(Object.entries(to.fields))),
});
