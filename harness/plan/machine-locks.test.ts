// Two processes and one name: one at a time, the other hears at once when it is free, and a killed holder holds nothing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { nowMs } from '../model/time.ts';
import { createMachineLocks } from './machine-locks.ts';
import type { MachineLocks, Refused, Taken } from './machine-locks.ts';
import { createSchedule } from './schedule.ts';

const unique = (): string => `test-${process.pid}-${Math.random().toString(36).slice(2)}`;
const isTaken = (result: Taken | Refused): result is Taken => 'release' in result;

/** Another process that holds the name until its standard input ends, or it is killed. */
const holder = async (name: string) => {
  const program = `const { createMachineLocks } = await import(${JSON.stringify(join(import.meta.dirname, 'machine-locks.ts'))});
    const taken = await createMachineLocks().take([${JSON.stringify(name)}]);
    console.log('release' in taken ? 'taken' : 'refused'); process.stdin.resume(); process.stdin.on('end', () => process.exit(0));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  expect(said).toBe('taken');
  return child;
};

/** The kernel closes what a process had one after the other: its name may still be there for a moment. */
const untilTaken = async (locks: MachineLocks, name: string, refused: Refused): Promise<void> => {
  for (let result: Taken | Refused = refused; ; result = await locks.take([name])) {
    if (isTaken(result)) return result.release();
    await result.freed;
  }
};

test.runIf(process.platform === 'linux')('held elsewhere: refused with who has it, free as soon as that process is gone, however it went', async () => {
  const name = unique();
  const locks = createMachineLocks()!;
  for (const end of ['SIGKILL', 'end'] as const) {
    const child = await holder(name);
    const refused = await locks.take(['a-free-one', name]);
    if (isTaken(refused)) throw new Error('two processes hold one lock');
    expect(refused.name).toBe(name);
    expect(refused.holder).toContain(`process ${child.pid}`);
    if (end === 'end') child.stdin.end();
    else child.kill(end);
    await untilTaken(locks, name, refused);
  }
});

test.runIf(process.platform === 'linux')('of several names all or none, and what one process holds its runs share', async () => {
  const [first, second] = [unique(), unique()];
  const [ours, theirs] = [createMachineLocks()!, createMachineLocks()!];
  const [one, two] = [await ours.take([first]), await ours.take([first])];
  const refused = await theirs.take([second, first]);
  expect(isTaken(refused)).toBe(false);
  // It kept nothing of the other name.
  const other = await ours.take([second]);
  expect(isTaken(other)).toBe(true);
  let isFreed = false;
  if (!isTaken(refused)) void refused.freed.then(() => (isFreed = true));
  if (isTaken(one)) one.release();
  expect(isTaken(await theirs.take([first]))).toBe(false);
  expect(isFreed).toBe(false);
  for (const each of [two, other]) if (isTaken(each)) each.release();
  if (!isTaken(refused)) await refused.freed;
  const last = await theirs.take([first, second]);
  expect(isTaken(last)).toBe(true);
  if (isTaken(last)) last.release();
});

test.runIf(process.platform === 'linux')('who has waited is next: a holder with more to do does not take it again in the same breath', async () => {
  const name = unique();
  const [ours, theirs] = [createMachineLocks()!, createMachineLocks()!];
  const one = await ours.take([name]);
  const refused = await theirs.take([name]);
  if (!isTaken(one) || isTaken(refused)) throw new Error('the first must have it, and the second must not');
  const next = refused.freed.then(() => theirs.take([name]));
  one.release();
  const again = await ours.take([name]);
  const got = await next;
  expect([isTaken(got), isTaken(again)]).toEqual([true, false]);
  if (!isTaken(got) || isTaken(again)) return;
  // And then it is ours again: nobody waits for those who do not come.
  got.release();
  await again.freed;
  const last = await ours.take([name]);
  expect(isTaken(last)).toBe(true);
  if (isTaken(last)) last.release();
});

/** Another process of which two runs hold the name in turns that overlap, so that it is never given back by itself. */
const overlapping = async (name: string) => {
  const program = `const { createMachineLocks } = await import(${JSON.stringify(join(import.meta.dirname, 'machine-locks.ts'))});
    const locks = createMachineLocks();
    const pass = (ms) => new Promise((done) => setTimeout(done, ms));
    const runs = async () => {
      for (;;) {
        const sinceMs = Number(process.hrtime.bigint()) / 1e6;
        for (;;) {
          const result = await locks.take([${JSON.stringify(name)}], undefined, sinceMs);
          if ('release' in result) { console.log('held'); await pass(60); result.release(); break; }
          await result.freed;
        }
      }
    };
    runs(); await pass(30); runs();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return createInterface({ input: child.stdout })[Symbol.asyncIterator]();
};

