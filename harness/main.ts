// The process: the exit code starts as failing and improves only when the command says so; signals
// become an abort; only this file touches the process.
import { messageOf } from './model/problem.ts';

// An unsettled promise would end the process with 0 when nothing else is pending.
process.exitCode = 3;

const interrupt = new AbortController();
let interrupts = 0;
const onSignal = (): void => {
  interrupts += 1;
  if (interrupts > 1) process.exit(130);
  interrupt.abort(new Error('interrupted'));
};
process.on('SIGINT', onSignal);
process.on('SIGTERM', onSignal);
process.on('SIGHUP', onSignal);
// The wrapper that found this Node was killed: end like it, at once; the guard cleans up.
const onOrphaned = (): void => void process.kill(process.pid, 'SIGKILL');
if (process.env.HANGUP_WRAPPED) process.on('disconnect', onOrphaned);

try {
  const { runCommand } = await import('./cli/program.ts');
  process.exitCode = await runCommand(process.argv.slice(2), {
    write: (text) => void process.stdout.write(text),
    writeError: (text) => void process.stderr.write(text),
    isTerminal: process.stdout.isTTY === true,
    columns: process.stdout.columns ?? 100,
    cwd: process.cwd(),
    environment: process.env,
    signal: interrupt.signal,
  });
} catch (error) {
  process.stderr.write(`hangup: ${messageOf(error)}\n  hint: this is a fault of hangup itself; please report it with the line above\n`);
  process.exitCode = 3;
} finally {
  // This is our own leaving, which would be taken for the wrapper's death.
  process.off('disconnect', onOrphaned);
  if (process.connected) process.disconnect();
}
