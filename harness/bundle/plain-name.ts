// The name of a run's folder, and of what is made of its bundle.

/** What was run with what, as a name that is safe everywhere. */
export const plainName = (scenario: string, presets: readonly string[], ...more: readonly string[]): string =>
  [scenario, ...(presets.length > 0 ? ['with', ...presets] : []), ...more]
    .join('-')
    .replace(/[^A-Za-z0-9_]+/g, '-')
    .replace(/^-|-$/g, '');
