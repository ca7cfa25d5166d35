// What is done beside the system in its stage: a command that looks at it, and the file that such a command leaves.
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { open } from 'node:fs/promises';

export type Ran = { /** Null: it did not end by itself in time, or could not be started. */ readonly code: number | null; readonly output: string };

/** Of what a command prints, and of a file that it leaves. */
export const BESIDE_BYTES = 4 * 1024 * 1024;

/** Both streams, standard output first. Never rejects: what went wrong is in the output. */
export const runBeside = (
  command: readonly string[],
  { env, cwd, limitMs }: { readonly env: NodeJS.ProcessEnv; readonly cwd: string; readonly limitMs: number },
): Promise<Ran> => {
  const [program = '', ...words] = command;
  return new Promise((resolve) => {
    const options = { encoding: 'utf8', env, cwd, timeout: limitMs, killSignal: 'SIGKILL', maxBuffer: BESIDE_BYTES } as const;
    execFile(program === 'node' ? process.execPath : program, words, options, (error, stdout, stderr) => {
      const said = `${stdout}${stderr}`;
      if (!error) return resolve({ code: 0, output: said });
      const { code, killed } = error as { readonly code?: number | string | null; readonly killed?: boolean };
      const why = killed ? `it had not ended after ${limitMs} ms, or printed too much\n` : typeof code === 'number' ? '' : `${error.message}\n`;
      resolve({ code: typeof code === 'number' ? code : null, output: `${said}${why}` });
    });
  });
};

/** A folder into which anybody in the stage may write, whoever the system runs as. */
export const openFolder = (path: string): void => {
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o1777);
};

/** The first part of it; null where there is none. */
export const readBeside = async (path: string): Promise<string | null> => {
  try {
    await using file = await open(path, 'r');
    const { bytesRead, buffer } = await file.read(Buffer.alloc(BESIDE_BYTES), 0, BESIDE_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};
