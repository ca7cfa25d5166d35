// Packets of one run's stage, where they were asked for: begun before the system is, ended when everything has. What
// cannot be captured is told and never ends a run.
import { mkdir, rm, rmdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { LiveTimeline } from '../model/live.ts';
import { messageOf } from '../model/problem.ts';
import type { Scope } from '../model/scope.ts';
import type { CapturePlan } from '../runtimes/capture.ts';
import type { Stage } from '../runtimes/runtime.ts';

const STOP_LIMIT_MS = 15_000;

/** Told as a fact of this name: `met` where packets were kept, up to the end; what the kernel dropped is counted. */
export const CAPTURE = 'capture';

/** What was begun is in the scope, which ends it before the stage. Never throws. */
export const startCapture = async (
  stage: Pick<Stage, 'capture'>,
  plan: CapturePlan,
  { timeline, scope }: { readonly timeline: LiveTimeline; readonly scope: Scope },
): Promise<void> => {
  const tell = (met: boolean, detail: string): void => void timeline.note({ type: 'precondition', name: CAPTURE, met, detail });
  try {
    await mkdir(dirname(plan.file), { recursive: true });
    const capture = await stage.capture(plan);
    scope.own('capture', async () => {
      const { bytes, isCut, words, isBroken = false } = await capture.stop();
      const limit = isCut ? `; cut at the limit of ${plan.limitBytes} bytes: what came later is not in it` : '';
      const broken = isBroken ? '; its end was not heard, so that what came last may be missing' : '';
      tell(!isCut && !isBroken, `${bytes} bytes${words === '' ? '' : `, ${words}`}${limit}${broken}`);
    }, STOP_LIMIT_MS);
  } catch (error) {
    tell(false, `no packets were captured: ${messageOf(error)}`);
    // Nothing that looks like a record where there is none.
    if ((await stat(plan.file).catch(() => null))?.size === 0) await rm(plan.file, { force: true });
    await rmdir(dirname(plan.file)).catch(() => {});
  }
};
