// The harness halves of the steps that wait, meet and ask: when they mark, and in which order they do what.
import { describe, expect, it } from 'vitest';
import { createLiveTimeline } from '../model/live.ts';
import type { LiveTimeline } from '../model/live.ts';
import { steps } from './registry.ts';
import { createContext } from './step-kit.ts';
import type { StepContext, StepResult } from './step.ts';
import { requestOf } from './test-kit.ts';

const timelineOf = (): LiveTimeline => createLiveTimeline(() => {});

describe('harness halves', () => {
  it('wait lets the time pass and then marks; an interrupt ends it', async () => {
    const timeline = timelineOf();
    const context = createContext(timeline, { mark: 'later' });
    await steps.get('wait')!.perform!(context, { for: 60 });
    expect(timeline.seal().mark('later')!.atMs).toBeGreaterThanOrEqual(59);
    const stop = new AbortController();
    const waiting = steps.get('wait')!.perform!(createContext(timeline, { signal: stop.signal }), { for: 60_000 });
    stop.abort();
    expect(await waiting).toEqual({ outcome: 'done' });
  });

  it('barrier marks when all have come, refund marks before it asks', async () => {
    const timeline = timelineOf();
    const marks = (): number => timeline.seal().of('mark').length;
    let marksAtMeeting = -1;
    let marksAtRefund = -1;
    await steps.get('barrier')!.perform!(
      createContext(timeline, {
        mark: 'met',
        meet: async () => {
          marksAtMeeting = marks();
        },
      }),
      { name: 'all' },
    );
    expect([marksAtMeeting, marks()]).toEqual([0, 1]);
    const refund = async (): Promise<StepResult> => {
      marksAtRefund = marks();
      return { outcome: 'done' };
    };
    expect(await steps.get('refund')!.perform!(createContext(timeline, { mark: 'asked', refund }), {})).toEqual({
      outcome: 'done',
    });
    expect(marksAtRefund).toBe(2);
  });

  it('barrier says when the others did not come, and marks all the same', async () => {
    const timeline = timelineOf();
    const result = await steps.get('barrier')!.perform!(createContext(timeline, { mark: 'met', meet: async () => false }), {
      name: 'all',
    });
    expect(result).toEqual({ outcome: 'not-seen', reason: 'not every client came to the barrier all' });
    expect(timeline.seal().mark('met')).toBeDefined();
  });

  it('request plans before it acts', async () => {
    const order: string[] = [];
    const plan: StepContext['plan'] = async (name) => {
      order.push(`plan ${name}`);
      return requestOf();
    };
    const act: StepContext['act'] = async (options) => {
      order.push(`act ${String(options.name)}`);
      return { outcome: 'done' };
    };
    await steps.get('request')!.perform!(createContext(timelineOf(), { act, plan }), { name: 'chat' });
    expect(order).toEqual(['plan chat', 'act chat']);
  });
});
