// The parts that a card's schema is made of: texts, requests, set-up steps, processes.
import { z } from 'zod';
import { editorViewOf, withEditorView } from '../scenario/editor-view.ts';
import { delegate, tell } from '../scenario/issues.ts';
import { durationSchema, show, signalSchema, statusSchema } from '../scenario/scalars.ts';
import type { CardDump, CardProcess, SetupStep } from './card.ts';

const MAXIMUM_TEXT = 20_000;
const WORD = /^[A-Za-z0-9][\w.-]*$/;

export const text = z.string().min(1).max(MAXIMUM_TEXT);
/** Names of processes, requests, packages' formats and the like. */
export const word = z.string().max(100).regex(WORD, 'only letters, digits, dots and hyphens');

/** Words of a command and values of an environment: numbers and booleans are taken as text. */
export const textish: z.ZodType<string> = withEditorView(
  z
    .unknown()
    .transform((value, context): string =>
      typeof value === 'number' || typeof value === 'boolean'
        ? String(value)
        : (delegate(z.string().max(MAXIMUM_TEXT), value, context) ?? z.NEVER),
    ),
  () => ({ type: ['string', 'number', 'boolean'] }),
);
export const texts = z.record(z.string(), textish);
export const statuses = z.array(statusSchema).min(1);
export const path = z.string().regex(/^\//, 'a path begins with /');
const command = z.array(textish).min(1);

/** Where systems differ rightly, by the card's words for it. */
export const policyWords = {
  'on-disconnect': z.enum(['cancel', 'drain']),
  'half-close': z.enum(['abort', 'serve']),
  'partial-billing': z.enum(['delivered', 'nothing', 'full']),
};

export const priceSchema = z
  .strictObject({ 'per-request': z.number().min(0).prefault(0), 'per-event': z.number().min(0).prefault(0) })
  .transform((price) => ({ perRequest: price['per-request'], perEvent: price['per-event'] }));

/** Lengths by name, each of which may be left out. */
export const durations = <K extends string>(names: readonly K[]) =>
  z.strictObject(
    Object.fromEntries(names.map((name) => [name, durationSchema.optional()])) as Record<K, z.ZodOptional<typeof durationSchema>>,
  );

export const request = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).describe('HTTP method'),
  path: path.describe('Path and query'),
  headers: texts.prefault({}).describe('Headers beside those that the harness sets'),
  body: z.unknown().optional().describe('Sent as JSON; a text is sent as it is'),
});

const STEPS = {
  sql: z.strictObject({ sql: text.describe('A statement for the ledger') }),
  request: z.strictObject({
    request: request.extend({
      expect: statuses.optional().describe('Statuses that count as done'),
      capture: z
        .record(word, z.string().regex(/^\$/, 'a path begins with $'))
        .prefault({})
        .describe('Names for later steps, taken from the answer: { token: $.token }'),
    }),
  }),
  restart: z.strictObject({ restart: word.describe('The process of `run` to restart') }),
} as const;

/** One of sql, request and restart: the step's own key decides by which schema it is read. */
export const setupStep: z.ZodType<SetupStep> = withEditorView(
  z.unknown().transform((value, context): SetupStep => {
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
    const kind = isMap ? (Object.keys(STEPS) as (keyof typeof STEPS)[]).find((key) => key in value) : undefined;
    if (kind !== undefined) return delegate<SetupStep>(STEPS[kind], value, context) ?? z.NEVER;
    tell(
      context,
      { code: 'not-one-key', hint: 'a step is one of { sql: ... }, { request: ... }, { restart: ... }' },
      `${show(value)} is not a set-up step`,
    );
    return z.NEVER;
  }),
  () => ({ oneOf: Object.values(STEPS).map((schema) => editorViewOf(schema)) }),
);

/** Names of Debian's packages and releases; they become words of a command. */
const debianName = z
  .string()
  .max(100)
  .regex(/^[a-z0-9][a-z0-9+.=~:-]*$/, "only what names of Debian's packages hold");

const processSchema = z.strictObject({
  command: command.describe('Program and arguments'),
  env: texts.prefault({}).describe('Environment beside the little that every process is given'),
  cwd: text.optional().describe("Where it runs; the stage's folder unless given"),
});

const dockerSchema = z.strictObject({
  image: text.describe('Image, with tag or digest'),
  command: command.optional().describe("Instead of the image's own"),
  env: texts.prefault({}).describe('Environment'),
  init: z.boolean().prefault(true).describe('Run under an init; false is as deployed'),
  build: z
    .strictObject({
      context: text.describe('Folder, relative to the card'),
      args: texts.prefault({}).describe('Build arguments'),
      packages: z.array(debianName).prefault([]).describe('Debian packages to make it of, instead of Node and what npm installs'),
      suite: debianName.prefault('bookworm').describe("Debian's release that the packages are of"),
    })
    .optional()
    .describe('How the image is built, where it is built here'),
});

/** Death by SIGTERM and exit 143 are one value. */
const STOP = { signal: 'SIGTERM', grace: '10s', exit: [0, 143] };

export const stopSchema = z.strictObject({
  signal: signalSchema.prefault('SIGTERM').describe('The polite signal'),
  grace: durationSchema.prefault(STOP.grace as never).describe('How long it may take'),
  exit: z.array(z.int().min(0).max(255)).min(1).prefault(STOP.exit).describe('Exit codes that are as they should be'),
});

const dumpSchema = z
  .strictObject({
    signal: signalSchema.optional().describe('After it the process prints a dump'),
    command: command.optional().describe('Prints a dump, or writes it to ${dump}; ${pid} is the process'),
    within: durationSchema.prefault('5s' as never).describe('How long that may take'),
  })
  .transform(({ signal, command: words, within }, context): CardDump => {
    if (signal !== undefined && words === undefined) return { signal, command: null, within };
    if (signal === undefined && words !== undefined) return { signal: null, command: words, within };
    tell(context, { code: 'not-one-key', hint: 'write dump: { signal: SIGUSR2 } or dump: { command: [...] }', at: 'owner' }, '`dump` is one of `signal` and `command`');
    return z.NEVER;
  });

export const runEntry: z.ZodType<CardProcess> = z
  .strictObject({
    name: word.describe('What it is called here'),
    process: processSchema.optional().describe('How it runs as a plain process'),
    docker: dockerSchema.optional().describe('How it runs in a container'),
    stop: stopSchema.prefault(STOP as never).describe('How it is stopped, and what it promises then'),
    dump: dumpSchema.optional().describe('How it is asked for a dump of its own, where a claim was seen violated'),
  })
  .superRefine((entry, context) => {
    if (entry.process || entry.docker) return;
    tell(
      context,
      { code: 'missing-key', hint: 'write process: { command: [...] }, docker: { image: ... }, or both', at: 'owner' },
      'neither `process` nor `docker` is given',
    );
  });
