// Words for a shell that is told what to do in one line.

/** A word as it stands, whatever is in it. */
export const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