test.runIf(process.platform === 'linux')('runs of another invocation that overlap do not keep a lock for ever, and go on when we have had it', async () => {
  const name = unique();
  const lines = await overlapping(name);
  for (let held = 0; held < 4; held += 1) await lines.next();
  const locks = createMachineLocks()!;
  const never = new AbortController();
  const limit = setTimeout(() => never.abort(), 12_000);
  const sinceMs = nowMs();
  const taken = async (): Promise<Taken> => {
    for (;;) {
      const result = await locks.take([name], never.signal, sinceMs);
      if (isTaken(result)) return result;
      await result.freed;
      if (never.signal.aborted) throw new Error('waited 12 s for a lock that runs of another process take in turns');
    }
  };
  (await taken()).release();
  clearTimeout(limit);
  expect(await lines.next()).toMatchObject({ value: 'held' });
});

test.runIf(process.platform === 'linux')('of two that wait, the one that has waited longer is next, whoever came to the holder first', async () => {
  const name = unique();
  const [holds, waits, came] = [createMachineLocks()!, createMachineLocks()!, createMachineLocks()!];
  const held = await holds.take([name]);
  const sinceMs = nowMs();
  const late = await came.take([name]);
  const early = await waits.take([name], undefined, sinceMs);
  if (!isTaken(held) || isTaken(late) || isTaken(early)) throw new Error('the first must have it, and nobody else');
  const order: string[] = [];
  const next = async (word: string, locks: typeof waits, { freed }: Refused): Promise<void> => {
    await freed;
    const result = await locks.take([name], undefined, word === 'early' ? sinceMs : nowMs());
    order.push(`${word} ${isTaken(result)}`);
    if (isTaken(result)) result.release();
  };
  const both = [next('late', came, late), next('early', waits, early)];
  held.release();
  await Promise.all(both);
  expect(order).toEqual(['early true', 'late true']);
});

test.runIf(process.platform === 'linux')('a holder that was stopped refuses as well, and is heard to end', async () => {
  const name = unique();
  const child = await holder(name);
  child.kill('SIGSTOP');
  const locks = createMachineLocks()!;
  const refused = await locks.take([name]);
  if (isTaken(refused)) throw new Error('a process that is stopped still holds it');
  expect(refused.holder).toBe('another hangup on this machine (it does not answer)');
  child.kill('SIGKILL');
  await untilTaken(locks, name, refused);
});

test.runIf(process.platform === 'linux')('a holder that gives it back before it has said who it is has no number', async () => {
  const name = unique();
  const server = createServer((peer) => peer.end('next\n')).listen(`\0hangup-lock-${name}`);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const refused = await createMachineLocks()!.take([name]);
  expect(refused).toMatchObject({ name, holder: 'another hangup on this machine' });
});

test.runIf(process.platform === 'linux')('who waits for another invocation keeps no place, is told by name, and is let go when interrupted', async () => {
  const name = unique();
  const child = await holder(name);
  const interruption = new AbortController();
  const schedule = createSchedule({ jobs: 1, memoryBytes: 2 ** 40, machine: createMachineLocks(), signal: interruption.signal });
  const locked = schedule.run({ cpu: 1, memoryBytes: 1, locks: [{ name, mode: 'read' }] }, async () => 'locked');
  const other = await schedule.run({ cpu: 1, memoryBytes: 1 }, async () => 'other');
  expect(other).toBe('other');
  child.kill('SIGKILL');
  expect(await locked).toBe('locked');
  await holder(name);
  const waiting = schedule.run({ cpu: 1, memoryBytes: 1, locks: [{ name, mode: 'write' }] }, async () => 'let go');
  await schedule.run({ cpu: 1, memoryBytes: 1 }, async () => 'other');
  interruption.abort();
  expect(await waiting).toBe('let go');
});

test.runIf(process.platform === 'linux')('runs that waited for a place only have not waited for the lock: whoever asks meanwhile elsewhere is before them', async () => {
  const [name, theirs] = [unique(), createMachineLocks()!];
  const schedule = createSchedule({ jobs: 2, processors: 2, memoryBytes: 2 ** 40, machine: createMachineLocks() });
  const order: string[] = [];
  const read = (word: string) => {
    const [entered, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const over = schedule.run({ cpu: 1, memoryBytes: 1, locks: [{ name, mode: 'read' }] }, async () => {
      order.push(word);
      entered.resolve();
      await ended.promise;
    });
    return { entered: entered.promise, end: () => (ended.resolve(), over) };
  };
  const [first, second, third] = [read('first'), read('second'), read('third')];
  await Promise.all([first.entered, second.entered]);
  const refused = await theirs.take([name], undefined, nowMs());
  if (isTaken(refused)) throw new Error('two runs hold it');
  await first.end();
  await new Promise((resolve) => setImmediate(resolve));
  await second.end();
  await Promise.race([refused.freed, third.entered]);
  const taken = await theirs.take([name]);
  order.push(`theirs ${isTaken(taken)}`);
  if (isTaken(taken)) taken.release();
  await third.entered;
  await third.end();
  expect(order).toEqual(['first', 'second', 'theirs true', 'third']);
});

test('where there are no such names, nobody is asked', () => {
  expect(createMachineLocks('darwin')).toBeNull();
});
