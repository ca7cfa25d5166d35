// What is drawn: a bundle as it was read, whether its folder is still there or not.
import type { Bundle } from '../../bundle/read.ts';

export type ReportInput = Pick<Bundle, 'manifest' | 'resolved' | 'timeline' | 'verdicts' | 'control'>;
