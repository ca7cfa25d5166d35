// Runs a behaviour's program on one exchange: the only place that knows what an instruction does.
// It goes on until something must be waited for, and never writes while the kernel has not taken
// what was written before.
import type { Instruction } from './behaviour.ts';
import { blockFor, fillBlock, roomIn } from './block.ts';
import { endExchange, frameOf } from './exchange.ts';
import type { Exchange, Frame } from './exchange.ts';
import { bytesOf } from './http/answer.ts';
import { addBody, addEnd, addHead, flush, hand, openBody } from './output.ts';
import { JSON_DOCUMENT, renderEvent } from './shapes/text.ts';

/** A turn ends after so many bytes or instructions, so that one fast stream leaves the others their share. */
const TURN_BYTES = 256 * 1024;
const TURN_STEPS = 2_000;
const PIECE_BYTES = 16 * 1024;

const FINISH: readonly Instruction[] = [{ do: 'finish' }];
const FULL_END: readonly Instruction[] = [{ do: 'usage' }, { do: 'end-mark' }, { do: 'finish' }];

/** Ended, waiting for the kernel, or on a socket that has broken: whose error event, not the program, then ends it. */
const mustStop = ({ ended, blockedSinceMs, link }: Exchange): boolean =>
  ended || blockedSinceMs > 0 || link.socket.errored !== null || link.socket.destroyed;

/** The list that is being run, after leaving those that are done; null at the program's end. */
const currentFrame = (exchange: Exchange): Frame | null => {
  for (let { frame } = exchange; frame; frame = exchange.frame) {
    if (frame.index < frame.list.length) return frame;
    frame.index = 0;
    frame.left -= 1;
    if (frame.list.length > 0 && frame.left > 0 && exchange.bytes < frame.stopAtBytes) return frame;
    exchange.frame = frame.outer;
  }
  return null;
};

const writeHead = (exchange: Exchange, instruction: Extract<Instruction, { do: 'head' }>, frame: Frame): void => {
  if (exchange.framing !== 'none') return;
  const next = frame.list[frame.index];
  const bodyBytes = next?.do === 'body' ? bytesOf(next.text).length : null;
  addHead(exchange, instruction.status, instruction.headers ?? {}, bodyBytes);
  // An answer to HEAD is its head; what a GET would be sent afterwards is not.
  if (exchange.bodyless) exchange.frame = frameOf(FINISH);
};

const writeEvent = (exchange: Exchange, bytes: number | undefined): void => {
  if (exchange.messageEnded) return;
  openBody(exchange);
  exchange.events += 1;
  addBody(exchange, renderEvent(exchange.format.event(exchange, bytes), exchange.events));
};

const writeComment = (exchange: Exchange, text: string): void => {
  const { comment } = exchange.format;
  if (comment === null || exchange.messageEnded) return;
  exchange.comments += 1;
  addBody(exchange, comment(bytesOf(text), exchange));
};

const writeUsage = (exchange: Exchange): void => {
  const { usage } = exchange.format;
  if (usage === null || exchange.messageEnded) return;
  exchange.usage = exchange.events;
  addBody(exchange, usage(exchange, exchange.events));
};

const writeError = (exchange: Exchange, status: number): void => {
  if (exchange.framing !== 'none') return;
  const text = bytesOf(exchange.shape.error(status));
  addHead(exchange, status, { 'content-type': JSON_DOCUMENT }, text.length);
  addBody(exchange, text);
};

const startRepeat = (exchange: Exchange, { times, body, atMostBytes }: Extract<Instruction, { do: 'repeat' }>): void => {
  const left = times === 'forever' ? Infinity : times;
  if (left > 0) exchange.frame = frameOf(body, left, exchange.bytes + (atMostBytes ?? Infinity), exchange.frame);
};

const startWait = (exchange: Exchange, ms: number): void => {
  exchange.timer = setTimeout(() => {
    exchange.timer = null;
    run(exchange);
  }, ms);
};

