// What each claim says before anything is started: its words, when it does not apply, and how both follow
// the card and the scenario. The golden file is read by people: a change of it is a change of what is promised.
import { expect, test } from 'vitest';
import type { Facts } from '../model/facts.ts';
import type { Options } from '../model/fields.ts';
import { FACTS } from './fixtures/facts.ts';
import { expectations } from './registry.ts';

const leave = (how: string, quiet = false): Partial<Facts> => ({ leaves: [{ mark: 'gone', client: 'alice', how, quiet }] });
const drain = { ...FACTS.policy, onDisconnect: 'drain' } as const;
const { drain: _, ...undrained } = FACTS.bounds;

/** Cells that differ from the plain one in what a card or a scenario says. */
const CELLS: Readonly<Record<string, Partial<Facts>>> = {
  'no ledger': { ledger: null },
  'only an aggregate': { ledger: { hasReservations: false, hasCharges: true } },
  'no account': { clients: { alice: { account: null, address: '127.0.0.10' }, bob: { account: null, address: '127.0.0.11' } } },
  'one client': { clients: { alice: FACTS.clients.alice! } },
  'no periods': { periods: {} },
  'no sweep': { periods: { renewalMs: 500, leaseMs: 1_500 } },
  'no renewal': { periods: { leaseMs: 1_500, sweepMs: 1_000 } },
  'no lease': { periods: { renewalMs: 500, sweepMs: 1_000 } },
  'no bounds': { bounds: {} },
  'rare samples': { sampling: { ledgerMs: 1_000, socketsMs: 1_000, processMs: 1_000 } },
  'a scenario that stops it': { stopsAt: 'cut' },
  'nobody leaves': { leaves: [] },
  'alice vanishes': leave('vanish'),
  'alice half-closes': leave('half-close'),
  'half-close is served, alice half-closes': { ...leave('half-close'), policy: { ...FACTS.policy, halfClose: 'serve' } },
  'half-close is served, a quiet FIN': { ...leave('fin', true), policy: { ...FACTS.policy, halfClose: 'serve' } },
  'half-close is served, a FIN while it writes': { policy: { ...FACTS.policy, halfClose: 'serve' } },
  'drained within the limits': { policy: drain },
  'drained for longer': { policy: drain, bounds: { ...FACTS.bounds, drain: 60_000 } },
  'drained without a bound': { policy: drain, bounds: undrained },
  'no price': { price: null },
  'billed in full': { policy: { ...FACTS.policy, partialBilling: 'full' } },
  'not billed in part': { policy: { ...FACTS.policy, partialBilling: 'nothing' } },
};

/** The options that each claim is asked with; its example in numbers where that has units. */
const ASKED: Readonly<Record<string, readonly Options[]>> = {
  'upstream-closed': [
    { upstream: 'model', after: 'gone', within: 2_000 },
    { upstream: 'model', after: { bound: 'read' }, within: 2_000, client: 'alice' },
  ],
  'billing-terminal': [{ client: 'alice', after: 'gone', within: 5_000 }],
  'renewal-stopped': [{ client: 'alice', after: 'gone' }],
  'nothing-reserved': [{ client: 'alice' }],
  'charged-once': [{ client: 'alice', after: 'gone' }, { client: 'alice' }],
  'no-late-charge': [{ client: 'alice' }],
  refundable: [{ client: 'alice' }],
  'refund-refused': [{ client: 'alice' }],
  'only-mine-released': [{ client: 'alice' }, { seeded: 'alice' }],
  'siblings-untouched': [{ clients: ['bob'] }, {}],
  'terminal-once': [{ client: 'alice' }],
  'not-swept-while-live': [{ client: 'alice' }],
  'reserved-kept': [{ client: 'alice' }],
  'bounded-wait': [
    { bound: 'read', client: 'alice' },
    { bound: 'drain', client: 'alice', within: 700 },
  ],
  'bounded-memory': [{ 'at-most': 96 * 1024 * 1024 }],
  'bounded-buffering': [{ client: 'alice', 'at-most': 32 * 1024 * 1024 }],
  'accounting-valid': [{}, { client: 'alice' }],
  'clean-shutdown': [{}, { within: 10_000 }],
  'process-alive': [{}],
  'stream-complete': [{ client: 'alice' }, {}],
  'stream-truncated-visibly': [{ client: 'alice' }],
  'stream-whole-or-told': [{ client: 'alice' }],
  'follow-up-served': [{ client: 'bob', after: 'gone', within: 3_000 }],
  'keeps-serving': [{}],
  'script-done': [{ client: 'alice' }, {}],
  'request-count': [
    { upstream: 'model', client: 'alice', 'at-most': 0, after: 'gone' },
    { upstream: 'model', equals: 1 },
    { upstream: 'model', 'bare-connections': 2 },
  ],
  'no-foreign-bytes': [{}, { client: 'alice' }],
};

type Definition = (typeof expectations.all)[number];

const linesIn = (definition: Definition, options: Options, changes: Partial<Facts> = {}): readonly string[] => {
  const facts = { ...FACTS, ...changes };
  const reason = definition.notApplicable(facts, options);
  if (reason !== null) return [`does not apply: ${reason}`];
  return Object.entries(definition.explain!(facts, options)).flatMap(([part, lines]) => lines.map((line) => `${part}: ${line}`));
};

const askedWith = (definition: Definition, options: Options): readonly string[] => {
  const plain = linesIn(definition, options);
  const changes = Object.entries(CELLS).flatMap(([cell, facts]) => {
    const lines = linesIn(definition, options, facts);
    const added = lines.filter((line) => !plain.includes(line)).map((line) => `    + ${line}`);
    const gone = lines[0]?.startsWith('does not apply') ? [] : plain.filter((line) => !lines.includes(line)).map((line) => `    - ${line}`);
    return added.length + gone.length === 0 ? [] : [`  ${cell}`, ...gone, ...added];
  });
  return ['', `  with ${JSON.stringify(options)}`, ...plain.map((line) => `    ${line}`), ...changes];
};

test('each claim in words, in every kind of cell', async () => {
  expect(Object.keys(ASKED)).toEqual([...expectations.kinds]);
  const text = expectations.all.flatMap((definition) => {
    const { kind, about, fields, example, usesControl, looksAtFiles, withoutSystem } = definition;
    const also = [usesControl ? ['uses the control'] : [], looksAtFiles ? ['looks at files'] : [], withoutSystem ? ['can be made without a system'] : []].flat();
    const options = Object.entries(fields.options).map(([name, field]) => `  ${name}: ${JSON.stringify(field)}`);
    const head = [kind, `  ${about}`, ...also.map((word) => `  ${word}`), `  example ${JSON.stringify(example)}`, ...options];
    const { options: __, ...rest } = fields;
    return [...head, ...(Object.keys(rest).length > 0 ? [`  fields ${JSON.stringify(rest)}`] : []), ...ASKED[kind]!.flatMap((asked) => askedWith(definition, asked)), ''];
  });
  await expect(text.join('\n')).toMatchFileSnapshot('fixtures/explained.txt');
});
