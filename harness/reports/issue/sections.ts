// Fits the sections of a text into what a forge takes: the lightest go first, and the text says which have gone.

export type Section = {
  /** In words, for saying that it was left out. */
  readonly name: string;
  /** The heaviest are kept longest. */
  readonly weight: number;
  readonly lines: readonly string[];
  /** Left out where the text must be short. */
  readonly isLong?: boolean;
};

const textOf = (sections: readonly Section[], gone: readonly string[]): string => {
  const note = gone.length === 0 ? [] : [`*Left out here to stay short enough: ${gone.join(', ')}. It is all in the evidence.*`, ''];
  return `${[...sections.flatMap(({ lines }) => lines), ...note].join('\n').trimEnd()}\n`;
};

/** Whole sections while they fit; of what is left when only one is, whole lines. */
export const fitSections = (sections: readonly Section[], maximum: number): string => {
  let kept = sections.filter(({ lines }) => lines.length > 0);
  const gone: string[] = [];
  while (textOf(kept, gone).length > maximum && kept.length > 1) {
    const lightest = kept.reduce((least, each) => (each.weight < least.weight ? each : least));
    kept = kept.filter((each) => each !== lightest);
    gone.push(lightest.name);
  }
  const text = textOf(kept, gone);
  if (text.length <= maximum) return text;
  const end = '\n\n*Cut off here to stay short enough.*\n';
  const begin = text.slice(0, maximum - end.length);
  return (
    begin
      .slice(0, begin.lastIndexOf('\n') + 1 || begin.length)
      .toWellFormed()
      .trimEnd() + end
  );
};
