// The whole scenario file as one zod schema, built from the registries: what can be registered can
// be written. Its output is what a Scenario is made of, with durations as data and defaults filled in.
import { z } from 'zod';
import { BOUND_NAMES } from '../model/facts.ts';
import type { BoundName } from '../model/facts.ts';
import type { Item } from '../model/fields.ts';
import type { Definition, Registry } from '../model/registry.ts';
import { parseDuration } from '../model/time.ts';
import type { Duration, DurationRange } from '../model/time.ts';
import { AXIS_VALUE } from '../model/coordinates.ts';
import { MAXIMUM_COPIES } from './copies.ts';
import { editorViewOf, withEditorView } from './editor-view.ts';
import { useSchema } from './fragment.ts';
import { delegate } from './issues.ts';
import { itemSchema } from './item.ts';
import { locksSchema } from './locks.ts';
import { durationSchema, NAME, nameSchema, rangedDurationSchema } from './scalars.ts';
import { upstreamSchema } from './upstream-schema.ts';
import type { Concluded, ScenarioClaim, ScenarioClient, ScenarioFault, ScriptStep } from './scenario.ts';

/** What the language is built from. */
export type Registries = {
  readonly behaviours: Registry<Definition>;
  readonly steps: Registry<Definition>;
  readonly faults: Registry<Definition>;
  readonly expectations: Registry<Definition>;
};

const tagSchema = z.string().regex(/^[A-Za-z0-9][\w.-]{0,39}$/, 'a tag is letters, digits, dots and hyphens, at most 40');
const line = z.string().min(1).max(200);
const settingSchema = z.union([z.string(), z.number(), z.boolean()]);

/** Settings are scalars; a text that is a duration becomes one, so that the card's unit can be applied. */
const settingsSchema = z.record(
  z.string(),
  withEditorView(
    z.unknown().transform((value, context) => {
      const parsed = typeof value === 'string' ? parseDuration(value) : undefined;
      return parsed ?? (typeof value === 'number' || typeof value === 'boolean' ? value : delegate<unknown>(z.string(), value, context));
    }),
    () => editorViewOf(settingSchema),
  ),
);

/** Periods are the system's own, which a wrong clock must not be measured in. */
const plainMs = (duration: Duration, context: z.core.$RefinementCtx): number => {
  if ('ms' in duration) return duration.ms;
  context.addIssue({ code: 'custom', message: 'a clock is wrong by a plain time, such as 1h, not by periods of the system' });
  return z.NEVER;
};

/** `{ 2: { ahead: 1h } }`; a wall clock only: what the system does with it moves, its timers do not. */
const clocksSchema = z.record(
  z.string().regex(/^([1-9]|10)$/, 'a clock is that of an instance, by its number'),
  z
    .strictObject({ ahead: durationSchema.optional(), behind: durationSchema.optional() })
    .refine(({ ahead, behind }) => (ahead === undefined) !== (behind === undefined), 'a clock is either ahead or behind')
    .transform(({ ahead, behind }, context) => (ahead === undefined ? -plainMs(behind!, context) : plainMs(ahead, context))),
);

/** Written without quotes a version may be a number. */
const axisText = z.string().regex(AXIS_VALUE, 'a value begins with a letter or digit, and has no space, comma, bracket or =');
const axisValue = withEditorView(
  z.unknown().transform((value, context): string => delegate(axisText, typeof value === 'number' ? String(value) : value, context) ?? z.NEVER),
  () => ({ type: ['string', 'number'] }),
);

const systemMap = z.strictObject({
  card: line.describe('Name of a card (images/<name>/system.yaml) or path of one'),
  version: axisValue.optional().describe('Which version of it, in place of the one that its card uses'),
  axes: z.record(z.string(), axisValue).optional().describe('Where it is wanted on further axes that the card has'),
  settings: settingsSchema.prefault({}).describe('Settings that the card offers, for this scenario'),
  planted: z.array(nameSchema).min(1).max(20).optional().describe('Defects that every run of this scenario has; none stands for no defect, for a matrix'),
  instances: z.int().min(1).max(10).prefault(1).describe('How many instances on one ledger'),
  clocks: clocksSchema.prefault({}).describe('Wall clocks that are wrong: how far, by the number of the instance'),
});
type SystemMap = z.output<typeof systemMap>;

const systemSchema = withEditorView(
  z
    .unknown()
    .transform(
      (value, context): SystemMap => delegate(systemMap, typeof value === 'string' ? { card: value } : value, context) ?? z.NEVER,
    ),
  () => ({ anyOf: [editorViewOf(line), editorViewOf(systemMap)] }),
);

const accountSchema = z
  .strictObject({
    balance: z.number().min(0).optional().describe('Prepaid balance, in the unit of the card'),
    'same-as': nameSchema.optional().describe('Use the account of that client instead of an own one'),
    'paid-by': nameSchema.optional().describe('The client whose account pays for what this one asks'),
  })
  .transform((account): NonNullable<ScenarioClient['account']> => ({
    balance: account.balance ?? 0,
    sameAs: account['same-as'] ?? null,
    ...(account['paid-by'] === undefined ? {} : { paidBy: account['paid-by'] }),
  }));

/** A map from names to things. The names are checked in references.ts, so that a bad one hides nothing below it. */
const named = <S extends z.ZodType>(schema: S) =>
  withEditorView(z.record(z.string(), schema), () => ({ propertyNames: { type: 'string', pattern: NAME.source } }));

const claims = z.array(z.string()).min(1).max(100);

