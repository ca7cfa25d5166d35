// The client's own name for its request, by which it is known in the ledger, in logs and upstream.
import { isText, memberOf } from '../shapes/json.ts';
import type { Json } from '../shapes/json.ts';

const LIMIT = 256;

/** Where the APIs that are served have it: `user`, `metadata.user_id`, `metadata.marker`. */
export const markerOf = (body: Json): string | null => {
  const metadata = memberOf(body, 'metadata');
  return [body['user'], metadata?.['user_id'], metadata?.['marker']].find(isText)?.slice(0, LIMIT) ?? null;
};
