// The contract of a planted defect: one decision of the clean behaviour, taken wrongly. Never on by
// itself; HANGUP_DEFECTS names those that are.
import type { Behaviour } from '../behaviour.ts';

export type Defect = {
  /** Kebab-case; equals the file's name. */
  readonly name: string;
  /** One line: what goes wrong. */
  readonly about: string;
  readonly apply: (behaviour: Behaviour) => Behaviour;
};
