// Whether manifest.json, resolved.json and reduced.json are what readers take them for, whoever wrote them. A bundle that was not sealed
// has nothing that protects it, and a seal can be made by anybody. What is optional was not written by the first version.
import { BOUND_NAMES } from '../model/facts.ts';
import { FILES } from './format.ts';
import { anything, flag, listOf, mapOf, maybe, number, orNull, record, text, word } from './kinds.ts';
import type { Kind } from './kinds.ts';
import { unreadable } from './unreadable.ts';

const manifest = record({
  format: number, runId: text, scenario: text, scenarioHash: text, runtime: word('process', 'docker'), argv: listOf(text), startedAt: text,
  harness: record({ version: text, commit: orNull(text), dirty: orNull(flag) }),
  versions: mapOf(text), phases: mapOf(number), isControl: flag, seed: maybe(number),
});

const facts = record({
  scenario: text, runtime: word('process', 'docker'), tests: orNull(word(...BOUND_NAMES)),
  clients: mapOf(record({ account: orNull(text), address: text })),
  copies: maybe(mapOf(listOf(text))),
  upstreams: mapOf(record({ address: text })),
  system: record({
    listen: text, address: text, main: text,
    instances: maybe(listOf(record({ process: text, address: text, listen: text, clockAheadMs: number }))),
  }),
  periods: record({ renewalMs: maybe(number), leaseMs: maybe(number), sweepMs: maybe(number) }),
  bounds: mapOf(number),
  price: orNull(record({ perRequest: number, perEvent: number })),
  policy: record({
    onDisconnect: word('cancel', 'drain'), halfClose: word('abort', 'serve'), partialBilling: word('delivered', 'nothing', 'full'),
  }),
  ledger: orNull(record({ hasReservations: flag, hasCharges: flag })),
  stop: record({ signal: text, graceMs: number, exit: listOf(number) }),
  sampling: record({ ledgerMs: number, socketsMs: number, processMs: number }),
  leaves: listOf(record({ mark: text, client: text, how: text, quiet: maybe(flag) })),
  stopsAt: orNull(text), watchMs: number, marginMs: number,
});

const claim = record({ kind: text, options: mapOf(anything), id: text, as: maybe(text), notApplicable: orNull(text) });

const run = record({
  card: text, defects: listOf(text), settings: mapOf(anything), matrix: mapOf(text), coordinates: maybe(mapOf(text)), catches: mapOf(listOf(text)),
  saw: mapOf(record({ what: text, violates: listOf(text) })),
  concludes: maybe(mapOf(record({ outcome: word('inconclusive', 'violated'), because: text }))),
  about: text, source: text, file: maybe(text), cardFile: maybe(text), cardHash: maybe(text), cardFiles: maybe(mapOf(orNull(text))), version: maybe(text),
  system: maybe(orNull(text)), variables: maybe(mapOf(text)), repository: maybe(text), presets: maybe(listOf(text)),
  drawn: maybe(record({ seed: number, times: mapOf(number) })),
  known: maybe(listOf(record({ violates: listOf(text), issue: maybe(text) }))),
});

const resolved = record({ judged: record({ facts, claims: listOf(claim) }), run });
const reduced = record({ of: orNull(text), canBeJudged: flag, left: listOf(record({ path: text, what: text, bytes: number })) });

const KINDS: Readonly<Record<string, Kind>> = { [FILES.manifest]: manifest, [FILES.resolved]: resolved, [FILES.reduced]: reduced };

/** @throws ProblemError `bundle-damaged`, with where it is wrong and nothing of what stands there */
export const checkFile = (file: string, raw: unknown): void => {
  const wrong = KINDS[file]!(raw);
  if (wrong === null) return;
  throw unreadable(file, wrong === '' ? 'it is no object' : `${wrong.slice(1)} is missing, or is not what it must be`);
};

/** `run` of resolved.json where it stands by itself. @throws ProblemError `bundle-damaged` */
export const checkRun = (raw: unknown): void => {
  const wrong = run(raw);
  if (wrong !== null) throw unreadable(FILES.resolved, `run${wrong} is missing, or is not what it must be`);
};
