// Rows of many runs put together: one thing said of each leave, and how many runs said it.
import { LEAVES, STATES } from './seen.ts';
import type { Row, Said } from './seen.ts';

/** By `http`, uvicorn, Starlette, state and leave. */
export type Seen = By<By<By<Pair>>>;
/** By state and leave. */
export type Pair = By<By<Said>>;
type By<T> = Readonly<Record<string, T>>;

/** What runs agree on. One that could not judge does not outvote those that could. */
export const together = (said: readonly Said[]): Said => {
  const judged = new Set(said.filter((each) => each !== 'open'));
  if (judged.size === 0) return 'open';
  return judged.size === 1 ? [...judged][0]! : 'differs';
};

const compareVersions = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

const grouped = <T>(rows: readonly Row[], keyOf: (row: Row) => string, inner: (rows: readonly Row[]) => T): Record<string, T> =>
  Object.fromEntries([...Map.groupBy(rows, keyOf)].sort(([a], [b]) => compareVersions(a, b)).map(([key, own]) => [key, inner(own)]));

const inOrder = <T>(record: Record<string, T>, order: readonly string[]): Record<string, T> =>
  Object.fromEntries(order.flatMap((key) => (record[key] === undefined ? [] : [[key, record[key]]])));

export const seenOf = (rows: readonly Row[]): Seen =>
  grouped(rows, ({ http }) => http, (ofHttp) =>
    grouped(ofHttp, ({ uvicorn }) => uvicorn, (ofServer) =>
      grouped(ofServer, ({ starlette }) => starlette, (ofPair) =>
        inOrder(grouped(ofPair, ({ state }) => state, (ofState) =>
          inOrder(grouped(ofState, ({ leave }) => leave, (same) => together(same.map(({ said }) => said))), LEAVES)), STATES))));
