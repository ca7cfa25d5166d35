// Stops that end oddly: in the very moment of a limit, killed by somebody else meanwhile, of one instance and not
// of another; and money that is back, or never was away, for reasons of its own.
import { describe, expect, test } from 'vitest';
import { definition } from './clean-shutdown.ts';
import { FACTS } from './fixtures/facts.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at, isSample, timelineOf, without } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';

const signal = (atMs: number, name: string, purpose: 'stop' | 'fault' | 'cleanup', process = 'router'): Entry =>
  at(atMs, 'harness', { type: 'signal-sent', process, signal: name, purpose });
const exited = (atMs: number, process = 'router', code: number | null = 0): Entry => at(atMs, 'system', { type: 'process-exited', process, code, signal: null });
const started = (atMs: number, process = 'router'): Entry => at(atMs, 'harness', { type: 'system-started', process, pid: 901 });
/** The stop phase lasts until the end of all time; the signal goes out at 8.51 s. */
const later = (changes: Partial<Knobs>) => ({
  entries: story(changes).map((entry) => (entry.fact.type === 'phase' && entry.fact.phase === 'stop' && entry.fact.edge === 'end' ? { ...entry, atMs: 20_000 } : entry)),
});
const exit = (atMs: number, code: number | null = 0, name: string | null = null) => ({ exit: { atMs, code, signal: name } });
const lagged = at(9_000, 'lag.harness', { type: 'scheduling-lag', process: 'harness', lagMs: 500 });
const TWO = {
  system: {
    ...FACTS.system,
    instances: ['router', 'router.2'].map((process, index) => ({ process, address: `127.0.0.${2 + index}`, listen: `127.0.0.${2 + index}:8000`, clockAheadMs: 0 })),
  },
};

describe('clean-shutdown', () => {
  table('clean-shutdown', {}, [
    ['in the moment of the signal', { entries: story(exit(8_510)) }, 'held', 'ended with exit code 0 0 ms after SIGTERM'],
    ['killed by us when its time was over', later({ ...exit(10_600, null, 'SIGKILL'), extra: [signal(10_510, 'SIGKILL', 'cleanup')] }), 'violated', 'SIGKILL was needed 2.0 s', { interval: [10_510, 10_510], evidence: 3 }],
    ['killed by us before that', later({ ...exit(10_600, null, 'SIGKILL'), extra: [signal(10_509, 'SIGKILL', 'cleanup')] }), 'inconclusive', 'SIGKILL was sent 2.0 s after SIGTERM, before the 2.0 s that are allowed', { evidence: 3 }],
    ['killed by a fault before that', { entries: story({ ...exit(8_600, null, 'SIGKILL'), extra: [signal(8_590, 'SIGKILL', 'fault')] }) }, 'inconclusive', 'SIGKILL was sent 80 ms after SIGTERM'],
    ['killed by a fault within the margin', later({ ...exit(10_800, null, 'SIGKILL'), extra: [signal(10_759, 'SIGKILL', 'fault')] }), 'inconclusive', 'before the 2.0 s that are allowed'],
    ['killed by a fault when it was late', later({ ...exit(10_800, null, 'SIGKILL'), extra: [signal(10_760, 'SIGKILL', 'fault')] }), 'violated', 'SIGKILL was needed 2.3 s'],
    ['killed by us, and never seen to end', later({ exit: null, extra: [signal(11_000, 'SIGKILL', 'cleanup')] }), 'violated', 'SIGKILL was needed 2.5 s'],
    ['another process was killed', { entries: story({ extra: [signal(8_550, 'SIGKILL', 'cleanup', 'sidecar')] }) }, 'held', 'exit code 0'],
    ['it was killed, and started again, long before', { entries: story({ extra: [signal(4_000, 'SIGKILL', 'fault'), exited(4_010, 'router', null), started(4_500)] }) }, 'held', 'exit code 0'],
    ['as late as somebody lagged', later({ ...exit(11_260), extra: [lagged] }), 'inconclusive', 'had waited 500 ms', { evidence: 2 }],
    ['later than that', later({ ...exit(11_261), extra: [lagged] }), 'violated', 'ended only 2.8 s after SIGTERM', { interval: [10_510, 11_261] }],
    ['nobody can see what is left', { entries: story().map((entry) => (entry.fact.type === 'processes-left' ? { ...entry, fact: { ...entry.fact, pids: null } } : entry)) }, 'inconclusive', 'cannot be seen on this runtime', { evidence: 1 }],
    ['the second one was killed and started again, and never told', { entries: story({ extra: [signal(4_000, 'SIGKILL', 'fault', 'router.2'), exited(4_010, 'router.2', null), started(4_500, 'router.2')] }), facts: TWO }, 'inconclusive', 'router.2: the system was never told to stop'],
  ]);

  const pendingWith = (...more: readonly Entry[]) => {
    const entries = [...without(story({ exit: null }), ({ atMs }) => atMs > 4_000), at(3_000, 'harness', { type: 'mark', mark: 'cut', client: null }), ...more];
    return definition.pending!({ timeline: timelineOf(...entries), facts: { ...FACTS, stopsAt: 'cut' }, options: {} });
  };
  test('where the scenario stops it, its end is waited for', () => {
    const told = signal(3_500, 'SIGTERM', 'fault');
    expect(pendingWith()).toBe('router has not ended');
    expect(pendingWith(told)).toBe('router has not ended');
    expect(pendingWith(told, exited(3_600, 'sidecar'))).toBe('router has not ended');
    expect(pendingWith(told, exited(3_499))).toBe('router has not ended');
    expect(pendingWith(told, exited(3_500))).toBeNull();
  });
});

