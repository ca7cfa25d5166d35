// Writes so many observations as they come in a run, by ours or plainly, and says how fast it was and what memory it took.
// A process of its own, so that its memory is of nothing else. Words: ours or plain, how many, where.
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { FORMAT_VERSION } from '../bundle/format.ts';
import type { Resolved } from '../bundle/format.ts';
import { createRedactor } from '../bundle/redact.ts';
import { createBundleWriter } from '../bundle/write.ts';
import type { Observation } from '../model/observation.ts';
import { nowMs } from '../model/time.ts';
import { residentBytes } from './servers.ts';

/** As many as may come between two turns of the loop. */
const BATCH = 250;
const SAMPLE_EVERY = 25_000;
const SECRETS = ['sk-9f86d081884c7d659a2feaa0c55ad015', 'a-secret-of-the-command-line', 'pg-password-0123456789'];

export type Written = {
  readonly perSecond: number;
  /** After each so many thousand, bytes. */
  readonly residentBytes: readonly number[];
  /** Of putting it into its total order, and the most memory that took. */
  readonly closeMs: number;
  readonly closePeakBytes: number;
};

const MARKER = 'hx.alice.1.00c0ffee';

/** What a busy run records: mostly progress, now and then a sample. Each is as it comes over the wire: parsed. */
const templates = (): readonly string[] => {
  const ledger = {
    type: 'sample', probe: 'ledger', tookMs: 0.412,
    value: {
      accounts: [{ id: '1', balance: 9000, reserved: 1000, spent: 0 }],
      reservations: [{ id: '7', account: '1', payer: '1', amount: 1000, state: 'active', terminal: false, leaseAtMs: 1_700_000_001_500, marker: MARKER }],
      consistent: true, wallMs: 1_700_000_000_000, writes: 41,
    },
  };
  const sockets = {
    type: 'sample', probe: 'sockets', tookMs: 0.61,
    value: { rows: [1, 2, 3].map((host) => ({ local: '127.0.0.2:41000', remote: `127.0.0.${host}:9000`, state: 'established', sendQueue: 0, receiveQueue: 0, inode: 77 })) },
  };
  const all = [
    ['client.alice', { type: 'received', marker: MARKER, bytes: 70_412, events: 431, comments: 0 }],
    ['upstream.model', { type: 'answer-progress', exchange: 2, bytes: 70_412, events: 431, comments: 0 }],
    ['client.bob', { type: 'received', marker: MARKER, bytes: 70_412, events: 431, comments: 0 }],
    ['lag.upstreams', { type: 'scheduling-lag', process: 'upstreams', lagMs: 1.204 }],
    ['probe.ledger', ledger],
    ['upstream.model', { type: 'answer-progress', exchange: 3, bytes: 70_412, events: 431, comments: 0 }],
    ['probe.sockets', sockets],
    ['client.alice', { type: 'received', marker: MARKER, bytes: 70_412, events: 431, comments: 0 }],
  ] as const;
  return all.map(([actor, fact]) => JSON.stringify({ actor, ...fact }));
};

const TEMPLATES = templates();

/** Nearly in order, as facts of several processes are. */
const observationOf = (index: number): Observation => {
  const late = index % 5 === 0 ? 3 : 0;
  return { ...(JSON.parse(TEMPLATES[index % TEMPLATES.length]!) as Observation), atMs: index / 10 - late, seq: index + 1 };
};

type Sink = { readonly take: (observation: Observation) => void; readonly flush: () => Promise<void>; readonly close: () => Promise<void> };

const resetPeak = (): void => writeFileSync('/proc/self/clear_refs', '5');
const peakBytes = (): number => Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1'))![1]) * 1024;

const ours = async (folder: string): Promise<Sink> => {
  const redactor = createRedactor();
  for (const secret of SECRETS) redactor.register(secret);
  const resolved = { judged: { facts: {}, claims: [] }, run: {} } as unknown as Resolved;
  const manifest = {
    runId: 'bench', scenario: 'bench', scenarioHash: '', runtime: 'process', argv: [], startedAt: '', versions: {}, isControl: false,
    harness: { version: String(FORMAT_VERSION), commit: null, dirty: null },
  };
  const bundle = await createBundleWriter(join(folder, 'bundle'), { manifest, scenarioText: '', resolved, redactor });
  return { take: bundle.observe, flush: bundle.flush, close: bundle.closeTimeline };
};

const plain = async (folder: string): Promise<Sink> => {
  const stream = createWriteStream(join(folder, 'plain.ndjson'));
  const drained = async (): Promise<void> => {
    if (stream.writableNeedDrain) await once(stream, 'drain');
  };
  return { take: (observation) => void stream.write(`${JSON.stringify(observation)}\n`), flush: drained, close: drained };
};

const [kind = '', count = '', folder = ''] = process.argv.slice(2);
const sink = await (kind === 'ours' ? ours : plain)(folder);
const memory: number[] = [];
const beganMs = nowMs();
let makingMs = 0;
for (let index = 0; index < Number(count); index += BATCH) {
  const turnMs = nowMs();
  const batch = Array.from({ length: BATCH }, (_, offset) => observationOf(index + offset));
  makingMs += nowMs() - turnMs;
  for (const observation of batch) sink.take(observation);
  if (index % SAMPLE_EVERY === 0) memory.push(residentBytes(process.pid));
  await setImmediate();
}
await sink.flush();
const perSecond = Number(count) / ((nowMs() - beganMs - makingMs) / 1_000);
resetPeak();
const closingMs = nowMs();
await sink.close();
const written: Written = { perSecond, residentBytes: memory, closeMs: nowMs() - closingMs, closePeakBytes: peakBytes() };
process.stdout.write(`${JSON.stringify(written)}\n`);
