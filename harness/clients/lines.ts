// Cuts a text that comes in pieces into its lines, which end with LF or CR LF.

/** A line without an end would grow for ever: what is beyond this is dropped. */
const LINE_LIMIT = 1024 * 1024;

/** @returns takes a piece, and tells each line that is complete by it, without its end */
export const createLines = (onLine: (line: string) => void): ((piece: string) => void) => {
  let rest = '';
  return (piece) => {
    let from = 0;
    for (let to = piece.indexOf('\n'); to >= 0; to = piece.indexOf('\n', from)) {
      const line = rest + piece.slice(from, to);
      rest = '';
      onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
      from = to + 1;
    }
    if (rest.length < LINE_LIMIT) rest += piece.slice(from);
  };
};
