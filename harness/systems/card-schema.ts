// The card file as one zod schema: kebab-case YAML in, the words of card.ts out. Which references
// its texts may hold is asked afterwards, in card-references.ts.
import { z } from 'zod';
import { BOUND_NAMES } from '../model/facts.ts';
import type { Policy } from '../model/facts.ts';
import { locksSchema } from '../scenario/locks.ts';
import { durationSchema, sizeSchema } from '../scenario/scalars.ts';
import { axesSchema, axisSchema } from './axes/axis-schema.ts';
import { durations, path, policyWords, priceSchema, request, runEntry, setupStep, statuses, text, texts, word } from './card-parts.ts';
import type { Card } from './card.ts';
import { NO_SYSTEM } from './no-system.ts';
import { isVersionRange } from './known.ts';

const MARKER = /^(body(\.[\w-]+)+|header\.[\w-]+|query\.[\w-]+)$/;

const cardRequest = request.extend({
  marker: z
    .string()
    .regex(MARKER, 'write body.user, header.x-request-id or query.marker')
    .describe("Where the exchange's marker goes: body.user, header.x-request-id, query.marker"),
});

/** What begins with a hyphen would be an option of the tool that installs. */
const packageSpec = text.regex(/^[^-\s]/, 'a package has a name: left@1.2.3, uvicorn==0.17.6');

const policySchema = z
  .strictObject({
    'on-disconnect': policyWords['on-disconnect'].prefault('cancel').describe('What it does with the upstream when its client leaves'),
    'half-close': policyWords['half-close'].prefault('abort').describe('What a FIN without more means to it'),
    'partial-billing': policyWords['partial-billing'].prefault('delivered').describe('What a cancelled exchange costs'),
  })
  .transform((policy): Policy => ({
    onDisconnect: policy['on-disconnect'],
    halfClose: policy['half-close'],
    partialBilling: policy['partial-billing'],
  }));

const settingSchema = z.strictObject({
  env: z
    .string()
    .regex(/^[A-Za-z_]\w*$/, 'letters, digits and underscores')
    .describe('Environment variable'),
  unit: z.enum(['ms', 's', 'none']).prefault('none').describe('Unit of a duration; none for what is no duration'),
});

const select = text.describe('One SELECT statement');

const ledgerSchema = z.strictObject({
  sqlite: text.describe('Path of the database: ${dir}/ledger.db'),
  accounts: select.describe('SELECT with columns id, balance, reserved, spent'),
  reservations: select
    .optional()
    .describe(
      'SELECT with columns id, account, amount, state; payer, lease_at (of its last renewal, not of its end), started_at, marker, reason ' +
        'where there are',
    ),
  charges: select.optional().describe('SELECT with columns id, account, amount; marker where there is'),
  terminal: z.array(text).prefault([]).describe('States that are final'),
  insert: z
    .strictObject({
      row: z.array(text).prefault([]).describe('Statements that add one reservation: ${row.id} and so on'),
      aggregate: z.array(text).prefault([]).describe("Statements that add to an account's total: ${aggregate.account} and so on"),
    })
    .prefault({})
    .describe('How faults write into it'),
});

const refundSchema = z.strictObject({
  request: request.describe('How a refund is asked for'),
  accepted: z.strictObject({ status: statuses }).describe('How a yes looks'),
  refused: z.strictObject({ status: statuses }).describe('How a no looks'),
});

const POLICY = {};