describe('process-alive', () => {
  const seen = (atMs: number, isAlive: boolean, tookMs = 0): Entry =>
    at(atMs, 'probe.process', { type: 'sample', probe: 'process', tookMs, value: { alive: { router: isAlive }, pids: [900], rssBytes: 1, runDelayMs: 0, runDelays: {} } });
  const restarted = [signal(4_000, 'SIGKILL', 'fault'), exited(4_010, 'router', null), started(4_500)];
  const away = (entries: readonly Entry[]) => without(entries, (entry) => isSample('process')(entry) && entry.atMs >= 4_000 && entry.atMs <= 4_500);
  const untold = (entries: readonly Entry[]) => without(entries, ({ fact }) => fact.type === 'signal-sent' && fact.purpose === 'stop');
  const blind = (process: string) => ({ entries: [...without(story(), isSample('process')), started(300, process)], facts: { runtime: 'docker' } as const });
  table('process-alive', {}, [
    ['gone in a sample of after the signal', { entries: story({ exit: { atMs: 8_900, code: 0, signal: null }, extra: [seen(8_511, false)] }) }, 'held', 'until it was told to stop'],
    ['gone in the moment of the signal', { entries: story({ extra: [seen(8_510, false)] }) }, 'violated', 'router was not there at 8.5 s', { interval: [8_510, 8_510], evidence: 1 }],
    ['it died in a life that nobody asked for, after the stop', { entries: story({ extra: [started(8_650), exited(8_700)] }) }, 'held', 'until it was told to stop'],
    ['gone in the moment that a fault killed it', { entries: away(story({ extra: [...restarted] })).concat(seen(4_000, false)) }, 'held', 'was there in'],
    ['gone just before', { entries: away(story({ extra: [...restarted] })).concat(seen(3_999, false)) }, 'violated', 'router was not there at 4.0 s'],
    ['gone when it had been started again', { entries: away(story({ extra: [...restarted] })).concat(seen(4_500, false)) }, 'violated', 'router was not there at 4.5 s'],
    ['gone in a sample that began just before that', { entries: away(story({ extra: [...restarted] })).concat(seen(4_500, false, 1)) }, 'held', 'was there in'],
    ['killed, started again, and never told to stop', { entries: untold(away(story({ exit: null, extra: [...restarted] }))) }, 'inconclusive', 'router was never told to stop'],
    ['in a container, seen only after the signal', { entries: [...without(story({ exit: null }), (entry) => isSample('process')(entry) && entry.atMs <= 8_510), started(300)], facts: { runtime: 'docker' } }, 'inconclusive', 'probe process never saw the system'],
    ['in a container that cannot be looked into', blind('router'), 'held', 'router had not ended, by the word of the engine'],
    ['in another container', blind('sidecar'), 'inconclusive', 'probe process never saw the system'],
  ]);
});

