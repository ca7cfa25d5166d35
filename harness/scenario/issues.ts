// What zod found, in our words: a code, one line, a hint and the path. Known keys are caught by the
// error map while the schema is still at hand; all else is read from the issue afterwards.
import type { z } from 'zod';
import { didYouMean } from '../model/nearest.ts';
import type { ScenarioCode } from './codes.ts';
import { show } from './scalars.ts';
import type { Path } from './tree.ts';

export type Finding = {
  readonly code: ScenarioCode;
  readonly message: string;
  readonly hint?: string;
  readonly path: Path;
  /** What to point at: the key itself, its value, or the map that should have had something. */
  readonly at: 'key' | 'value' | 'owner';
};

type Issue = z.core.$ZodIssue;
type Told = Omit<Finding, 'path'>;

/** How custom issues of this folder carry their code. */
export type IssueParams = { readonly code: ScenarioCode; readonly hint?: string; readonly at?: Finding['at'] };

const SEPARATOR = ', ';
const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a map',
  record: 'a map',
  array: 'a list',
};

/** Zod's error map. For unknown keys the message is the list of the known ones. */
const errorMap = (issue: z.core.$ZodRawIssue): string | undefined => {
  if (issue.code !== 'unrecognized_keys') return undefined;
  const shape = (issue.inst as { _zod?: { def?: { shape?: object } } } | undefined)?._zod?.def?.shape;
  return Object.keys(shape ?? {}).join(SEPARATOR) || SEPARATOR;
};

/** For every `safeParse`, nested ones too, so that all report alike. */
export const PARSE_OPTIONS = { error: errorMap, reportInput: true } as const;

/** Adds an issue of our own. */
export const tell = (context: z.core.$RefinementCtx, params: IssueParams, message: string, path: Path = []): void =>
  context.addIssue({ code: 'custom', message, path: [...path], params: { ...params } });

const isMissing = (issue: Issue): boolean =>
  issue.input === undefined &&
  (issue.code === 'invalid_type' || issue.code === 'invalid_value' || (issue.code === 'custom' && issue.params?.code === 'missing-key'));

const invalidType = (expectedType: string, input: unknown): Told => {
  const expected = WORDS[expectedType] ?? expectedType;
  if (input === null) return { code: 'wrong-type', message: `nothing is given here; ${expected} is needed`, at: 'owner' };
  const plain = typeof input === 'number' || typeof input === 'boolean';
  const hint =
    expectedType === 'string' && plain ? `quote it: "${String(input)}"` : expectedType === 'array' ? 'write a list: [a, b]' : undefined;
  return { code: 'wrong-type', message: `${show(input)} is not ${expected}`, at: 'value', ...(hint === undefined ? {} : { hint }) };
};

const outOfRange = (issue: Extract<Issue, { code: 'too_small' | 'too_big' }>): Told => {
  const few = issue.code === 'too_small';
  const limit = few ? `at least ${issue.minimum}` : `at most ${issue.maximum}`;
  const counted = { string: 'characters', array: 'entries', record: 'keys' }[issue.origin as string];
  const message =
    counted === undefined ? `${show(issue.input)} is out of range: ${limit}` : `too ${few ? 'few' : 'many'} ${counted}: ${limit}`;
  return { code: 'bad-value', message, at: 'value' };
};

const oneOf = (input: unknown, values: readonly unknown[]): Told => ({
  code: typeof input === 'string' || values.length === 1 ? 'bad-value' : 'wrong-type',
  message: input === null ? 'nothing is given here' : `${show(input)} is not possible here`,
  // What is written as a map may have a `toString` of its own, which is no function.
  hint: didYouMean(typeof input === 'object' ? '' : String(input), values.map(String), 'possible'),
  at: input === null ? 'owner' : 'value',
});

const told = (issue: Issue): Told => {
  if (issue.code === 'custom') {
    const params = (issue.params ?? { code: 'bad-value' }) as IssueParams;
    return { at: 'value', message: issue.message, ...params };
  }
  if (issue.code === 'invalid_type') return invalidType(issue.expected, issue.input);
  if (issue.code === 'too_small' || issue.code === 'too_big') return outOfRange(issue);
  if (issue.code === 'invalid_value') return oneOf(issue.input, issue.values);
  return { code: 'bad-value', message: `${show(issue.input)}: ${issue.message}`, at: 'value' };
};

const missing = (issue: Issue): Finding => {
  const key = String(issue.path.at(-1) ?? '');
  const params = (issue.code === 'custom' ? issue.params : undefined) as IssueParams | undefined;
  return {
    code: 'missing-key',
    message: `\`${key}\` is missing`,
    path: issue.path.slice(0, -1),
    at: 'owner',
    ...(params?.hint === undefined ? {} : { hint: params.hint }),
  };
};

/** One issue may hold several findings: each unknown key is one. */
export const findingsOf = (issue: Issue): readonly Finding[] => {
  if (issue.code === 'unrecognized_keys') {
    const known = issue.message.split(SEPARATOR).filter(Boolean);
    return issue.keys.map((key) => ({
      code: 'unknown-key',
      message: `unknown key \`${key}\``,
      hint: didYouMean(key, known),
      path: [...issue.path, key],
      at: 'key',
    }));
  }
  if (issue.code === 'invalid_key') return issue.issues.map((inner) => ({ ...told(inner as Issue), path: issue.path, at: 'key' }));
  if (!isMissing(issue)) return [{ ...told(issue), path: issue.path }];
  // One of ours that says itself what is missing also says where to point.
  const isTold = issue.code === 'custom' && issue.params?.at !== undefined;
  return [isTold ? { ...told(issue), path: issue.path } : missing(issue)];
};

/**
 * Parses a part by its own schema inside a transform; what is wrong becomes the outer one's, below `path`.
 * @param onMissing says better than "is missing" what a missing key of the part itself would have been
 */
export const delegate = <T>(
  schema: z.ZodType<T>,
  value: unknown,
  context: z.core.$RefinementCtx,
  path: Path = [],
  onMissing?: (key: string) => { readonly message: string; readonly hint: string },
): T | undefined => {
  if (value === undefined) {
    tell(context, { code: 'missing-key' }, '', path);
    return undefined;
  }
  const result = schema.safeParse(value, PARSE_OPTIONS);
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    const better = onMissing && issue.path.length === 1 && isMissing(issue) ? onMissing(String(issue.path[0])) : undefined;
    const findings = better ? [{ code: 'missing-key' as const, at: 'owner' as const, path: [], ...better }] : findingsOf(issue);
    // As issues of our own: zod runs on after an unknown key, and a transform would then see half a value.
    for (const { message, path: inner, ...params } of findings) tell(context, params, message, [...path, ...inner]);
  }
  return undefined;
};
