// Reports know a busy machine by the words of judges: these are the words.
import { expect, test } from 'vitest';
import { feedingWasSeen, nobodyLagged } from '../expectations/parts/trust.ts';
import type { View } from '../expectations/parts/view.ts';
import { createTimeline } from '../model/timeline.ts';
import { isBusy } from '../reports/busy.ts';

const WINDOW = { fromMs: 1_000, toMs: 9_000 };
const timeline = createTimeline([{ atMs: 5_000, actor: 'harness', seq: 1, type: 'scheduling-lag', process: 'harness', lagMs: 1_234 }]);

test('a harness that lagged, and a probe that looked too seldom', () => {
  const said = [nobodyLagged(timeline, 500, WINDOW), feedingWasSeen({ timeline, endMs: 9_500 } as View, WINDOW, 1_500)];
  for (const finding of said) expect(isBusy(finding!.reason), finding!.reason).toBe(true);
  // Said by `systemWasFed`.
  expect(isBusy('the system waited 1.2 s for a processor between 3.0 s and 4.5 s, more than a third of a lease of 1.5 s')).toBe(true);
});

test('nothing else', () => {
  for (const reason of ['fault partition did not fire: no namespace', 'the clocks agree only to 700 ms, the margin is 500 ms', 'still open 2.0 s after the FIN'])
    expect(isBusy(reason), reason).toBe(false);
});
