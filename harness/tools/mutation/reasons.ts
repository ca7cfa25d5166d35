// Why a mutant may live. The first that fits is its reason; one that none fits has not been looked at, and the page says so.
import { sameAs } from './same.ts';
import type { Mutant } from './score.ts';

export type Survivor = { readonly file: string; readonly code: string; readonly mutant: Mutant };

type Reason = { readonly name: string; readonly why: string; readonly fits: (survivor: Survivor) => boolean };

const replaced = ({ mutant }: Survivor): string => mutant.replacement ?? '';
const isOf = (name: string, { mutant }: Survivor): boolean => mutant.mutatorName === name;

/** `<` for `<=` and the like, which differ on the edge alone; `<` for `>=` is another rule. */
const isEdge = (survivor: Survivor): boolean => {
  const bare = (text: string): string => text.replace(/([<>])=/, '$1').replace(/\s+/g, '');
  return isOf('EqualityOperator', survivor) && bare(survivor.code) === bare(replaced(survivor)) && /[<>]/.test(survivor.code);
};

export const REASONS: readonly Reason[] = [
  {
    name: 'The same, written otherwise',
    why: 'Looked at one by one: no record can tell the two apart. Why is said beside each of them in `harness/tools/mutation/same.ts`.',
    fits: ({ file, code, mutant }) => sameAs(file, code, mutant.replacement ?? '') !== null,
  },
  {
    name: 'Words of a message',
    why: 'Outcome, evidence and interval are the same; what changes is a word that people read. The words before a run are held by the golden file of `explain`, the common ones of a verdict by the tables of cases.',
    fits: (survivor) => isOf('StringLiteral', survivor) && !/^(['"])[a-z-]+\1$/.test(survivor.code),
  },
  {
    name: 'What settling asks',
    why: 'Settling is asked before the watch has ended, when all that there is belongs to it, whatever the phase is called.',
    fits: ({ code }) => code === "'watch'" || code === "'stop'" || code === "input.options.bound === 'shutdown'",
  },
  {
    name: 'Where an open verdict points',
    why: 'The outcome and its words are the same, an observation is named less. That held and violated ones name what shows them every test checks (`expectSound`).',
    fits: (survivor) => isOf('ArrayDeclaration', survivor) && replaced(survivor) === '[]' && /\brefs?\b|refOf/.test(survivor.code),
  },
  {
    name: 'The edge of a comparison of measured times',
    why: 'Both sides of the limit are tested, a moment that is exactly on it is not. Times are fractions of a millisecond of two clocks: equality has no meaning that a system could be held to.',
    fits: (survivor) => isEdge(survivor) && /Ms\b|Ms\(/.test(survivor.code),
  },
  {
    name: 'The first of a list',
    why: 'What is looked for has something of its own before it, so that it is never the first: below 0 means that there is none.',
    fits: (survivor) => isEdge(survivor) && /^(index|first) < 0$/.test(survivor.code),
  },
  {
    name: 'The edge of an amount',
    why: 'Amounts that are equal never come so far: they do not differ (`differs`), or the comparison takes the larger of two, which are then the same.',
    fits: (survivor) => isEdge(survivor) && /amount|reserved|most|least|beyond|lag\.lagMs|1e-6|events|bytes/.test(survivor.code),
  },
  {
    name: 'What an absent value counts as',
    why: 'A default for what is not there (`?.`, an infinity, an empty list). Sorted by their form, not looked at one by one: most stand for a record that an earlier premise has refused already.',
    fits: (survivor) => isOf('OptionalChaining', survivor) || isOf('UnaryOperator', survivor) || /Stryker was here/.test(replaced(survivor)),
  },
];

export const reasonOf = (survivor: Survivor): Reason | null => REASONS.find(({ fits }) => fits(survivor)) ?? null;
