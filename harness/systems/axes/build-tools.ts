// What of this machine a built work tree hangs on: native modules are made for one Node and one Python, of one processor. With another
// one they die when they are loaded, at every revision that is in the cache, beside fresh ones that run.
import { ask } from './source.ts';
import type { AxisContext } from './source.ts';

/** A build may call either of them within a script: both are asked, and one that is not there says nothing. */
const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  node: ['-p', 'process.versions.modules'],
  python3: ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'],
};

const known = new Map<string, Promise<readonly string[]>>();

const askAll = (context: AxisContext): Promise<readonly string[]> =>
  Promise.all(Object.entries(QUESTIONS).map(async ([tool, words]) => {
    const answer = await ask(tool, words, context).catch(() => '');
    return `${tool} ${answer.trim()}`;
  }));

/**
 * In words that are part of a tree's name. Asked once in a process.
 * @throws the signal's reason
 */
export const buildToolsOf = async (context: AxisContext): Promise<readonly string[]> => {
  const { environment: { PATH = '' }, signal } = context;
  const asked = known.get(PATH) ?? askAll(context);
  known.set(PATH, asked);
  const tools = await asked;
  if (signal?.aborted) known.delete(PATH);
  signal?.throwIfAborted();
  return [`${process.platform} ${process.arch}`, ...tools];
};
