// What a client does not read is left with the upstream: of an answer that nobody takes the system takes only so
// much. Memory alone does not show it, since files can hold it as well; the bytes that the upstream got rid of do.
import type { Exchange, Upstream } from '../model/exchanges.ts';
import { totalsAfter, totalsBefore } from '../model/exchanges.ts';
import { numberOption, textOption } from '../model/fields.ts';
import { refOf } from '../model/observation.ts';
import type { ObservationOf } from '../model/observation.ts';
import { readingsOf } from '../model/readings.ts';
import type { ProcessValue } from '../model/samples.ts';
import { formatMs } from '../model/time.ts';
import type { Finding } from '../model/verdict.ts';
import type { ExpectationDefinition } from './expectation.ts';
import { held, inconclusive, isFinding, violated, weigh } from './parts/finding.ts';
import { instanceOf } from './parts/instances.ts';
import { outagesOf, pausesOf } from './parts/outage.ts';
import { subjectOf } from './parts/subject.ts';
import { clientProcesses, everyFaultFired, pathWorks, systemLived, watchersAreSound, worstLag } from './parts/trust.ts';
import { isWhole, viewOf } from './parts/view.ts';
import type { View } from './parts/view.ts';
import { formatBytes } from './parts/words.ts';

type Pause = ObservationOf<'paused'>;
/** The time in which the client read nothing, and what it had got by then: at most, and at least. */
type Stall = { readonly paused: Pause; readonly untilMs: number; readonly gotBytes: number; readonly leastBytes: number };

/** Every pause: up to the moment it reads on or leaves, else up to the end of what is known. */
const stallsOf = (view: View, exchange: Exchange): readonly Stall[] => {
  const own = view.timeline.all.filter((seen) => (seen.type === 'paused' || seen.type === 'resumed') && seen.marker === exchange.marker);
  const { received, left, ended } = exchange;
  return own
    .filter((seen): seen is Pause => seen.type === 'paused')
    .map((paused): Stall => {
      const resumed = own.find((seen) => seen.type === 'resumed' && seen.atMs >= paused.atMs);
      const untilMs = Math.min(resumed?.atMs ?? Infinity, left?.atMs ?? Infinity, view.endMs);
      const leastBytes = Math.max(totalsBefore(received, untilMs).bytes, ended && ended.atMs <= untilMs ? ended.bytes : 0);
      // What was read before a pause is told soon after it has begun, or as much later as somebody lagged; what is told later was read later.
      const lagMs = worstLag(view.timeline, { fromMs: paused.atMs, toMs: untilMs })?.lagMs ?? 0;
      const isTold = untilMs - paused.atMs > view.facts.marginMs + lagMs;
      return { paused, untilMs, leastBytes, gotBytes: isTold ? leastBytes : Math.max(leastBytes, totalsAfter(received, untilMs).bytes) };
    });
};

/** What the upstream surely had got rid of by then, told the last. */
const takenBy = ({ progress }: Upstream, atMs: number): ObservationOf<'answer-progress'> | undefined =>
  progress.findLast((told) => told.atMs <= atMs);

/** At that time it wanted to write and could not; or the system had ended it. */
const isHeldBack = (view: View, upstream: Upstream, atMs: number): boolean => {
  if (upstream.closed && upstream.closed.atMs <= atMs) return true;
  const turns = view.timeline.all.filter(
    (seen) =>
      (seen.type === 'write-blocked' || seen.type === 'write-drained') &&
      seen.actor === upstream.received.actor &&
      seen.exchange === upstream.received.exchange &&
      seen.atMs <= atMs,
  );
  return turns.at(-1)?.type === 'write-blocked';
};

const grownBy = (readings: readonly { readonly value: ProcessValue }[], of: 'rssBytes' | 'fileBytes'): number | null => {
  const seen = readings.flatMap(({ value }) => value[of] ?? []);
  return seen.length < 2 ? null : Math.max(...seen) - seen[0]!;
};

/** Where it went, as far as it was seen: a note, since what was taken decides. */
const whereWords = (view: View, untilMs: number): string => {
  const beganMs = view.timeline.phase('baseline').beginMs ?? 0;
  const readings = readingsOf(view.timeline, 'process').filter(({ atMs }) => atMs >= beganMs && atMs <= untilMs);
  const [files, memory] = [grownBy(readings, 'fileBytes'), grownBy(readings, 'rssBytes')];
  const parts = [
    ...(files === null ? [] : [`its open files grew by ${formatBytes(files)}`]),
    ...(memory === null ? [] : [`its memory grew by ${formatBytes(memory)}`]),
  ];
  return parts.length === 0 ? '' : `; ${parts.join(', ')}`;
};

type Measured = { readonly exchange: Exchange; readonly upstream: Upstream; readonly stall: Stall; readonly beyond: number };

const beyondIn = (upstream: Upstream, { untilMs, gotBytes }: Stall): number => Math.max(0, (takenBy(upstream, untilMs)?.bytes ?? 0) - gotBytes);

