// Names and labels of everything that an engine holds for us. Names are chosen by us, so that what
// was asked for can be removed by name although the answer never came.
import type { Engine } from './docker.ts';
import type { StagePlan } from './runtime.ts';

export const RUN_LABEL = 'hangup.run';
export const STAGE_LABEL = 'hangup.stage';
/** On images: what it is an image of. */
export const IMAGE_LABEL = 'hangup.image';
/** On images of Debian packages: those that were asked for, as they were that day. */
export const PACKAGES_LABEL = 'hangup.packages';

/** Of what an engine is to make a container of. */
type MountSettings = NonNullable<NonNullable<Parameters<Engine['createContainer']>[0]['HostConfig']>['Mounts']>[number];

type Ids = Pick<StagePlan, 'runId' | 'stageId'>;

export const labelsOf = ({ runId, stageId }: Ids): Record<string, string> => ({ [RUN_LABEL]: runId, [STAGE_LABEL]: stageId });

/** A mount of the stage's volume. Where that has been removed meanwhile the engine makes it anew: then it carries our labels, too, and is found by them. */
export const volumeMount = (volume: string, target: string, ids: Ids): MountSettings => ({
  Type: 'volume', Source: volume, Target: target, VolumeOptions: { NoCopy: false, Labels: labelsOf(ids) } as MountSettings['VolumeOptions'],
});

let count = 0;

/** `hangup-<run>-<stage>-<part>-<n>`, in the characters that engines allow. */
export const nameOf = ({ runId, stageId }: Ids, part: string): string => {
  count += 1;
  const safe = `${runId}-${stageId}-${part}`.replaceAll(/[^a-zA-Z0-9_.-]+/g, '-').slice(0, 180);
  return `hangup-${safe}-${count}`;
};
