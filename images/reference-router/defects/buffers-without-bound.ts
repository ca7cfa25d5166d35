// The return value of write is not looked at. It stops at a size that shows, but that the machine
// which shows it survives.
import type { Defect } from './defect.ts';

const LIMIT_BYTES = 256 * 1_048_576;

export const defect: Defect = {
  name: 'buffers-without-bound',
  about: 'the upstream is read as fast as it sends, whether the client takes it or not',
  apply: (behaviour) => ({ ...behaviour, waitsForClient: (pendingBytes) => pendingBytes > LIMIT_BYTES }),
};
