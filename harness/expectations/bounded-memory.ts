// What a client does not read is not kept: the system's memory stays within a limit of what it was.
import { exchangesOf } from '../model/exchanges.ts';
import { numberOption } from '../model/fields.ts';
import { longestGap, readingsOf } from '../model/readings.ts';
import { formatMs } from '../model/time.ts';
import type { Finding } from '../model/verdict.ts';
import type { ExpectationDefinition } from './expectation.ts';
import { RECORD_DOUBTS } from './parts/explaining.ts';
import { held, inconclusive, violated, weigh } from './parts/finding.ts';
import { everyFaultFired, pathWorks, systemLived } from './parts/trust.ts';
import { isWhole, viewOf } from './parts/view.ts';
import type { View } from './parts/view.ts';
import { formatBytes, gapWords, since } from './parts/words.ts';

const judge = (view: View): Finding => {
  const { timeline, facts } = view;
  const atMost = numberOption(view.options, 'at-most');
  const { beginMs, endMs } = timeline.phase('baseline');
  const readings = readingsOf(timeline, 'process');
  const baseline = readings.findLast(({ beganMs, atMs }) => beganMs >= (beginMs ?? Infinity) && atMs <= (endMs ?? -Infinity));
  if (!baseline) return inconclusive('probe process has no sample of the baseline');
  const after = readings.filter(({ atMs }) => atMs >= baseline.atMs);
  const peak = after.reduce((largest, reading) => (reading.value.rssBytes > largest.value.rssBytes ? reading : largest));
  const grown = peak.value.rssBytes - baseline.value.rssBytes;
  const when = since(peak.atMs - baseline.atMs, 'the baseline');
  const words = `memory grew by ${formatBytes(grown)} to ${formatBytes(peak.value.rssBytes)}, ${when}; ${formatBytes(atMost)} are allowed`;
  const evidence = [baseline.ref, peak.ref];
  const allowedMs = Math.max(4 * facts.sampling.processMs, facts.marginMs);
  return weigh({
    wrong: [
      () =>
        grown > atMost
          ? violated(words, evidence, {
              interval: { fromMs: after.find(({ value }) => value.rssBytes - baseline.value.rssBytes > atMost)!.atMs, toMs: peak.atMs },
            })
          : null,
    ],
    guards: [
      () => everyFaultFired(view),
      () => pathWorks(view),
      () => systemLived(view, view.endMs),
      () => isWhole(view),
      () =>
        exchangesOf(timeline).some(({ upstreams }) => upstreams.some(({ progress }) => progress.length > 0))
          ? null
          : inconclusive('no upstream ever wrote anything: there was nothing to keep'),
      () => {
        const gap = longestGap(after, { fromMs: baseline.beganMs, toMs: view.endMs });
        return gap.toMs - gap.fromMs > allowedMs ? inconclusive(`probe process too slow: ${gapWords(gap)}`) : null;
      },
    ],
    decide: () => held(words, evidence),
  });
};

export const definition: ExpectationDefinition = {
  kind: 'bounded-memory',
  about: "The system's peak memory less that of the baseline stays within the limit.",
  fields: { $bare: 'at-most', options: { 'at-most': { type: 'size', about: 'How much it may grow.' } } },
  example: { 'at-most': '96MiB' },
  notApplicable: () => null,
  explain: (facts, options) => ({
    needs: ['the process probe at the baseline', 'an upstream that has written something'],
    violatedIf: [`the system's resident memory is ever more than ${formatBytes(numberOption(options, 'at-most'))} above the baseline`],
    inconclusiveIf: [
      `the process probe leaves a gap of more than ${formatMs(Math.max(4 * facts.sampling.processMs, facts.marginMs))}`,
      ...RECORD_DOUBTS,
    ],
  }),
  judge: (input) => judge(viewOf(input, 'watch')),
};
