// Socket samples for people: one line for each change of a socket, not for each sample. The samples
// themselves are in the timeline; this is what one would otherwise make of them by hand.
import type { ObservationOf } from '../model/observation.ts';
import type { SocketRow } from '../model/samples.ts';

export const SOCKET_COLUMNS = ['atMs', 'local', 'remote', 'state', 'sendQueue', 'receiveQueue', 'inode'] as const;

const keyOf = (row: SocketRow): string => `${row.local}\t${row.remote}`;

/** Returns a function that gives the lines (tab-separated, with line ends) that a sample adds. */
export const createSocketTable = (): ((sample: ObservationOf<'sample'>) => string) => {
  let before = new Map<string, string>();
  return (sample) => {
    if (sample.probe !== 'sockets') return '';
    if (!sample.value) {
      // After a sample that failed nothing is known: what is there next is written again.
      before = new Map();
      return `${sample.atMs}\t-\t-\tnot-seen\t-\t-\t-\n`;
    }
    const now = new Map(sample.value.rows.map((row) => [keyOf(row), `${row.state}\t${row.sendQueue}\t${row.receiveQueue}\t${row.inode}`]));
    const changed = [...now].filter(([key, rest]) => before.get(key) !== rest).map(([key, rest]) => `${sample.atMs}\t${key}\t${rest}\n`);
    const gone = [...before.keys()].filter((key) => !now.has(key)).map((key) => `${sample.atMs}\t${key}\tgone\t-\t-\t-\n`);
    before = now;
    return [...changed, ...gone].join('');
  };
};
