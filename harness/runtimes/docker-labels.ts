// Names and labels of everything that an engine holds for us. Names are chosen by us, so that what
// was asked for can be removed by name although the answer never came.
import type { StagePlan } from './runtime.ts';

export const RUN_LABEL = 'hangup.run';
export const STAGE_LABEL = 'hangup.stage';
/** On images: what it is an image of. */
export const IMAGE_LABEL = 'hangup.image';
/** On images of Debian packages: those that were asked for, as they were that day. */
export const PACKAGES_LABEL = 'hangup.packages';

type Ids = Pick<StagePlan, 'runId' | 'stageId'>;

export const labelsOf = ({ runId, stageId }: Ids): Record<string, string> => ({ [RUN_LABEL]: runId, [STAGE_LABEL]: stageId });

let count = 0;

/** `hangup-<run>-<stage>-<part>-<n>`, in the characters that engines allow. */
export const nameOf = ({ runId, stageId }: Ids, part: string): string => {
  count += 1;
  const safe = `${runId}-${stageId}-${part}`.replaceAll(/[^a-zA-Z0-9_.-]+/g, '-').slice(0, 180);
  return `hangup-${safe}-${count}`;
};
