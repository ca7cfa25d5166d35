// The process view on real processes: children, orphans, zombies, strangers.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runProgram, until } from './fixture.ts';
import { openProcesses } from './process.ts';
import { allPids } from './process-tree.ts';

/** Starts a child that lives on when its parent is killed, prints its pid, and stays. */
const PARENT = `
  import { spawn } from 'node:child_process';
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 30000)'], { stdio: 'ignore', detached: true });
  console.log(child.pid);
  setInterval(() => {}, 1000);`;

const endLater = (pid: number) => (): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch { /* it has ended by itself */ }
};

it('sees a tree with its memory and the run delay of every thread', async () => {
  const { child, ready } = runProgram(PARENT);
  const grandchild = Number(await ready);
  const value = openProcesses({ roots: { router: child.pid!, unknown: null } }).sample();
  try {
    expect(value.alive).toEqual({ router: true });
    expect(value.pids).toEqual([child.pid!, grandchild].sort((a, b) => a - b));
    expect(value.rssBytes).toBeGreaterThan(20 * 1024 * 1024);
    expect(Object.keys(value.runDelays)).toContain(`${child.pid}:${child.pid}`);
    expect(Object.keys(value.runDelays).length, 'Node has several threads').toBeGreaterThan(4);
    expect(value.runDelayMs).toBe(Math.max(...Object.values(value.runDelays)));
  } finally {
    endLater(grandchild)();
  }
});

it('keeps a child whose parent was killed, and forgets it when it ends', async () => {
  const { child, ready } = runProgram(PARENT);
  const orphan = Number(await ready);
  const view = openProcesses({ roots: { router: child.pid! } });
  view.sample();
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(view.sample()).toMatchObject({ alive: { router: false }, pids: [orphan] });
  endLater(orphan)();
  await until('the orphan to be gone', () => view.sample().pids.length === 0);
  expect(view.sample()).toEqual({ alive: { router: false }, pids: [], rssBytes: 0, runDelayMs: 0, runDelays: {} });
});

it('counts a zombie as dead', async () => {
  const { child, ready } = runProgram(`
    import { spawnSync, spawn } from 'node:child_process';
    // What does not wait for its child, once it is no shell any more, which would: that one ends only then, and stays a zombie.
    const ends = 'until [ "$(cat /proc/$$/comm)" = sleep ]; do sleep 0.01; done';
    const shell = spawn('sh', ['-c', '(' + ends + ') & echo $!; exec sleep 30'], { stdio: ['ignore', 'inherit', 'ignore'] });
    process.on('exit', () => shell.kill('SIGKILL'));
    setInterval(() => {}, 1000);`);
  const zombie = Number(await ready);
  await until('the child to become a zombie', () => /\) Z /.test(readFileSync(`/proc/${zombie}/stat`, 'latin1')));
  const value = openProcesses({ roots: { zombie, main: child.pid! } }).sample();
  expect(value.alive).toEqual({ zombie: false, main: true });
  expect(value.pids).not.toContain(zombie);
  for (const pid of value.pids) if (pid !== child.pid) endLater(pid)();
});

it('sees everything that is not excepted, itself excepted', async () => {
  const strangers = allPids('/proc');
  const view = openProcesses({ roots: {}, everything: true, except: strangers });
  const { child, ready } = runProgram("console.log('up'); setInterval(() => {}, 1000);");
  await ready;
  const { pids } = view.sample();
  expect(pids).toContain(child.pid);
  expect(pids).not.toContain(process.pid);
  expect(pids.filter((pid) => strangers.includes(pid))).toEqual([]);
});

it('does not call anybody dead where there is no process file system', () => {
  const view = openProcesses({ roots: { router: process.pid }, procRoot: '/nowhere' });
  expect(() => view.sample()).toThrow('no process file system at /nowhere');
});
