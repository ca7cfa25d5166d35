// What is drawn: a bundle as it was read, whether its folder is still there or not.
import type { Bundle } from '../../bundle/read.ts';
import type { RightOf } from '../believe.ts';

export type ReportInput = Pick<Bundle, 'manifest' | 'resolved' | 'timeline' | 'verdicts' | 'control'> & {
  /** What its claims ask for; where it is not given, nothing is said of that. */
  readonly right?: RightOf;
};
