// The end of a log for people, so that the line that tells is in it: of a stack of frames only the first and the last are
// shown, since what was thrown stands above or below them, and is what is looked for.

/** As many lines as anybody reads. */
const MAXIMUM_LINES = 20;
/** An indented run that is longer is a stack, a listing or a dump. */
const MAXIMUM_RUN = 4;

const isIndented = (line: string): boolean => /^\s+\S/.test(line);

/** Long indented runs as their first two lines, how many more, and their last. */
const folded = (lines: readonly string[]): readonly string[] => {
  const shown: string[] = [];
  for (let from = 0; from < lines.length; ) {
    let to = from;
    while (to < lines.length && isIndented(lines[to]!)) to += 1;
    const run = lines.slice(from, Math.max(to, from + 1));
    const hidden = run.length - 3;
    shown.push(...(run.length <= MAXIMUM_RUN ? run : [...run.slice(0, 2), `    (${hidden} more lines like these)`, run.at(-1)!]));
    from += run.length;
  }
  return shown;
};

/** Its last lines without empty ones; none where it is empty. */
export const logExcerpt = (text: string): readonly string[] => {
  const lines = text.split(/\r?\n/).map((line) => line.trimEnd()).filter((line) => line !== '');
  return folded(lines).slice(-MAXIMUM_LINES);
};