/** What the upstream surely got rid of beyond what the client got, in the worst pause that breaks the limit, else in the last; or why there is nothing to measure. */
const measure = (view: View): Measured | Finding => {
  const client = textOption(view.options, 'client');
  const exchange = subjectOf(view, client);
  if (isFinding(exchange)) return exchange;
  const stalls = stallsOf(view, exchange);
  if (stalls.length === 0) return inconclusive(`${client} never stopped reading`);
  const upstream = exchange.upstreams.at(-1);
  if (!upstream) return inconclusive(`no upstream got ${client}'s request`);
  const atMost = numberOption(view.options, 'at-most');
  const stall = stalls.find((each) => beyondIn(upstream, each) > atMost) ?? stalls.at(-1)!;
  return { exchange, upstream, stall, beyond: beyondIn(upstream, stall) };
};

/** Where nothing held the upstream back, nothing shows that there is a bound. */
const boundWasMet = (view: View, { exchange, upstream, stall }: Measured): Finding | null => {
  const { paused, untilMs } = stall;
  const { process } = instanceOf(view, exchange);
  const outage = outagesOf(view.timeline, process).find(({ sent, toMs }) => sent.atMs <= untilMs && toMs >= paused.atMs);
  if (outage) return inconclusive(`a fault had ended ${process} by ${outage.sent.signal} meanwhile: nothing shows that there is a bound`, [refOf(outage.sent)]);
  const pause = pausesOf(view.timeline, process).find(({ fromMs, toMs }) => fromMs <= untilMs && toMs >= untilMs);
  if (pause) return inconclusive(`a fault had stopped ${process} from ${formatMs(pause.fromMs)} on: it took nothing because of that`, [pause.ref]);
  if (isHeldBack(view, upstream, untilMs)) return null;
  return upstream.ended && upstream.ended.atMs <= untilMs
    ? inconclusive(`${upstream.name} had no more to give than ${formatBytes(upstream.ended.bytes)}: nothing shows that there is a bound`)
    : inconclusive(`${upstream.name} could still write ${formatMs(untilMs - paused.atMs)} after ${exchange.client} stopped reading`);
};

const judge = (view: View): Finding => {
  const measured = measure(view);
  if (isFinding(measured)) return measured;
  const { exchange, upstream, stall, beyond } = measured;
  const { paused, untilMs, gotBytes } = stall;
  const atMost = numberOption(view.options, 'at-most');
  const took = `the system took ${formatBytes(beyond)} from ${upstream.name} that ${exchange.client} did not read`;
  const words = `${took}; ${formatBytes(atMost)} are allowed${whereWords(view, untilMs)}`;
  const last = takenBy(upstream, untilMs);
  const evidence = [refOf(paused), ...(last ? [refOf(last)] : [])];
  const first = upstream.progress.find(({ bytes }) => bytes - gotBytes > atMost);
  return weigh({
    wrong: [() => (beyond > atMost ? violated(words, evidence, { interval: { fromMs: first!.atMs, toMs: untilMs } }) : null)],
    guards: [
      () => everyFaultFired(view),
      () => pathWorks(view),
      () => systemLived(view, untilMs),
      () => watchersAreSound(view.timeline, ['upstreams', ...clientProcesses(exchange.client)], untilMs),
    ],
    decide: () =>
      (last?.bytes ?? 0) - stall.leastBytes > atMost
        ? inconclusive(`${took}, but how much ${exchange.client} had got by then is not known`, evidence)
        : held(words, evidence),
    confirm: [() => boundWasMet(view, measured), () => isWhole(view)],
  });
};

const pending = (view: View): string | null => {
  const measured = measure(view);
  if (isFinding(measured)) return measured.reason;
  if (measured.beyond > numberOption(view.options, 'at-most') || measured.upstream.ended) return null;
  return boundWasMet(view, measured)?.reason ?? null;
};

export const definition: ExpectationDefinition = {
  kind: 'bounded-buffering',
  about: 'Of an answer that its client does not read the system takes only so much from the upstream, wherever it keeps it.',
  fields: {
    options: {
      client: { type: 'client', about: 'The client that stops reading.' },
      'at-most': { type: 'size', about: 'How much may be taken beyond what the client got; buffers of the kernel are in it.' },
    },
  },
  example: { client: 'alice', 'at-most': '32MiB' },
  looksAtFiles: true,
  notApplicable: () => null,
  explain: (_facts, { client, 'at-most': atMost }) => ({
    needs: [`${String(client)} stops reading, and the upstream is then held back, or ended by the system, at the end of the watch`],
    violatedIf: [`the upstream gets rid of more than ${formatBytes(Number(atMost))} beyond what ${String(client)} got`],
    inconclusiveIf: [
      'the upstream could still write at the end of the watch, or had no more to give',
      'an upstream or the client was not watched well, or the system died by itself',
    ],
  }),
  pending: (input) => pending(viewOf(input, 'watch')),
  judge: (input) => judge(viewOf(input, 'watch')),
};
