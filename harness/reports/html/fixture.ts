// A small run for the tests of the page, and what is taken out of a page.
import { MANIFEST, OBSERVATIONS, RESOLVED, VERDICTS } from '../../bundle/fixture.ts';
import { createTimeline } from '../../model/timeline.ts';
import type { ReportInput } from '../view/input.ts';

export const input = (change: Partial<ReportInput> = {}): ReportInput => ({
  manifest: { ...MANIFEST, format: 1, phases: { prepare: 800, drive: 610 } },
  resolved: RESOLVED,
  timeline: createTimeline(OBSERVATIONS),
  verdicts: VERDICTS,
  control: null,
  ...change,
});
/** What a reader without scripts has: all but scripts and style. */
export const still = (page: string): string => page.replace(/<script[\s\S]*?<\/script>/g, '').replace(/<style>[\s\S]*?<\/style>/g, '');
export const dataOf = (page: string): unknown =>
  JSON.parse(/<script type="application\/json" id="view-data">([\s\S]*?)<\/script>/.exec(page)![1]!);
