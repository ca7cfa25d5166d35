// What is said of a run that was cut off before it was judged: its harness was killed, or its disk was full.
import { JUDGE_VERSION } from './format.ts';
import type { Verdicts } from './format.ts';

/** `error: interrupted`. A record that breaks off may lack the very thing that a claim is about: none is judged by it. */
export const cutOffVerdicts = (scenario: string): Verdicts => ({
  judge: JUDGE_VERSION,
  scenario,
  outcome: 'error',
  verdicts: [],
  problems: [
    {
      family: 'environment',
      code: 'interrupted',
      message: 'the run was cut off before it was judged, so nothing is concluded from it',
      hint: 'what was recorded until then can be read all the same; run it again for verdicts',
    },
  ],
});
