// The contract of a probe: a read-only view of the system, sampled from inside the stage.
import type { Options } from '../model/fields.ts';
import type { Definition } from '../model/registry.ts';

/** One configured view. `sample` throws when it cannot see; `close` frees what it holds. */
export type ProbeView = {
  readonly sample: () => Promise<unknown> | unknown;
  readonly close?: () => void;
  /** True while sampling by the clock would disturb the system: then only marks are sampled. */
  readonly marksOnly?: () => boolean;
};

export type ProbeDefinition = Definition & {
  /**
   * `config` is plain data from the card and the stage (paths, statements, addresses). `before`: the view that it takes
   * the place of, for what must be remembered.
   */
  readonly open: (config: Options, before?: ProbeView) => ProbeView;
};
