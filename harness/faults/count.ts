// What the upstreams' process answers to `finish` and `stop`.

/** @throws Error when the answer is not `{ count }`: then it is not known that anything was done */
export const countOf = (answer: unknown): number => {
  const count = (answer as { count?: unknown } | null)?.count;
  if (typeof count !== 'number') throw new Error(`the upstream did not say how much it did: ${JSON.stringify(answer)}`);
  return count;
};