describe('nothing-reserved', () => {
  const wrote = (account: string): Entry => at(3_050, 'harness', { type: 'ledger-rows', reservations: ['orphan'], account });
  const totals = (of: (ms: number) => number): Partial<Knobs> => ({
    ledger: (value, ms) => ({ ...value, reservations: [], accounts: value.accounts.map((account) => ({ ...account, reserved: account.id === 'acc' ? of(ms) : 0 })) }),
  });
  const backed: Partial<Knobs> = {
    ledger: (value) => ({
      ...value,
      reservations: value.reservations.map((row) => ({ ...row, account: 'child', payer: 'acc' })),
      accounts: value.accounts.map((account) => ({ ...account, reserved: 0 })),
    }),
  };
  const old = { id: 'old', account: 'acc', payer: 'acc', amount: 30, state: 'active', terminal: false };
  table('nothing-reserved', { client: 'alice' }, [
    ["a row that a fault wrote to another's account was never seen", { entries: story({ extra: [wrote('other')] }) }, 'held', 'as before'],
    ['nor was one that it wrote to this one', { entries: story({ extra: [wrote('acc')] }) }, 'inconclusive', 'reservation orphan, which a fault wrote, was never seen', { evidence: 1 }],
    ['a total that never changed shows nothing', { entries: story(totals(() => 30)) }, 'inconclusive', 'nothing was ever seen reserved for account acc after the baseline', { evidence: 1 }],
    ['a total that grew for a while does', { entries: story(totals((ms) => (ms > 2_000 && ms < 3_000 ? 31 : 30))) }, 'held', 'account acc has 30 reserved, as before'],
    ['so does a row that it pays for another', { entries: story(backed) }, 'held', 'account acc has 0 reserved'],
    ['a row that was there before, and stays, shows nothing', { entries: story({ ledger: (value) => ({ ...value, reservations: [old], accounts: value.accounts.map((account) => ({ ...account, reserved: account.id === 'acc' ? 30 : 0 })) }) }) }, 'inconclusive', 'nothing was ever seen reserved'],
    ['one that a fault wrote before the start does', { entries: story({ ledger: (value, ms) => ({ ...value, reservations: [{ ...old, id: 'orphan', terminal: ms > 4_000 }], accounts: value.accounts.map((account) => ({ ...account, reserved: account.id === 'acc' && ms <= 4_000 ? 30 : 0 })) }), extra: [at(500, 'harness', { type: 'ledger-rows', reservations: ['orphan'], account: 'acc' })] }) }, 'held', 'account acc has 0 reserved'],
  ]);

  const row = (id: string, amount: number, terminal: boolean) => ({ ...old, id, amount, terminal });
  const rows = (of: (ms: number) => readonly (typeof old)[]): Partial<Knobs> => ({
    ledger: (value, ms) => {
      const reserved = of(ms).reduce((sum, { terminal, amount }) => (terminal ? sum : sum + amount), 0);
      return { ...value, reservations: of(ms), accounts: value.accounts.map((account) => ({ ...account, reserved: account.id === 'acc' ? reserved : 0 })) };
    },
  });
  const killed = (ms: number): readonly Entry[] => [signal(ms - 5, 'SIGKILL', 'fault'), exited(ms, 'router', null)];
  const stopped = (ms: number, process = 'router') => ({
    entries: story({ refund: null, exit: null, extra: [signal(3_050, 'SIGTERM', 'fault', process), exited(ms, process)] }),
    facts: { stopsAt: 'gone' },
  });
  table('nothing-reserved', { client: 'alice' }, [
    ['part of what was there before was released', { entries: story(rows((ms) => [row('a', 30, ms > 3_000), row('b', 20, false), ...(ms > 2_000 && ms < 3_000 ? [row('c', 5, false)] : [])])) }, 'held', 'account acc has 20 reserved, the baseline had 50, of which 30 were released since', { whole: true }],
    ['only before the baseline something was reserved', { entries: story(totals((ms) => (ms < 800 ? 31 : 0))) }, 'inconclusive', 'nothing was ever seen reserved'],
    ['a row that a fault wrote was seen at the baseline only', { entries: story({ ...rows((ms) => (ms < 1_050 ? [row('orphan', 30, false)] : [])), extra: [at(500, 'harness', { type: 'ledger-rows', reservations: ['orphan'], account: 'acc' })] }) }, 'inconclusive', 'reservation orphan, which a fault wrote, was never seen'],
    ['a fault had killed it after the last sample: it need not be seen after that', { entries: story({ extra: killed(7_990) }) }, 'held', 'as before'],
    ['stopped by the scenario, and seen in the moment of its exit', stopped(7_959), 'held', 'as before'],
    ['stopped by the scenario, and never seen after its exit', stopped(7_960), 'inconclusive', "no sample after the system's exit", { evidence: 2 }],
    ['the exit of another process is no matter', stopped(7_990, 'sidecar'), 'held', 'as before'],
    ['the account is not there any more', { entries: story({ ledger: (value, ms) => (ms < 7_000 ? value : { ...value, accounts: [] }) }) }, 'inconclusive', 'account acc is not in the ledger at the end', { evidence: 2 }],
  ]);
});
