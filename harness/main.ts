// The process: the exit code starts as failing and improves only when the command says so; signals
// become an abort; only this file touches the process.

// To `git bisect run` what is above 1 and below 125 is a bad revision, and 128 stops it.
const codeFor = (code: number): number => (process.argv.includes('--git-bisect') && code > 1 && code < 125 ? 128 : code);

// An unsettled promise would end the process with 0 when nothing else is pending.
process.exitCode = codeFor(3);

const interrupt = new AbortController();
/** Of a unit that is told to stop as a whole both this process and its wrapper hear, which is once. */
const interrupts = { own: 0, wrapper: 0 };
const onInterrupt = (from: keyof typeof interrupts): void => {
  interrupts[from] += 1;
  if (interrupts[from] > 1) process.exit(130);
  if (interrupts.own + interrupts.wrapper > 1) return;
  process.stderr.write('hangup: interrupted; stopping and sealing what was recorded (once more ends at once)\n');
  interrupt.abort(new Error('interrupted'));
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => onInterrupt('own'));
// The wrapper that found this Node was killed: end like it, at once; the guard cleans up.
const onOrphaned = (): void => void process.kill(process.pid, 'SIGKILL');
if (process.env.HANGUP_WRAPPED) {
  process.on('disconnect', onOrphaned);
  process.on('message', () => onInterrupt('wrapper'));
  process.channel?.unref();
}

// Replaced once it is known what to hide.
let withoutSecrets = (text: string): string => text;
const say = (text: string): void => {
  try {
    process.stderr.write(text);
  } catch {
    // Nobody can be told; the exit code says it.
  }
};
const confess = (error: unknown): void =>
  say(
    `hangup: ${withoutSecrets(error instanceof Error ? (error.stack ?? error.message) : String(error))}\n` +
      `  hint: this is a fault of hangup itself; please report it with the lines above\n`,
  );
// Node would end with 1 for what nobody caught, which here says that a claim was violated.
process.on('uncaughtException', (error) => {
  confess(error);
  process.exit(codeFor(3));
});
// Who reads has gone (`hangup list | head`): what is still written is for nobody, and no fault.
// A full disk is no fault of ours either, but what was said is lost: that is no success.
const onUnwritten = (error: NodeJS.ErrnoException): void => {
  if (error.code === 'EPIPE') return;
  say(`hangup: not all could be printed: ${error.message} [output-not-writable]\n  hint: print it to where there is room\n`);
  process.exit(codeFor(3));
};
process.stdout.on('error', onUnwritten);
process.stderr.on('error', onUnwritten);

const LEAVE_MS = 2_000;
const UNREAD_MS = 100;
/**
 * Where something else would hold the process (a call that an engine never answers) it ends all the same, and the guard sees to what that
 * was about. Not before all that was said has been taken by who reads.
 */
const leave = (): void => {
  if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit();
  setTimeout(leave, UNREAD_MS).unref();
};

try {
  const [{ runCommand }, { createSecrets }, { problem }] = await Promise.all([
    import('./cli/program.ts'),
    import('./bundle/secrets.ts'),
    import('./model/problem.ts'),
  ]);
  /** A file is written to at once, and throws: then whatever was begun is ended as for any other problem. */
  const print = (text: string): void => {
    try {
      process.stdout.write(text);
    } catch (cause) {
      throw problem('environment', 'output-not-writable', `not all could be printed: ${(cause as Error).message}`, {
        hint: 'print it to where there is room',
        cause,
      });
    }
  };
  const secrets = createSecrets();
  withoutSecrets = secrets.shown.text;
  const argv = process.argv.slice(2);
  const code = await runCommand(argv, {
    argv,
    write: print,
    writeError: say,
    isTerminal: process.stdout.isTTY === true,
    columns: process.stdout.columns ?? 100,
    cwd: process.cwd(),
    environment: process.env,
    signal: interrupt.signal,
    secrets,
  });
  process.exitCode = codeFor(code);
} catch (error) {
  confess(error);
  process.exitCode = codeFor(3);
} finally {
  // This is our own leaving, which would be taken for the wrapper's death.
  process.off('disconnect', onOrphaned);
  if (process.connected) process.disconnect();
  setTimeout(leave, LEAVE_MS).unref();
}
