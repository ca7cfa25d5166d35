// The writer of a run that keeps no evidence. It takes what any bundle takes and lets it pass the same redactor, so that
// what is judged is the same; nothing of it reaches the disk.
import type { Observation } from '../model/observation.ts';
import { createTimeline } from '../model/timeline.ts';
import type { Timeline } from '../model/timeline.ts';
import { inTurns } from '../model/turns.ts';
import { FORMAT_VERSION } from './format.ts';
import type { Resolved } from './format.ts';
import type { Redactor } from './redact.ts';
import type { BundleStart, BundleWriter } from './write.ts';

/** What a reader of the written lines would get, since judges may see nothing that a bundle would not hold. */
function* redacted(observations: Iterable<Observation>, redactor: Redactor): Generator<void, Timeline> {
  const read: Observation[] = [];
  for (const observation of observations) {
    read.push(JSON.parse(redactor.json(observation)) as Observation);
    yield;
  }
  return createTimeline(read);
}

const nothing = async (): Promise<void> => {};

/** Nothing of it can fail. */
export const createNoBundle = ({ resolved: given, redactor }: Pick<BundleStart, 'resolved' | 'redactor'>): BundleWriter => {
  const observations: Observation[] = [];
  let resolved: Resolved = given;
  let control: Timeline | null = null;
  let isClosed = false;
  return {
    folder: null,
    observe: (observation) => {
      if (!isClosed) observations.push(observation);
    },
    log: () => {},
    update: async (changed) => {
      resolved = changed.resolved ?? resolved;
    },
    writeControl: async (copied) => {
      control = await inTurns(redacted(copied.all, redactor));
    },
    flush: nothing,
    closeTimeline: async () => {
      isClosed = true;
    },
    readBack: async () => ({
      timeline: await inTurns(redacted(observations, redactor)),
      control,
      resolved: JSON.parse(JSON.stringify(redactor.value(resolved))) as Resolved,
    }),
    keepText: nothing,
    writeVerdicts: nothing,
    writeReport: nothing,
    seal: async () => ({ format: FORMAT_VERSION, files: {} }),
    failure: () => null,
  };
};
