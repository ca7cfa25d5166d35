// What the cells of one command share, and where their evidence goes.
import type { Manifest } from '../bundle/format.ts';
import { keepBundles } from '../bundle/lies-in.ts';
import { makeFolder } from '../bundle/make-folder.ts';
import type { Secrets } from '../bundle/secrets.ts';
import type { LiveTimeline } from '../model/live.ts';
import type { PhaseName } from '../model/observation.ts';
import { ProblemError } from '../model/problem.ts';
import type { Keeping } from '../run/keep.ts';
import type { PathDetour } from '../run/path-control.ts';
import type { Runtime, RuntimeKind } from '../runtimes/runtime.ts';
import type { Cell } from '../systems/cell.ts';
import type { Untestable } from '../systems/untestable.ts';
import type { Asked } from './asked.ts';

export type Session = {
  readonly runId: string;
  readonly runtime: Runtime;
  /** Of cells that are for another one, by its kind. */
  readonly others?: ReadonlyMap<RuntimeKind, Runtime>;
  /** Where the bundles of this command go; null: no evidence is kept. */
  readonly output: string | null;
  readonly stages: string;
  /** How much of each stage's packets is kept, bytes; null or absent: none. */
  readonly captureBytes?: number | null;
  /** By the card's key: the folder of its packages. */
  readonly installed: ReadonlyMap<string, string>;
  /** By the card's key: the work tree of its revision. */
  readonly sources?: ReadonlyMap<string, string>;
  /** By the card's key: which versions of its packages are there. */
  readonly packages?: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /**
   * Makes packages, work trees and images of these cells ready, once each; planners that find out what they need as they go call it.
   * @returns by the card's key: why one of them is untestable
   * @throws ProblemError for what is the machine's fault; the signal's reason
   */
  readonly provide?: (cells: readonly Cell[]) => Promise<ReadonlyMap<string, Untestable>>;
  /** Why the system cannot be had at the cell's coordinates; null: it was provided. */
  readonly untestable?: (cell: Cell) => Untestable | null;
  readonly signal: AbortSignal;
  /** `seed`: from which the times of attempts are drawn; absent: 0. */
  readonly manifest: Pick<Manifest, 'argv' | 'harness' | 'versions' | 'seed'>;
  /** By name: what cards refer to as `${secret.name}`. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Everything that must be hidden, from the terminal too. */
  readonly hidden: Secrets;
  readonly timelines: Set<LiveTimeline>;
  readonly onPhase: (cell: Cell, phase: PhaseName, attempt: number) => void;
  readonly detour?: PathDetour;
  /** The first run that is caught stays up; absent: none does. */
  readonly keeping?: Keeping;
  /** For running the same again; absent: it is not said. */
  readonly asked?: Asked;
};

/** What the cell is run on. */
export const runtimeOf = ({ runtime, others }: Pick<Session, 'runtime' | 'others'>, cell: Pick<Cell, 'runtime'>): Runtime => others?.get(cell.runtime) ?? runtime;

/** What bundles of the cell begin with: versions of its own packages beside those of all. */
export const manifestOf = ({ manifest, packages }: Session, { card }: Cell): Session['manifest'] => ({
  ...manifest,
  versions: { ...manifest.versions, ...packages?.get(card.key) },
});

/** Before anything is got ready. @throws ProblemError `bad-option` for a folder in a bundle, which would break its seal */
export const checkOutput = (folder: string): Promise<void> => keepBundles(folder, 'call it from elsewhere, or name a folder beside it by --output');

/** The folder of one command's bundles. @throws ProblemError `output-not-writable`, `bad-option` */
export const makeOutput = async (folder: string): Promise<void> => {
  await checkOutput(folder);
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
