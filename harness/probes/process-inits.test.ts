// A main process that is the child of an init, as an engine starts it: what is told of is the child.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { openProcesses } from './process.ts';

test('where a root is an init, its child is the main process, also when it has ended', async () => {
  const init = spawn('sh', ['-c', 'sleep 60 & echo $!; wait; read line'], { stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => void init.kill('SIGKILL'));
  const [said] = (await once(init.stdout, 'data')) as [Buffer];
  const main = Number(String(said).trim());
  onTestFinished(() => {
    try {
      process.kill(main, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  });
  const asInit = openProcesses({ roots: { router: init.pid! }, inits: ['router'] });
  const plain = openProcesses({ roots: { router: init.pid! } });
  expect([asInit.sample().alive, asInit.sample().pids]).toEqual([{ router: true }, [main]]);
  expect(plain.sample().pids).toEqual([init.pid!, main].sort((a, b) => a - b));
  process.kill(main, 'SIGKILL');
  await expect.poll(() => asInit.sample().alive, { message: 'the end of the main process', timeout: 5_000 }).toEqual({ router: false });
  expect(plain.sample().alive).toEqual({ router: true });
});
