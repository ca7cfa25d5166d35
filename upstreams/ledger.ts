// Where facts are noted down. A fact is stamped at once but handed on a moment later: a hundred
// connections that break in one instant are all stamped before the first is made into text.
import type { Emit } from '../harness/model/actor.ts';
import type { Fact } from '../harness/model/observation.ts';
import { nowMs } from '../harness/model/time.ts';

export type Ledger = {
  /** @param atMs absolute, where the moment was noted earlier */
  readonly note: (actor: string, fact: Fact, atMs?: number) => void;
  /** Hands on what was noted; replies to commands call it, so that facts come before the reply. */
  readonly flush: () => void;
};

/** Longer than such an instant lasts (3 ms for a hundred), shorter than anyone would notice. */
const DELAY_MS = 4;

type Note = { readonly actor: string; readonly fact: Fact; readonly atMs: number };

export const createLedger = (emit: Emit): Ledger => {
  let notes: Note[] = [];
  let scheduled = false;
  const flush = (): void => {
    scheduled = false;
    const ready = notes;
    notes = [];
    for (const { actor, fact, atMs } of ready) emit(actor, fact, atMs);
  };
  return {
    note: (actor, fact, atMs = nowMs()) => {
      notes.push({ actor, fact, atMs });
      if (scheduled) return;
      scheduled = true;
      setTimeout(flush, DELAY_MS);
    },
    flush,
  };
};
