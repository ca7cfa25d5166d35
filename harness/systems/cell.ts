// A cell: one scenario on one card with one set of defects and one runtime, everything resolved to
// numbers. It is all that a run needs, and all that makes two runs the same.
import { withCoordinates } from '../model/coordinates.ts';
import type { Coordinates } from '../model/coordinates.ts';
import type { Claim, Facts } from '../model/facts.ts';
import type { Item } from '../model/fields.ts';
import type { LengthRange } from '../model/time.ts';
import type { FakeTime } from '../runtimes/fake-time.ts';
import type { RuntimeKind, Stage } from '../runtimes/runtime.ts';
import { registries } from '../scenario/registries.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Card } from './card.ts';
import { claimsOf, withDefaults } from './claims.ts';
import { checkRanges } from './draw.ts';
import { processNamesOf } from './instances.ts';
import { missingHere } from './missing-here.ts';
import { hasNoSystem } from './no-system.ts';
import { boundsOf, isDuration, periodsOf, resolveDurations, toMs, unitMs } from './periods.ts';

export type Cell = {
  readonly id: string;
  /** A control: the cell that it was made from, one of those that share it. */
  readonly of?: string;
  readonly scenario: Scenario;
  readonly card: Card;
  /** On all axes of its system, those that the scenario itself names too. */
  readonly coordinates: Coordinates;
  readonly runtime: RuntimeKind;
  /** Switches; presets are replaced by theirs. */
  readonly defects: readonly string[];
  /** Switches and presets, as asked for. */
  readonly presets: readonly string[];
  /** Environment variables that settings, bounds and periods become. */
  readonly settings: Readonly<Record<string, string>>;
  /** Complete but for the addresses, which the stage gives. */
  readonly facts: Facts;
  readonly claims: readonly Claim[];
  readonly upstreams: Scenario['upstreams'];
  /** By client: how the upstreams behave towards it, where not as towards everybody. */
  readonly behaviours: Readonly<Record<string, Item>>;
  /** `wait`: how long after the mark, ms; a range before it is drawn for an attempt. */
  readonly faults: readonly (Omit<Scenario['faults'][number], 'wait'> & { readonly wait?: number | LengthRange })[];
  readonly scripts: Readonly<Record<string, readonly (Item & { readonly mark: string | null })[]>>;
  /** A control: the client stays where the scenario's leaves, for this long. */
  readonly staysMs: number | null;
  /** A soak's long life: the clients do the same again and again for so long, with at least this pause between. Absent: once. */
  readonly drivenAgain?: { readonly forMs: number; readonly pauseMs: number; readonly restMs: number };
  /** The open descriptors of the system are counted with each sample of its processes. */
  readonly countsDescriptors?: boolean;
  /** What was chosen where the scenario gives a range, by place, ms; absent where it gives none, or before an attempt. */
  readonly drawn?: { readonly seed: number; readonly times: Readonly<Record<string, number>> };
};

type ScriptStep = Cell['scripts'][string][number];

/** Three renewals of nobody are over at once. */
const NO_PERIODS = { renewalMs: 0, leaseMs: 0, sweepMs: 0 } as const;
const SAMPLING = { ledgerMs: 100, socketsMs: 150, processMs: 150 } as const;
/** Slack of measuring on a busy machine; nothing to do with how fast the system is. */
const MARGIN_MS = 500;

const settingsOf = (card: Card, scenario: Scenario): Record<string, string> => {
  const { bounds, told } = boundsOf(card, scenario);
  const periods = periodsOf(card, scenario);
  const variables: Record<string, string> = {};
  const put = (name: string, ms: number): void => {
    const setting = card.settings[name];
    if (setting) variables[setting.env] = String(Math.ceil(ms / unitMs(card, name)));
  };
  for (const name of told) put(name, bounds[name]!);
  for (const name of ['renewal', 'lease', 'sweep'] as const) if (periods[`${name}Ms`] !== undefined) put(name, periods[`${name}Ms`]!);
  for (const [name, value] of Object.entries(scenario.system.settings)) {
    const setting = card.settings[name];
    if (!setting || setting.env in variables) continue;
    if (isDuration(value)) put(name, toMs(value, periods, `setting ${name}`));
    else variables[setting.env] = String(value);
  }
  return variables;
};

const mainStop = (card: Card, scenario: Scenario): Facts['stop'] => {
  const main = card.run.find((process) => process.name === card.listen.on) ?? card.run.at(-1);
  if (main === undefined) return { signal: 'SIGTERM', graceMs: 0, exit: [] };
  return { signal: main.stop.signal, graceMs: toMs(main.stop.grace, periodsOf(card, scenario), 'grace'), exit: main.stop.exit };
};

/** True when the upstream writes nothing while the client leaves: its program comes to rest. */
const isQuiet = (behaviours: readonly Item[]): boolean =>
  behaviours.every((behaviour) =>
    registries.behaviours
      .get(behaviour.kind)
      ?.program(behaviour.options)
      .some((instruction) => instruction.do === 'wait-forever'),
  );

const leavesOf = ({ scripts, upstreams, behaviours }: Pick<Cell, 'scripts' | 'upstreams' | 'behaviours'>): Facts['leaves'] =>
  Object.entries(scripts).flatMap(([client, script]) => {
    const own = behaviours[client];
    const quiet = isQuiet(own ? [own] : Object.values(upstreams).map(({ behaviour }) => behaviour));
    return script
      .filter((step) => step.kind === 'disconnect' && step.mark !== null)
      .map((step) => ({ mark: step.mark!, client, how: String(step.options.how), quiet }));
  });

