// Moments in words, for the page's tables.
export function lengthText(ms: number): string;
export function relativeText(marks: readonly { readonly name: string; readonly atMs: number }[], atMs: number): string;
