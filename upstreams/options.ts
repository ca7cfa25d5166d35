// Options as the program of a behaviour wants them: defaults filled in, durations in ms, sizes in
// bytes. The harness sends them parsed; by hand (the playground, a test) they may stand as in YAML.
import type { Field, Fields, Options } from '../harness/model/fields.ts';
import { parseDuration } from '../harness/model/time.ts';

const SIZE = /^(\d+)(B|KiB|MiB|GiB)$/;
const SIZE_BYTES: Readonly<Record<string, number>> = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };

/** An error whose code goes back with the reply to a command. */
export const commandError = (code: string, message: string): Error => Object.assign(new Error(message), { code });

/** Its code is `unknown-<what>`. */
export const unknownError = (what: string, name: string, known: readonly string[]): Error =>
  commandError(`unknown-${what}`, `there is no ${what} ${name}; there are: ${known.join(', ') || 'none'}`);

const asNumber = (type: Field['type'], value: unknown): number | undefined => {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  if (type === 'duration') {
    const duration = parseDuration(value);
    return duration && 'ms' in duration ? duration.ms : undefined;
  }
  const size = type === 'size' ? SIZE.exec(value) : null;
  return size ? Number(size[1]) * SIZE_BYTES[size[2]!]! : undefined;
};

const readValue = (key: string, field: Field, value: unknown): unknown => {
  const wrong = (): Error => commandError('bad-option', `${key} cannot be ${JSON.stringify(value)}: it is of type ${field.type}`);
  if (['duration', 'size', 'integer', 'number', 'status'].includes(field.type)) {
    const number = asNumber(field.type, value);
    if (number === undefined || !Number.isFinite(number) || number < (field.minimum ?? -Infinity)) throw wrong();
    if (field.type !== 'duration' && field.type !== 'number' && !Number.isInteger(number)) throw wrong();
    if (field.type === 'status' && (number < 200 || number > 599)) throw wrong();
    return number;
  }
  if (field.type === 'choice' && !field.choices?.includes(value as string)) throw wrong();
  return value;
};

/**
 * Fills in what was not given and reads what was.
 * @throws Error with code `bad-option`: unknown, missing, or not of the field's type
 */
export const readOptions = (fields: Fields, given: Options = {}): Options => {
  for (const key of Object.keys(given)) {
    if (key in fields.options) continue;
    throw commandError('bad-option', unknownError('option', key, Object.keys(fields.options)).message);
  }
  const options: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(fields.options)) {
    const value = given[key] ?? field.default;
    if (value !== undefined) options[key] = readValue(key, field, value);
    else if (!field.optional) throw commandError('bad-option', `option ${key} is missing`);
  }
  return options;
};
