// Whether a regular expression may be run on a system's log: it must compile, and must not be able
// to take exponential time. Repetition inside repetition and back-references are refused, as a whole
// class, since telling the harmless ones apart is not worth a library.

const isQuantifier = (pattern: string, at: number): boolean => {
  const char = pattern[at];
  if (char === '*' || char === '+') return true;
  const counted = char === '{' ? /^\{\d+(,\d*)?\}/.exec(pattern.slice(at)) : null;
  return counted !== null && counted[0] !== '{0,1}' && counted[0] !== '{1}';
};

/** True when a group that holds a repetition or an alternative is itself repeated. */
const repeatsRepetition = (pattern: string): boolean => {
  const groups: boolean[] = [false];
  let inClass = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at];
    if (char === '\\') at += 1;
    else if (inClass) inClass = char !== ']';
    else if (char === '[') inClass = true;
    else if (char === '(') groups.push(false);
    else if (char === ')') {
      const holds = groups.pop() ?? false;
      if (holds && isQuantifier(pattern, at + 1)) return true;
      if (holds && groups.length > 0) groups[groups.length - 1] = true;
    } else if (char === '|' ? groups.length > 1 : isQuantifier(pattern, at)) groups[groups.length - 1] = true;
  }
  return false;
};

/** Compiles, and takes polynomial time at worst. */
export const isBoundedPattern = (pattern: string): boolean => {
  try {
    new RegExp(pattern);
  } catch {
    return false;
  }
  return !/\\[1-9]|\\k</.test(pattern) && !repeatsRepetition(pattern);
};
