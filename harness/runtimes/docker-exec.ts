// A command beside the system, in its own container: what looks at it there sees what it sees.
import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { messageOf } from '../model/problem.ts';
import { within } from '../model/within.ts';
import type { Engine } from './docker.ts';
import type { EngineContainer } from './docker-processes.ts';
import { BESIDE_BYTES } from './stage-beside.ts';
import type { Ran } from './stage-beside.ts';

/** A process by the numbers of its container, from those of ours: proc(5), NSpid. Without an init the first one is meant. */
export const pidWithin = (pid: number | null): number => {
  try {
    const numbers = /^NSpid:\s+(.+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]?.trim().split(/\s+/);
    return Number(numbers?.at(-1) ?? 1);
  } catch {
    return 1;
  }
};

/** Never rejects: what went wrong is in the output. A command that goes on after its time ends with the container. */
export const execInContainer = async (engine: Engine, container: EngineContainer, command: readonly string[], limitMs: number): Promise<Ran> => {
  let output = '';
  const sink = new PassThrough();
  sink.on('data', (chunk: Buffer) => {
    if (output.length < BESIDE_BYTES) output += chunk.toString('utf8');
  });
  try {
    const exec = await container.exec({ Cmd: [...command], AttachStdout: true, AttachStderr: true });
    const stream = await exec.start({ hijack: true, stdin: false });
    engine.modem.demuxStream(stream, sink, sink);
    const ended = new Promise<boolean>((resolve) => {
      for (const event of ['end', 'close', 'error']) stream.on(event, () => resolve(true));
    });
    if (!(await within(ended, limitMs, () => false))) return { code: null, output: `${output}it had not ended after ${limitMs} ms\n` };
    return { code: (await exec.inspect()).ExitCode, output };
  } catch (error) {
    return { code: null, output: `${output}${messageOf(error)}\n` };
  }
};
