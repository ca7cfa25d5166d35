// Finds a line in the system's log as it grows. A pure matcher: the harness reads the log, because only
// the runtime knows where it is. Lines and pattern are cut to a length, so that neither a system
// that prints without end nor a pattern that backtracks can hold the harness up.
const MAXIMUM_LINE = 4_096;
const MAXIMUM_PATTERN = 512;
/** How much of what was seen is looked for in a log whose beginning has been cut away. */
const OVERLAP = 512;

/** What of `now` was not in `before`, where both are the end of one growing log. */
const grownBy = (before: string, now: string): string => {
  if (now.startsWith(before)) return now.slice(before.length);
  const tail = before.slice(-OVERLAP);
  const at = now.lastIndexOf(tail);
  return at < 0 ? now : now.slice(at + tail.length);
};

/**
 * @param pattern a regular expression, at most 512 characters
 * @param seen the log at the moment from which lines count
 * @returns given the log as it is now: the first complete new line that matches, or null
 * @throws SyntaxError when the pattern is none; RangeError when it is too long
 */
export const createLogWatch = (pattern: string, seen = ''): ((log: string) => string | null) => {
  if (pattern.length > MAXIMUM_PATTERN) throw new RangeError(`pattern of ${pattern.length} characters; ${MAXIMUM_PATTERN} are allowed`);
  const expression = new RegExp(pattern);
  let before = seen;
  let open = '';
  return (log) => {
    const lines = (open + grownBy(before, log)).split('\n');
    before = log;
    open = lines.pop()!.slice(0, MAXIMUM_LINE);
    return lines.map((line) => line.slice(0, MAXIMUM_LINE)).find((line) => expression.test(line)) ?? null;
  };
};