const because = line.optional().describe('Text that must be in the reason');
const concludedSchema = z
  .strictObject({ inconclusive: because, violated: because })
  .refine(({ inconclusive: open, violated: wrong }) => (open === undefined) !== (wrong === undefined), 'a claim is either inconclusive or violated')
  .transform(({ inconclusive, violated }): Concluded =>
    inconclusive === undefined ? { outcome: 'violated', because: violated! } : { outcome: 'inconclusive', because: inconclusive });

const testsSchema = z
  .enum(['none', ...BOUND_NAMES])
  .prefault('none')
  .transform((name): BoundName | null => (name === 'none' ? null : name));

/** Read by matrix.ts before anything else is; here only for editors. */
const matrixSchema = withEditorView(z.unknown(), () => {
  const values = { type: ['string', 'number', 'boolean'] };
  return {
    type: 'object',
    properties: {
      exclude: { type: 'array', items: { type: 'object', additionalProperties: values }, description: 'Combinations to leave out' },
    },
    additionalProperties: { type: 'array', minItems: 1, items: values },
  };
});

/** A list of claims, in a scenario or by itself. */
export const expectSchema = (expectations: Registries['expectations']) =>
  z
    .array(
      itemSchema('expectation', expectations, { as: line.optional().describe('The name under which reports show it') }).transform(
        ({ item, siblings }): ScenarioClaim => ({ ...item, as: (siblings.as as string | undefined) ?? null }),
      ),
    )
    .min(1)
    .max(100);

/** Keys of a file in the order in which they are best written. */
export const createScenarioSchema = ({ behaviours, steps, faults, expectations }: Registries) => {
  const upstream = upstreamSchema(behaviours);
  const behaviour = itemSchema('behaviour', behaviours).transform(({ item }): Item => item);
  const step = itemSchema('step', steps, {
    mark: nameSchema.optional().describe('Name of the moment just before the act; claims and faults refer to it'),
  }).transform(({ item, siblings }): ScriptStep => ({ ...item, mark: (siblings.mark as string | undefined) ?? null }));
  const fault = itemSchema('fault', faults, {
    after: nameSchema.optional().describe('The mark at which it is done'),
    wait: rangedDurationSchema.optional().describe('How long after the mark, or a range of which the seed of a run chooses (100ms..900ms)'),
    before: z.literal('start').optional().describe('Done to the system when it was set up and is down, before it is started again'),
    mark: nameSchema.optional().describe('Name of the moment at which it has been done'),
  }).transform(({ item, siblings }): ScenarioFault => ({
    after: (siblings.after as string | undefined) ?? null,
    ...(siblings.wait === undefined ? {} : { wait: siblings.wait as Duration | DurationRange }),
    item,
    mark: (siblings.mark as string | undefined) ?? null,
  }));
  return z.strictObject({
    version: z.literal(1).describe('Version of the scenario language'),
    name: line.describe('What happens, in a few words'),
    about: z.string().max(2_000).prefault('').describe('Why it matters'),
    source: z.string().max(500).prefault('').describe('Where it comes from'),
    tags: z.array(tagSchema).max(50).prefault([]).describe('For choosing scenarios'),
    system: systemSchema.describe("The system under test: a card's name, or a map"),
    tests: testsSchema.describe('The one bound that is tested; all others are set far beyond the run'),
    matrix: matrixSchema
      .optional()
      .describe('Axes: one scenario for each combination of their values, used as ${axis}; `exclude` lists combinations to leave out'),
    use: useSchema
      .optional()
      .describe("Fragments whose parts are added: paths below the scenario's folder, with their variables"),
    upstreams: named(upstream).prefault({}).describe('Dummy providers and how each behaves'),
    clients: named(
      z.strictObject({
        account: accountSchema.optional().describe("A prepaid account of its own, or another client's"),
        copies: z
          .int()
          .min(1)
          .max(MAXIMUM_COPIES)
          .optional()
          .describe('How many there are of it: alice-1, alice-2, ...; claims on alice are about each'),
        instance: z.int().min(1).max(10).prefault(1).describe('Which instance of the system it connects to'),
        behaviour: behaviour.optional().describe('How the upstreams behave towards its exchanges, where not as towards everybody'),
        script: z.array(step).min(1).max(500).describe('What it does, in order'),
      }),
    )
      .prefault({})
      .describe('Scripted peers of the system'),
    faults: z.array(fault).max(100).prefault([]).describe('What is done to the system, its upstreams or its ledger, and when'),
    watch: durationSchema.prefault('3 renewals' as never).describe('The quiet window at the end, in which nothing may move any more'),
    locks: locksSchema.optional().describe('What a run of it holds: it runs beside nobody else who holds it; { read: name } beside other readers of the same hangup; another hangup on this machine has its turn'),
    expect: expectSchema(expectations).describe('What is claimed'),
    catches: named(claims).prefault({}).describe('Planted defects, and the claims that each must violate'),
    saw: named(
      z.strictObject({
        what: z.string().min(1).max(1_000).describe('In words'),
        violates: z.array(z.string()).max(100).describe('Claims that were violated there; none where it went well'),
      }),
    )
      .prefault({})
      .describe('What was seen on a preset of defects'),
    concludes: z
      .record(z.string(), concludedSchema)
      .optional()
      .describe('What must be said of these claims instead of held, and why; all others must hold'),
  });
};

export type ScenarioSchema = ReturnType<typeof createScenarioSchema>;
export type ParsedScenario = z.output<ScenarioSchema>;
