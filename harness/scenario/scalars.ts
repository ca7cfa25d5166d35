// The scalars of the language beyond YAML's own: durations, sizes, patterns, signals, statuses and
// names. Each is one zod schema that parses text to data, with what an editor should know of it.
import { z } from 'zod';
import { hidesWhatFollows } from '../bundle/header-shapes.ts';
import { parseSize, SIZE } from '../model/size.ts';
import { parseDuration, parseDurationRange } from '../model/time.ts';
import type { Duration, DurationRange } from '../model/time.ts';
import type { ScenarioCode } from './codes.ts';
import { withEditorView } from './editor-view.ts';
import { isBoundedPattern } from './pattern.ts';

type ScalarKind<T> = {
  readonly code: ScenarioCode;
  /** `a duration`, with what is said when it is not one. */
  readonly what: string;
  readonly hint: string;
  readonly parse: (value: unknown) => T | undefined;
  readonly view: object;
};

/** How a value is shown in a message. */
export const show = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
};

const scalar = <T>({ code, what, hint, parse, view }: ScalarKind<T>): z.ZodType<T> =>
  withEditorView(
    z.unknown().transform((value, context): T => {
      const parsed = parse(value);
      if (parsed !== undefined) return parsed;
      if (value === undefined)
        context.addIssue({ code: 'custom', message: '', params: { code: 'missing-key' satisfies ScenarioCode, hint } });
      else context.addIssue({ code: 'custom', message: `${show(value)} is not ${what}`, params: { code, hint } });
      return z.NEVER;
    }),
    () => view,
  );

const LENGTH = '\\d+(\\.\\d+)?(ms|s|m|h| renewals?| leases?| sweeps?)';

const DURATION_VIEW = {
  type: 'string',
  pattern: `^${LENGTH}$`,
  examples: ['500ms', '2s', '3 renewals'],
};

export const durationSchema: z.ZodType<Duration> = scalar({
  code: 'bad-duration',
  what: 'a duration',
  hint: "write 500ms, 2s, 5m, at most 480h, or a number of the system's periods: 3 renewals, 1 lease, 2 sweeps",
  parse: (value) => (typeof value === 'string' ? parseDuration(value) : undefined),
  view: DURATION_VIEW,
});

/** Where what is done may be done at another time in each run. */
export const rangedDurationSchema: z.ZodType<Duration | DurationRange> = scalar({
  code: 'bad-duration',
  what: 'a duration, or a range of them',
  hint: 'write 500ms, 3 renewals, or from..to with the shorter first: 100ms..900ms; the seed of a run decides which',
  parse: (value) => (typeof value === 'string' ? (parseDuration(value) ?? parseDurationRange(value)) : undefined),
  view: { type: 'string', pattern: `^${LENGTH}( ?\\.\\. ?${LENGTH})?$`, examples: ['500ms', '3 renewals', '100ms..900ms'] },
});

export const sizeSchema: z.ZodType<number> = scalar({
  code: 'bad-size',
  what: 'a size',
  hint: 'write 64KiB, 10MiB, 1GiB, or a whole number of bytes',
  parse: parseSize,
  view: {
    anyOf: [
      { type: 'integer', minimum: 0 },
      { type: 'string', pattern: SIZE.source },
    ],
  },
});

const MAXIMUM_PATTERN = 300;

export const patternSchema: z.ZodType<string> = scalar({
  code: 'bad-pattern',
  what: 'a usable regular expression',
  hint: `JavaScript syntax, at most ${MAXIMUM_PATTERN} characters, no repetition of a repetition, no back-references`,
  parse: (value) =>
    typeof value === 'string' && value.length > 0 && value.length <= MAXIMUM_PATTERN && isBoundedPattern(value) ? value : undefined,
  view: { type: 'string', minLength: 1, maxLength: MAXIMUM_PATTERN },
});

export const SIGNALS = [
  'SIGTERM',
  'SIGINT',
  'SIGQUIT',
  'SIGHUP',
  'SIGKILL',
  'SIGUSR1',
  'SIGUSR2',
  'SIGSTOP',
  'SIGCONT',
  'SIGWINCH',
  'SIGABRT',
] as const;

export const signalSchema = z.enum(SIGNALS);
export const statusSchema = z.int().min(100).max(599);

/** Names become addresses, file names and parts of markers. */
export const NAME = /^[a-z][a-z0-9-]{0,39}$/;

export const NAME_HINT =
  'lower-case letters, digits and hyphens, beginning with a letter, at most 40; and no header whose value evidence hides, such as cookie or api-key';

/** Evidence hides what follows the name of a header with a secret: nothing called so could be told apart by it. */
export const isName = (name: string): boolean => NAME.test(name) && !hidesWhatFollows(name);

/** Names of clients, upstreams, marks and the like. */
export const nameSchema: z.ZodType<string> = scalar({
  code: 'bad-name',
  what: 'a name',
  hint: NAME_HINT,
  parse: (value) => (typeof value === 'string' && isName(value) ? value : undefined),
  view: { type: 'string', pattern: NAME.source },
});
