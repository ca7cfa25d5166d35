// What the cells of one command share, and where their evidence goes.
import type { Manifest } from '../bundle/format.ts';
import { makeFolder } from '../bundle/make-folder.ts';
import type { Secrets } from '../bundle/secrets.ts';
import type { LiveTimeline } from '../model/live.ts';
import type { PhaseName } from '../model/observation.ts';
import { ProblemError } from '../model/problem.ts';
import type { PathDetour } from '../run/path-control.ts';
import type { Runtime } from '../runtimes/runtime.ts';
import type { Cell } from '../systems/cell.ts';
import type { Asked } from './asked.ts';

export type Session = {
  readonly runId: string;
  readonly runtime: Runtime;
  /** Where the bundles of this command go; null: no evidence is kept. */
  readonly output: string | null;
  readonly stages: string;
  /** How much of each stage's packets is kept, bytes; null or absent: none. */
  readonly captureBytes?: number | null;
  /** By the card's file: the folder of its packages. */
  readonly installed: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
  readonly manifest: Pick<Manifest, 'argv' | 'harness' | 'versions'>;
  /** By name: what cards refer to as `${secret.name}`. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Everything that must be hidden, from the terminal too. */
  readonly hidden: Secrets;
  readonly timelines: Set<LiveTimeline>;
  readonly onPhase: (cell: Cell, phase: PhaseName, attempt: number) => void;
  readonly detour?: PathDetour;
  /** For running the same again; absent: it is not said. */
  readonly asked?: Asked;
};

/** The folder of one command's bundles. @throws ProblemError `output-not-writable` */
export const makeOutput = async (folder: string): Promise<void> => {
  try {
    await makeFolder(folder);
  } catch (cause) {
    throw new ProblemError({
      family: 'environment',
      code: 'output-not-writable',
      message: `${folder} cannot be made`,
      hint: 'give another folder with --output',
      cause,
    });
  }
};