const fileSchema = z.strictObject({
  version: z.literal(1).describe('Version of the card language'),
  system: word.describe('Name of the system'),
  about: z.string().max(2_000).prefault('').describe('What it is'),
  repository: z
    .string()
    .regex(/^[\w.-]+\/[\w.-]+$/, 'write owner/name')
    .optional()
    .describe('Where its issues are kept on GitHub: owner/name'),
  versions: axisSchema.optional().describe('Where versions come from, and which is used: ${version} in the card'),
  axes: axesSchema.prefault({}).describe('What else may vary, by name: ${axis.<name>} in the card'),
  install: z
    .strictObject({
      npm: z.array(packageSpec).prefault([]).describe('Installed into a cache by content'),
      pypi: z.array(packageSpec).prefault([]).describe('Installed into a cache by content'),
      maven: z.array(packageSpec).prefault([]).describe('group:artifact:version, installed into a cache by content: ${install}/lib/*.jar'),
      apt: z.array(text).prefault([]).describe('Debian packages that a plain process needs: looked for, never installed'),
    })
    .prefault({})
    .describe('Packages that it needs; ${install} is the folder of those that are installed'),
  secrets: z
    .array(text)
    .prefault([])
    .describe('What is never written down: names of variables in an env or of captures, or texts with references: Basic ${token}'),
  files: texts.prefault({}).describe('Files written into the stage before the start'),
  run: z.array(runEntry).describe('The processes, in the order in which they are started'),
  listen: z
    .strictObject({
      port: z.int().min(1).max(65_535).describe('Where clients connect'),
      on: word.optional().describe('The process that serves them; the only one unless given'),
    })
    .describe('Where it listens'),
  ready: z
    .strictObject({
      http: path.describe('Asked until it answers'),
      contains: text.optional().describe('What the answer must hold'),
      within: durationSchema.prefault('30s' as never).describe('How long that may take'),
    })
    .describe('How to know that it is ready'),
  weight: z
    .strictObject({
      cpu: z.number().positive().max(64).prefault(1).describe('Processors'),
      memory: sizeSchema.prefault('256MiB' as never).describe('Memory'),
    })
    .prefault({})
    .describe('What one of it takes, for running several side by side'),
  locks: locksSchema.optional().describe('What every run of it holds: it runs beside nobody else who holds it; { read: name } beside other readers of the same hangup; another hangup on this machine has its turn'),
  setup: z.array(setupStep).prefault([]).describe('What is done once it is ready'),
  requests: z.record(word, cardRequest).describe('Requests that a scenario may name'),
  accounts: z
    .strictObject({
      create: z.array(setupStep).prefault([]).describe('What makes one account'),
      bearer: text.describe('The key that clients send'),
    })
    .optional()
    .describe('Prepaid accounts, where it has them'),
  periods: durations(['renewal', 'lease', 'sweep']).prefault({}).describe('Its periods: heartbeat, validity without one, sweep'),
  bounds: durations(BOUND_NAMES).prefault({}).describe('What it promises to end, and when'),
  price: priceSchema.optional().describe('What it charges'),
  policy: policySchema.prefault(POLICY).describe('Where systems differ rightly'),
  settings: z.record(word, settingSchema).prefault({}).describe('What a scenario may set'),
  ledger: ledgerSchema.optional().describe('Where its billing can be read'),
  refund: refundSchema.optional().describe('How money is asked back'),
  defects: z
    .strictObject({
      env: text.describe('Environment variable that takes a list of switches'),
      presets: z.record(word, z.array(word).min(1)).prefault({}).describe('Named sets of switches'),
    })
    .optional()
    .describe('Planted defects: only our own reference systems have any'),
  known: z
    .array(
      z.strictObject({
        scenario: text.describe('Scenario'),
        violates: z.array(word).min(1).describe('Claims'),
        versions: text.refine(isVersionRange, 'write <=1.18.1, or >=1.2 <1.4').optional().describe('Versions that it is true of: <=1.18.1'),
        issue: text.optional().describe('Where it was reported'),
      }),
    )
    .prefault([])
    .describe('Violations that are known: reported as such, not as new'),
});

/** A list that was left empty by mistake is none of ours. */
const checkedFile = fileSchema.superRefine(({ system, run }, context) => {
  if (run.length > 0 || system === NO_SYSTEM) return;
  context.addIssue({ code: 'too_small', minimum: 1, origin: 'array', inclusive: true, input: run, path: ['run'], message: 'too few entries' });
});

export const cardSchema = checkedFile.transform((parsed): Omit<Card, 'file' | 'folder' | 'key' | 'coordinates'> => {
  const { versions, repository } = parsed;
  return {
    ...parsed,
    ...(repository === undefined ? {} : { repository }),
    version: versions?.use ?? null,
    versions: versions ?? null,
    listen: { port: parsed.listen.port, on: parsed.listen.on ?? parsed.run.at(-1)?.name ?? NO_SYSTEM },
    weight: { cpu: parsed.weight.cpu, memoryBytes: parsed.weight.memory },
    accounts: parsed.accounts ?? null,
    price: parsed.price ?? null,
    ledger: parsed.ledger ?? null,
    refund: parsed.refund ?? null,
    defects: parsed.defects ?? null,
  };
});