/** Does one instruction. @returns false where something must be waited for */
const execute = (exchange: Exchange, instruction: Instruction, frame: Frame): boolean => {
  switch (instruction.do) {
    case 'head':
      writeHead(exchange, instruction, frame);
      return true;
    case 'event':
      writeEvent(exchange, instruction.bytes);
      return true;
    case 'comment':
      writeComment(exchange, instruction.text);
      return true;
    case 'usage':
      writeUsage(exchange);
      return true;
    case 'end-mark':
      exchange.endMarked = true;
      addBody(exchange, exchange.format.endMark(exchange, exchange));
      return true;
    case 'raw':
      // As it is, one character a byte, past all framing: for what a well-made message cannot say.
      exchange.bytes += instruction.bytes.length;
      exchange.pending += instruction.bytes;
      return true;
    case 'body':
      addBody(exchange, bytesOf(instruction.text));
      return true;
    case 'error':
      writeError(exchange, instruction.status);
      return true;
    case 'finish':
      addEnd(exchange);
      return true;
    case 'repeat':
      startRepeat(exchange, instruction);
      return true;
    case 'wait':
      flush(exchange);
      startWait(exchange, instruction.ms);
      return false;
    case 'wait-forever':
      frame.index -= 1;
      return false;
    case 'close':
      frame.index -= 1;
      return closeAsTold(exchange, instruction.how);
  }
};

const closeAsTold = (exchange: Exchange, how: Extract<Instruction, { do: 'close' }>['how']): false => {
  flush(exchange);
  // A reset would throw away what the kernel has not taken yet: the close comes after it.
  if (how === 'never' || mustStop(exchange)) return false;
  endExchange(exchange, exchange.messageEnded ? 'complete' : 'cut', exchange.by);
  exchange.link.upstream.closeLink(exchange.link, how);
  return false;
};

/** Writes a block of events where the program repeats nothing but one event. @returns the bytes handed over */
const writeBlock = (exchange: Exchange, frame: Frame, event: Extract<Instruction, { do: 'event' }>): number => {
  openBody(exchange);
  flush(exchange);
  if (mustStop(exchange)) return 0;
  const first = exchange.events + 1;
  const block = blockFor(exchange.block, () => exchange.format.event(exchange, event.bytes), first, exchange.framing === 'chunked');
  const toLimit = Math.max(1, Math.ceil((frame.stopAtBytes - exchange.bytes) / block.eventBytes));
  const count = Math.min(roomIn(block, first), frame.left, toLimit);
  exchange.block = block;
  exchange.events += count;
  exchange.bytes += count * block.eventBytes;
  // The last of these rounds is counted where the frame is left.
  frame.left -= count - 1;
  frame.index = 1;
  hand(exchange, fillBlock(block, first, count));
  return count * block.frameBytes;
};

const isFlood = (frame: Frame): boolean => frame.list.length === 1 && frame.list[0]!.do === 'event' && frame.left > 1;

/** The program has run out: its message is ended if it was not, and the connection may serve the next request. */
const conclude = (exchange: Exchange): void => {
  if (!exchange.messageEnded) {
    if (exchange.framing === 'none') addHead(exchange, 200, {}, null);
    addEnd(exchange);
    flush(exchange);
    if (mustStop(exchange)) return;
  }
  endExchange(exchange, 'complete', exchange.by);
  exchange.link.upstream.answered(exchange.link, exchange.keepAlive);
};

/** Goes on with the program until it waits, is blocked, has had its turn, or is done. */
export const run = (exchange: Exchange): void => {
  let bytes = 0;
  for (let steps = 0; steps < TURN_STEPS && bytes < TURN_BYTES; steps += 1) {
    if (exchange.pending.length > PIECE_BYTES) {
      bytes += exchange.pending.length;
      flush(exchange);
    }
    if (exchange.timer || mustStop(exchange)) return;
    const frame = currentFrame(exchange);
    if (!frame) {
      flush(exchange);
      if (!mustStop(exchange)) conclude(exchange);
      return;
    }
    const instruction = frame.list[frame.index]!;
    if (instruction.do === 'event' && isFlood(frame) && !exchange.messageEnded) {
      bytes += writeBlock(exchange, frame, instruction);
      continue;
    }
    frame.index += 1;
    if (!execute(exchange, instruction, frame)) return flush(exchange);
  }
  flush(exchange);
  if (!mustStop(exchange)) exchange.link.upstream.turns.add(exchange);
};

/**
 * Lets an open exchange end well whatever it was doing: usage, end mark and end of the message, as
 * far as they were not written already.
 */
export const finishNow = (exchange: Exchange): void => {
  if (exchange.timer) clearTimeout(exchange.timer);
  exchange.timer = null;
  exchange.by = 'fault';
  const rest = exchange.framing === 'length' ? FINISH : FULL_END.filter((instruction) =>
    (instruction.do !== 'usage' || exchange.usage === null) && (instruction.do !== 'end-mark' || !exchange.endMarked));
  const head: readonly Instruction[] = exchange.framing === 'none' ? [{ do: 'head', status: 200 }] : [];
  exchange.frame = frameOf([...head, ...rest]);
  run(exchange);
};
