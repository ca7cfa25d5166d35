// The standard streams of a stage's container, wired to the protocol. They come over a connection that may be cut, or dropped without
// a sign: then the record ends where something was heard last, whenever that is noticed.
import type { Engine } from './docker.ts';
import { watchHeard } from './docker-heard.ts';
import type { ExitWatch } from './exit-watch.ts';
import { createLink } from './link.ts';
import type { Link } from './link.ts';
import type { StagePlan } from './runtime.ts';
import { createStageFacts } from './stage-facts.ts';
import type { StageFacts } from './stage-facts.ts';

const LAST_WORDS_BYTES = 2_000;
/** A host that is there answers at once. */
const ANSWER_LIMIT_MS = 3_000;

export type Wired = {
  readonly link: Link;
  readonly facts: StageFacts;
  /** Before it is ended: where the host does not answer any more, what was heard of it ends with what was heard last. */
  readonly hearOut: () => Promise<void>;
};

/** Its systems are containers of their own: the actors' end, or of what is heard of them, is not theirs. The engine says when they end. */
const NO_SYSTEMS = new Map<string, ExitWatch>();

const sink = (take: (chunk: Buffer) => void): NodeJS.WritableStream =>
  ({ write: (chunk: Buffer) => (take(chunk), true), end: () => {} }) as unknown as NodeJS.WritableStream;

/** @param lookMs tests: how often it is looked whether anything still comes */
export const wireActors = (engine: Engine, stream: NodeJS.ReadWriteStream, plan: StagePlan, lookMs?: number): Wired => {
  let words = '';
  const remember = (text: string): void => {
    words = (words + text).slice(-LAST_WORDS_BYTES);
  };
  const heard = watchHeard(() => over('nothing is heard of it any more'), lookMs);
  const link: Link = createLink((line) => stream.write(`${line}\n`), (fact) => facts.receive(fact), (line) => remember(`${line}\n`));
  const facts: StageFacts = createStageFacts(plan, NO_SYSTEMS, () => link, () => words.trim());
  const over = (why: string): void => {
    heard.end();
    facts.stageEnded(why, heard.lastMs());
  };
  const take = (chunk: Buffer): void => {
    heard.note();
    link.feed(chunk);
  };
  engine.modem.demuxStream(stream, sink(take), sink((chunk) => remember(chunk.toString('utf8'))));
  stream.on('error', (error: Error) => remember(error.message));
  for (const event of ['end', 'close']) stream.on(event, () => over('its output ended'));
  const hearOut = async (): Promise<void> => {
    await link.send('stage', { do: 'ping' }, ANSWER_LIMIT_MS).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'no-reply') over(error.message);
    });
  };
  return { link, facts, hearOut };
};
