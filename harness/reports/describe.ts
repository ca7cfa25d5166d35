// One observation in words, and its moment as people speak of it: so long after which mark.
import type { Observation } from '../model/observation.ts';
import type { Reservation } from '../model/samples.ts';
import { formatMs } from '../model/time.ts';
import type { Timeline } from '../model/timeline.ts';
import { oneLine } from './text.ts';

const HIDDEN = new Set(['atMs', 'actor', 'seq', 'type', 'value', 'tookMs', 'marker']);

const fieldText = (key: string, value: unknown): string => {
  if (value === null || value === undefined || value === '') return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return key.endsWith('Ms') && typeof value === 'number' ? `${key.slice(0, -2)} ${formatMs(value)}` : `${key} ${text}`;
};

/** A lease time is when it was last renewed; how long it holds from then is the card's to say. */
const leaseText = ({ leaseAtMs, terminal }: Reservation, wallMs: number): string => {
  if (leaseAtMs === undefined || terminal) return '';
  const aheadMs = leaseAtMs - wallMs;
  return aheadMs > 0 ? `, lease set ${formatMs(aheadMs)} ahead` : `, lease set ${formatMs(-aheadMs)} before`;
};

/** What a sample shows, short: its rows are in the timeline and in the snapshots. */
const sampleText = (sample: Extract<Observation, { type: 'sample' }>): string => {
  const of = `sample of ${sample.probe}${sample.mark ? ` at ${sample.mark}` : ''}`;
  if (!sample.value) return `${of} failed: ${sample.error ?? 'no value'}`;
  switch (sample.probe) {
    case 'ledger': {
      const { reservations, wallMs } = sample.value;
      const rows = reservations.map((row) => `${row.id} ${row.state} ${row.amount}${leaseText(row, wallMs)}`);
      return `${of}: ${rows.length === 0 ? 'no reservation' : `reservation ${rows.join('; ')}`}`;
    }
    case 'sockets': {
      const rows = sample.value.rows.map((row) => `${row.local} > ${row.remote} ${row.state}${row.inode === 0 ? ' (orphaned)' : ''}`);
      return `${of}: ${rows.join('; ')}`;
    }
    case 'process':
      return `${of}: ${Object.entries(sample.value.alive).map(([name, alive]) => `${name} ${alive ? 'alive' : 'ended'}`).join(', ')}`;
    case 'http':
      return `${of}: ${sample.value.status} ${JSON.stringify(sample.value.fields)}`;
  }
};

/** One line, without its time and actor. */
export const describe = (observation: Observation): string => {
  if (observation.type === 'sample') return oneLine(sampleText(observation), 240);
  const shown = Object.entries(observation).filter(([key]) => !HIDDEN.has(key));
  const fields = shown.map(([key, value]) => fieldText(key, value)).filter(Boolean);
  return oneLine(`${observation.type}${fields.length > 0 ? `: ${fields.join(', ')}` : ''}`, 240);
};

/** `gone + 1.2 s`: the last mark before it, or the first one after it; the run's begin where there is none. */
export const relativeTime = (timeline: Timeline, atMs: number): string => {
  const marks = timeline.of('mark');
  const mark = marks.findLast((each) => each.atMs <= atMs) ?? marks[0];
  if (!mark) return `start + ${formatMs(atMs)}`;
  return atMs >= mark.atMs ? `${mark.mark} + ${formatMs(atMs - mark.atMs)}` : `${mark.mark} - ${formatMs(mark.atMs - atMs)}`;
};
