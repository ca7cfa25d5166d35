// Packets of a stage, as tcpdump sees them on its one device. What is alike on both runtimes: its words, its limits, and
// a file that ends with a whole packet.
import { open } from 'node:fs/promises';

export type CapturePlan = {
  /** Written while it happens; it must not exist. */
  readonly file: string;
  /** Nothing is captured beyond it. */
  readonly limitBytes: number;
};

export type Captured = {
  readonly bytes: number;
  readonly isCut: boolean;
  /** What tcpdump said at its end: how many packets it saw, and how many it missed. */
  readonly words: string;
  /** What came last may be missing, and nobody knows since when. */
  readonly isBroken?: boolean;
};

export type Capture = {
  /** Resolves when all that was seen is in the file. */
  readonly stop: () => Promise<Captured>;
};

/** Far more than the link's own: on `lo` the kernel hands on several segments as one packet. */
const SNAPSHOT_BYTES = 65_535;
/** The kernel's buffer has room for as many packets as largest ones fit into it: on a busy machine they come in bursts. */
const BUFFER_KIBIBYTES = 16 * 1024;

/** Each packet is handed on when it comes, and names are never asked for. */
export const TCPDUMP = ['tcpdump', '-i', 'lo', '-n', '-U', '--immediate-mode', '-s', String(SNAPSHOT_BYTES), '-B', String(BUFFER_KIBIBYTES), '-w', '-'] as const;

/** How tcpdump says that it has begun; before that packets may pass unseen. */
export const hasBegun = (words: string): boolean => words.includes('listening on lo');

/** The line that says why it did not begin. */
export const reasonIn = (words: string): string =>
  words.split('\n').map((line) => line.replace(/^tcpdump: /, '').trim()).find((line) => line !== '' && !line.startsWith('listening on')) ?? 'it said nothing';

/** `12 packets captured, 0 packets dropped by kernel`. */
export const countsIn = (words: string): string => (words.match(/\d+ packets? (?:captured|dropped by kernel)/g) ?? []).join(', ');

const FILE_HEAD_BYTES = 24;
const PACKET_HEAD_BYTES = 16;
const BLOCK_BYTES = 1024 * 1024;

/**
 * Cuts off what is left of a packet that was being written, so that readers have nothing to complain of.
 * Format: pcap-savefile(5), in this machine's own byte order.
 * @returns the file's length, bytes
 */
export const endWithWholePacket = async (path: string): Promise<number> => {
  await using file = await open(path, 'r+');
  const { size } = await file.stat();
  if (size < FILE_HEAD_BYTES) return size;
  const block = Buffer.alloc(BLOCK_BYTES);
  let from = 0;
  let held = 0;
  let whole = FILE_HEAD_BYTES;
  while (whole + PACKET_HEAD_BYTES <= size) {
    if (whole < from || whole + PACKET_HEAD_BYTES > from + held) {
      from = whole;
      held = (await file.read(block, 0, BLOCK_BYTES, from)).bytesRead;
    }
    const next = whole + PACKET_HEAD_BYTES + block.readUInt32LE(whole - from + 8);
    if (next > size) break;
    whole = next;
  }
  if (whole < size) await file.truncate(whole);
  return whole;
};