/** The card's, unless the scenario sets the system to another: a setting overrides the policy of its name, as it does a bound's. */
const policyOf = (card: Card, { system: { settings } }: Scenario): Facts['policy'] => {
  const chosen = card.settings['on-disconnect'] === undefined ? undefined : settings['on-disconnect'];
  return chosen === 'cancel' || chosen === 'drain' ? { ...card.policy, onDisconnect: chosen } : card.policy;
};

const factsOf = (card: Card, scenario: Scenario, runtime: RuntimeKind, stopsAt: string | null, leaves: Facts['leaves']): Facts => ({
  scenario: scenario.id,
  runtime,
  tests: scenario.tests,
  clients: Object.fromEntries(
    Object.entries(scenario.clients).map(([name, client]) => [
      name,
      { account: client.account && card.accounts ? (client.account.sameAs ?? name) : null, address: '' },
    ]),
  ),
  ...(scenario.copies ? { copies: scenario.copies } : {}),
  upstreams: Object.fromEntries(Object.keys(scenario.upstreams).map((name) => [name, { address: '' }])),
  system: {
    listen: '',
    address: '',
    main: card.listen.on,
    ...(hasNoSystem(card) ? { absent: true } : {}),
    instances: hasNoSystem(card) ? [] : processNamesOf(card, scenario).map((process, index) => ({
      process,
      address: '',
      listen: '',
      clockAheadMs: scenario.system.clocks[String(index + 1)] ?? 0,
    })),
  },
  periods: periodsOf(card, scenario),
  bounds: boundsOf(card, scenario).bounds,
  price: card.price,
  policy: policyOf(card, scenario),
  ledger: card.ledger ? { hasReservations: card.ledger.reservations !== undefined, hasCharges: card.ledger.charges !== undefined } : null,
  stop: mainStop(card, scenario),
  sampling: SAMPLING,
  leaves,
  stopsAt,
  watchMs: toMs(scenario.watch, hasNoSystem(card) ? NO_PERIODS : withDefaults(periodsOf(card, scenario)), 'watch'),
  marginMs: MARGIN_MS,
});

export type CellInput = {
  readonly scenario: Scenario;
  readonly card: Card;
  readonly runtime: RuntimeKind;
  readonly isolation: Stage['isolation'];
  readonly defects: readonly string[];
  readonly presets: readonly string[];
  /** Those that were asked for; the card is at them already. */
  readonly coordinates?: Coordinates;
  /** How wrong clocks are made; asked only where a scenario wants one. */
  readonly fakeTime?: () => FakeTime;
};

/** Stands where a step is left out, since others wait for its mark. */
const markAlone = (mark: string | null): readonly ScriptStep[] => (mark === null ? [] : [{ kind: 'wait', options: { for: 0 }, mark }]);

/** Scripts in ms, without the waits for what a card without a ledger cannot show. */
const scriptsOf = ({ scenario, card }: CellInput, periods: Facts['periods']): Cell['scripts'] =>
  Object.fromEntries(
    Object.entries(scenario.clients).map(([name, client]) => [
      name,
      client.script.flatMap((step): readonly ScriptStep[] =>
        card.ledger === null && registries.steps.get(step.kind)?.needs?.(step.options).includes('ledger')
          ? markAlone(step.mark)
          : [{ ...step, options: resolveDurations(step.options, periods, `${scenario.id} ${step.kind}`) }],
      ),
    ]),
  );

const behavioursOf = ({ id, clients }: Scenario, periods: Facts['periods']): Cell['behaviours'] =>
  Object.fromEntries(
    Object.entries(clients).flatMap(([name, { behaviour }]) =>
      behaviour ? [[name, { ...behaviour, options: resolveDurations(behaviour.options, periods, `${id} ${behaviour.kind}`) }]] : [],
    ),
  );

/** Resolves a scenario against its card. @throws ProblemError when the two do not fit */
export const resolveCell = (input: CellInput): Cell => {
  const { scenario, card, runtime } = input;
  const periods = withDefaults(periodsOf(card, scenario));
  const scripts = scriptsOf(input, periods);
  const faults = scenario.faults.map(({ after, item, mark, wait }) => ({
    after,
    mark,
    ...(wait === undefined ? {} : { wait: resolveDurations<unknown>(wait, periods, `${scenario.id} ${item.kind}: wait`) as number | LengthRange }),
    item: { ...item, options: resolveDurations(item.options, periods, item.kind) },
  }));
  const stopsAt = faults.find(({ item }) => registries.faults.get(item.kind)?.stopsSystem?.(item.options))?.after ?? null;
  const upstreams = resolveDurations(scenario.upstreams, periods, `${scenario.id} upstreams`);
  const behaviours = behavioursOf(scenario, periods);
  const facts = factsOf(card, scenario, runtime, stopsAt, leavesOf({ scripts, upstreams, behaviours }));
  const missing = missingHere(input);
  const claims = claimsOf(scenario.expect, facts, missing, scenario.id);
  const cell: Cell = {
    id: withCoordinates(scenario.id, input.coordinates ?? {}),
    scenario,
    card,
    coordinates: { ...scenario.system.coordinates, ...input.coordinates },
    runtime,
    defects: [...new Set([...(scenario.system.planted ?? []), ...input.defects])],
    presets: input.presets,
    settings: settingsOf(card, scenario),
    facts,
    claims,
    faults,
    scripts,
    staysMs: null,
    upstreams,
    behaviours,
  };
  checkRanges(cell);
  return cell;
};

/** How people are told of a cell: a control has no name but that of the cell it was made from. */
export const titleOf = (cell: Cell): string => (cell.staysMs === null ? cell.id : `control of ${cell.of ?? cell.scenario.id}`);
