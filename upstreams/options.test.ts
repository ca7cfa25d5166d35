// Options as the harness sends them (parsed) and as people write them (as in YAML).
import { describe, expect, it } from 'vitest';
import type { Fields } from '../harness/model/fields.ts';
import { readOptions } from './options.ts';

const FIELDS: Fields = {
  options: {
    every: { type: 'duration', about: '', default: '100ms', minimum: 1 },
    size: { type: 'size', about: '', default: '1GiB' },
    status: { type: 'status', about: '', default: 500 },
    how: { type: 'choice', about: '', choices: ['fin', 'rst'], default: 'fin' },
    events: { type: 'integer', about: '', minimum: 0 },
    note: { type: 'text', about: '', optional: true },
  },
};

it('fills in defaults, as ms and bytes', () => {
  expect(readOptions(FIELDS, { events: 3 })).toEqual({ every: 100, size: 1024 ** 3, status: 500, how: 'fin', events: 3 });
});

it('takes numbers as they are and text as in YAML', () => {
  expect(readOptions(FIELDS, { events: 0, every: 5, size: 7 })).toMatchObject({ every: 5, size: 7 });
  const written = { events: 0, every: '2s', size: '64KiB', note: 'x' };
  expect(readOptions(FIELDS, written)).toMatchObject({ every: 2_000, size: 65_536, note: 'x' });
});

describe('refuses', () => {
  it.each([
    ['a missing option', {}],
    ['an unknown one', { events: 1, evry: 1 }],
    ['a value below the minimum', { events: -1 }],
    ['a fraction of an event', { events: 1.5 }],
    ['a duration that is none', { events: 1, every: 'soon' }],
    ['periods of a system', { events: 1, every: '2 renewals' }],
    ['a size that is none', { events: 1, size: '1 banana' }],
    ['a status that cannot be a final one', { events: 1, status: 100 }],
    ['an unknown choice', { events: 1, how: 'politely' }],
    ['no number at all', { events: Number.NaN }],
  ])('%s', (_what, given) => {
    expect(() => readOptions(FIELDS, given)).toThrow(expect.objectContaining({ code: 'bad-option' }));
  });
});
