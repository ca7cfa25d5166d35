// Packages that nobody named and that came along with those that were: what a manifest calls them, and how lists of them stay short.

const SUFFIX = ' (came along)';

/** @param name such as `npm follow-redirects` @returns its name among the versions of a manifest */
export const cameAlong = (name: string): string => `${name}${SUFFIX}`;

/** Whether nobody named it. */
export const isCameAlong = (name: string): boolean => name.endsWith(SUFFIX);

/**
 * Everything else, and the first few of what came along: of a large program that is hundreds.
 * @param nameOf what a row is called in the manifest
 * @returns those, in their order, and how many are left out
 */
export const fewAlong = <T>(rows: readonly T[], nameOf: (row: T) => string, most: number): { readonly shown: readonly T[]; readonly more: number } => {
  const left = new Set(rows.filter((row) => isCameAlong(nameOf(row))).slice(most));
  return { shown: rows.filter((row) => !left.has(row)), more: left.size };
};
