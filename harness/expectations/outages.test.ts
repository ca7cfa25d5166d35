// What faults did to the processes of the system is not held against it: ended, started again, stopped where
// they stood. What it did by itself is, in whichever life and whichever instance.
import { describe } from 'vitest';
import type { Facts } from '../model/facts.ts';
import type { Fact } from '../model/observation.ts';
import { ADDRESS, FACTS } from './fixtures/facts.ts';
import { LEAK } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';

const sent = (atMs: number, signal: string, process = 'router', purpose: 'fault' | 'stop' | 'cleanup' = 'fault'): Entry =>
  at(atMs, 'harness', { type: 'signal-sent', process, signal, purpose });
const exited = (atMs: number, process = 'router', signal: string | null = 'SIGKILL'): Entry =>
  at(atMs, `system.${process}`, { type: 'process-exited', process, code: signal === null ? 0 : 137, signal });
const started = (atMs: number, process = 'router'): Entry => at(atMs, 'harness', { type: 'system-started', process, pid: 901 });
const died = (atMs: number, process = 'router'): Entry => exited(atMs, process, 'SIGSEGV');
const killed: readonly Entry[] = [sent(4_000, 'SIGKILL'), exited(4_010)];
const restarted: readonly Entry[] = [...killed, started(4_600)];

/** Process samples that began in between show it gone. */
const goneBetween =
  (fromMs: number, toMs: number) =>
  (entries: readonly Entry[]): readonly Entry[] =>
    entries.map((entry) => {
      const { fact } = entry;
      const isGone = fact.type === 'sample' && fact.probe === 'process' && fact.value !== undefined && entry.atMs > fromMs && entry.atMs < toMs;
      return isGone ? { ...entry, fact: { ...fact, value: { ...fact.value!, alive: { router: false } } } as Fact } : entry;
    });
const away = goneBetween(4_010, 4_600);

const TWO: Partial<Facts> = {
  system: {
    ...FACTS.system,
    instances: ['router', 'router.2'].map((process, index) => {
      const address = index === 0 ? ADDRESS.system : '127.0.0.3';
      return { process, address, listen: `${address}:8000`, clockAheadMs: 0 };
    }),
  },
};
/** The second instance is seen as often as the first one. */
const both = (entries: readonly Entry[]): readonly Entry[] =>
  entries.map((entry) => {
    const { fact } = entry;
    if (fact.type !== 'sample' || fact.probe !== 'process' || !fact.value) return entry;
    return { ...entry, fact: { ...fact, value: { ...fact.value, alive: { ...fact.value.alive, 'router.2': true } } } as Fact };
  });
const stopped = [sent(8_512, 'SIGTERM', 'router.2', 'stop')];

describe('process-alive', () => {
  table('process-alive', {}, [
    ['killed and started again by a fault', { entries: away(story({ extra: restarted })) }, 'held', 'router was there'],
    [
      'seen gone by a sample that began before the start was noted',
      { entries: goneBetween(4_010, 4_601)(story({ extra: restarted })) },
      'held',
      'router was there',
    ],
    ['seen gone after it had been started again', { entries: goneBetween(4_010, 5_000)(story({ extra: restarted })) }, 'violated', 'router was not there at 4.7 s'],
    ['gone before the fault', { entries: goneBetween(3_500, 4_600)(story({ extra: restarted })) }, 'violated', 'router was not there'],
    ['started again, and died by itself', { entries: away(story({ extra: [...restarted, died(6_000)] })) }, 'violated', 'router died by itself at 6.0 s'],
    [
      'started again, and died before its start was noted',
      { entries: away(story({ extra: [...killed, died(4_599), started(4_600)] })) },
      'violated',
      'router died by itself at 4.6 s',
    ],
    ['started again by somebody, though no fault had ended it', { entries: away(story({ extra: [exited(4_010), started(4_600)] })) }, 'violated', 'died by itself'],
    [
      'killed by a fault for good',
      { entries: goneBetween(4_010, 9_000)(story({ exit: null, extra: killed })).filter(({ fact }) => fact.type !== 'signal-sent' || fact.purpose === 'fault') },
      'held',
      'until a fault ended it',
    ],
    ['a signal that ends nothing, and then a death', { entries: story({ extra: [sent(4_000, 'SIGUSR1'), died(5_000)] }) }, 'violated', 'died by itself at 5.0 s'],
    ['stopped where it stood and continued', { entries: story({ extra: [sent(4_000, 'SIGSTOP'), sent(5_000, 'SIGCONT')] }) }, 'held', 'router was there'],
    ['the second instance died', { entries: both(story({ extra: [died(5_000, 'router.2'), ...stopped] })), facts: TWO }, 'violated', 'router.2 died by itself at 5.0 s'],
    ['both lived', { entries: both(story({ extra: stopped })), facts: TWO }, 'held', 'was there'],
    ['the second instance was never seen', { entries: story({ extra: stopped }), facts: TWO }, 'inconclusive', 'probe process never saw the system'],
  ]);
});

