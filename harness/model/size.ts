// Sizes as people write them: `64KiB`, `10MiB`, or a whole number of bytes.

const UNITS: Readonly<Record<string, number>> = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };
export const SIZE = /^(\d+(?:\.\d+)?)(B|KB|MB|GB|KiB|MiB|GiB)$/;

/** @returns bytes, undefined where it is no size */
export const parseSize = (value: unknown): number | undefined => {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
  const match = typeof value === 'string' ? SIZE.exec(value) : null;
  const bytes = match ? Math.round(Number(match[1]) * UNITS[match[2]!]!) : undefined;
  return Number.isSafeInteger(bytes) ? bytes : undefined;
};
