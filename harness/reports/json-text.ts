// JSON that any reader takes and any terminal shows: some refuse halves of characters, and what turns text or moves a cursor can be
// written as an escape instead.

const UNSEEN = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

const whole = (_: string, value: unknown): unknown => (typeof value === 'string' ? value.toWellFormed() : value);

/** @param indent spaces; none: on one line */
export const jsonText = (value: unknown, indent = 0): string =>
  JSON.stringify(value, whole, indent).replace(UNSEEN, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