/** The record goes on for another ten seconds. */
const later = (entries: readonly Entry[]): readonly Entry[] =>
  entries.map((entry) => {
    if (entry.fact.type === 'processes-left') return { ...entry, atMs: 19_000 };
    return entry.fact.type === 'phase' && entry.atMs === 8_950 ? { ...entry, atMs: 19_100 } : entry;
  });

describe('clean-shutdown', () => {
  table('clean-shutdown', {}, [
    ['after a restart it is the new life that is judged', { entries: story({ extra: restarted }) }, 'held', 'ended with exit code 0 90 ms after SIGTERM'],
    [
      'after a restart the new life needs SIGKILL',
      { entries: later(story({ exit: null, extra: [...restarted, sent(10_770, 'SIGKILL', 'router', 'cleanup'), exited(10_780)] })) },
      'violated',
      'SIGKILL was needed 2.3 s after SIGTERM',
    ],
    [
      'the order to restart was no order to stop',
      { entries: story({ extra: [sent(4_000, 'SIGTERM'), exited(7_500, 'router', 'SIGTERM'), started(7_900)] }) },
      'held',
      '90 ms after SIGTERM',
    ],
    ['both instances ended', { entries: story({ extra: [...stopped, exited(8_700, 'router.2', null)] }), facts: TWO }, 'held', 'after SIGTERM, nothing left'],
    [
      'the second one needed SIGKILL',
      { entries: later(story({ extra: [...stopped, sent(10_770, 'SIGKILL', 'router.2', 'cleanup'), exited(10_780, 'router.2')] })), facts: TWO },
      'violated',
      'router.2: SIGKILL was needed',
    ],
    ['the second one was never told', { entries: story(), facts: TWO }, 'inconclusive', 'router.2: the system was never told to stop'],
    [
      'a fault had ended the second one for good',
      { entries: story({ extra: [sent(4_000, 'SIGKILL', 'router.2'), exited(4_010, 'router.2')] }), facts: TWO },
      'held',
      'router: ended with exit code 0',
    ],
    ['a fault had ended all there was', { entries: story({ exit: null, extra: killed }).filter(({ fact }) => fact.type !== 'signal-sent' || fact.purpose === 'fault') }, 'inconclusive', 'the system was never told to stop'],
  ]);
});

describe('upstream-closed', () => {
  const leak = { ...LEAK };
  const late = { closedMs: 7_000, ownsUntilMs: 7_000 };
  const options = { upstream: 'model', client: 'alice', after: 'gone', within: 2_000 };
  table('upstream-closed', options, [
    ['never, by a system that was free to act', { entries: story(leak) }, 'violated', 'still open'],
    ['never, by one that a fault had stopped for good', { entries: story({ ...late, closedMs: null, ownsUntilMs: null, eventsUntilMs: 3_000, extra: [sent(3_001, 'SIGSTOP')] }) }, 'inconclusive', 'kept from the processor for as long as it is late'],
    ['late by less than it was stopped', { entries: story({ ...late, eventsUntilMs: 3_000, extra: [sent(3_001, 'SIGSTOP'), sent(6_900, 'SIGCONT')] }) }, 'inconclusive', 'for as long as it is late'],
    ['late by more than it was stopped', { entries: story({ ...late, extra: [sent(3_001, 'SIGSTOP'), sent(3_600, 'SIGCONT')] }) }, 'violated', 'still open 4.0 s'],
    ['late, while another instance was stopped', { entries: story({ ...late, extra: [sent(3_001, 'SIGSTOP', 'router.2')] }), facts: TWO }, 'violated', 'still open 4.0 s'],
    ['in time although it was stopped', { entries: story({ extra: [sent(4_000, 'SIGSTOP'), sent(5_000, 'SIGCONT')] }) }, 'held', 'was closed by FIN'],
    ['closed by its death', { entries: story({ extra: [sent(3_005, 'SIGKILL'), exited(3_011), started(3_600)] }) }, 'inconclusive', 'a fault had ended router by SIGKILL 5 ms before it closed'],
    ['closed before its death', { entries: story({ extra: restarted }) }, 'held', 'was closed by FIN'],
    ['closed while another instance was killed', { entries: story({ extra: [sent(3_005, 'SIGKILL', 'router.2'), exited(3_011, 'router.2')] }), facts: TWO }, 'held', 'was closed by FIN'],
  ]);
});

describe('renewal-stopped', () => {
  table('renewal-stopped', { client: 'alice', after: 'gone' }, [
    ['no renewal by a system that was free to renew', { entries: story() }, 'held', 'no lease'],
    ['no renewal by one that a fault had stopped', { entries: story({ extra: [sent(3_500, 'SIGSTOP'), sent(5_000, 'SIGCONT')] }) }, 'inconclusive', 'a fault had stopped the system from 3.5 s to 5.0 s'],
    ['renewed, stopped, renewed', { entries: story({ ...LEAK, extra: [sent(3_500, 'SIGSTOP'), sent(3_600, 'SIGCONT')] }) }, 'violated', 'lease of'],
  ]);
});
