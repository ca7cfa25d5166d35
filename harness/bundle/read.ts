// Reads a bundle back, whoever made it: sealed and untouched, or as far as it had come when its harness
// was killed. What is wrong with it is named; nothing is repaired in silence.
import { lstat, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, problem } from '../model/problem.ts';
import type { Observation } from '../model/observation.ts';
import { createTimeline } from '../model/timeline.ts';
import type { Timeline } from '../model/timeline.ts';
import { checkFile } from './check-manifest.ts';
import { checkObservations } from './check-observation.ts';
import { checkVerdicts } from './check-verdicts.ts';
import { cutOffVerdicts } from './cut-off.ts';
import { FILES, FORMAT_VERSION } from './format.ts';
import type { Manifest, Resolved, Verdicts } from './format.ts';
import { isDeeperThan, MAXIMUM_DEPTH } from './kinds.ts';
import { parseFile } from './parse-lines.ts';
import type { ParsedLines } from './parse-lines.ts';
import { breaksOf, readSeal, strangersIn } from './seal.ts';
import { reducedNote } from './reduced.ts';
import type { Reduced } from './reduced.ts';
import { checkFormat, upgrade } from './upgrade.ts';
import type { RawBundle } from './upgrade.ts';

export type Bundle = {
  readonly folder: string;
  readonly manifest: Manifest;
  /** The format that it was written in; what is here is in that of today. */
  readonly writtenFormat: number;
  readonly scenarioText: string;
  readonly resolved: Resolved;
  readonly timeline: Timeline;
  readonly control: Timeline | null;
  /** verdicts.json as it stands, for comparing bytes; null where the run was cut off before the judging. */
  readonly verdictsText: string | null;
  /** Of a run that was cut off, also after its verdicts: that it was. */
  readonly verdicts: Verdicts;
  readonly isSealed: boolean;
  /** The card's text; null in bundles of a time before it was kept. */
  readonly cardText: string | null;
  /** What an archive of it has left out; null where all is there. */
  readonly reduced: Reduced | null;
  /** One line for each thing that a reader should know: not sealed, a line cut off. */
  readonly notes: readonly string[];
};

const tampered = (folder: string, breaks: readonly string[], left = 'written'): Error =>
  problem('scenario', 'bundle-tampered', `${folder} is not as it was ${left}: ${breaks.join(', ')}`, {
    hint: 'its verdicts cannot be relied on; take the bundle again from where it was made',
  });

/** Null where there is no such file. A link could lead anywhere, a pipe would never end, and a folder is none. */
const ifThere = async <T>(folder: string, name: string, read: (path: string) => Promise<T>): Promise<T | null> => {
  try {
    if (!(await lstat(join(folder, name))).isFile()) throw tampered(folder, [`${name} is no plain file`]);
    return await read(join(folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

const readText = (folder: string, name: string): Promise<string | null> => ifThere(folder, name, (path) => readFile(path, 'utf8'));

const parse = <T>(text: string, name: string): T => {
  try {
    const value: unknown = JSON.parse(text);
    if (isDeeperThan(value, MAXIMUM_DEPTH)) throw new Error('it is nested too deep');
    return value as T;
  } catch (error) {
    throw problem('scenario', 'bundle-damaged', `${name} is not JSON that can be read: ${messageOf(error)}`, {
      hint: 'it may have come incomplete; take the bundle again from where it was made',
      cause: error,
    });
  }
};

/** An object, or what names no format. */
const parseManifest = (text: string): Readonly<Record<string, unknown>> => {
  const manifest = parse<unknown>(text, FILES.manifest);
  return typeof manifest === 'object' && manifest !== null ? (manifest as Readonly<Record<string, unknown>>) : {};
};

const missing = (folder: string, name: string): never => {
  throw problem('scenario', 'not-a-bundle', `${folder} has no ${name}`, {
    hint: 'name the folder of one scenario, in which manifest.json lies',
  });
};

const need = async (folder: string, name: string): Promise<string> => (await readText(folder, name)) ?? missing(folder, name);

const observationsIn = (folder: string, name: string, mayBeCut: boolean): Promise<ParsedLines | null> =>
  ifThere(folder, name, (path) => parseFile(path, name, mayBeCut));

/** @returns whether it is sealed */
const checkSeal = async (folder: string): Promise<boolean> => {
  const strangers = await strangersIn(folder);
  if (strangers.length > 0) throw tampered(folder, strangers);
  const seal = await readSeal(folder).catch((error: unknown) => {
    throw problem('scenario', 'bundle-damaged', `${FILES.seal} is not whole: ${messageOf(error)}`, {
      hint: 'whether the bundle is as it was left cannot be told; take it again from where it was made',
      cause: error,
    });
  });
  if (seal === null) return false;
  const breaks = await breaksOf(folder, seal);
  if (breaks.length > 0) throw tampered(folder, breaks, 'sealed');
  return true;
};

const notesOf = (isSealed: boolean, isCut: boolean, writtenFormat: number, reduced: Reduced | null): readonly string[] => [
  ...(reduced === null ? [] : [reducedNote(reduced)]),
  ...(writtenFormat === FORMAT_VERSION ? [] : [`the bundle was written in format ${writtenFormat}, and is read as ${FORMAT_VERSION}`]),
  ...(isSealed
    ? []
    : ['the bundle was not sealed: the run was cut off, this is what was recorded until then, and nothing shows whether it was changed since']),
  ...(isCut ? [`the last line of ${FILES.timeline} was cut off and is left out`] : []),
];

/** What is believed about the files from here on. Steps from older formats have been taken. */
const check = ({ manifest, resolved, timeline, control }: RawBundle, reduced: unknown): void => {
  checkFile(FILES.manifest, manifest);
  checkFile(FILES.resolved, resolved);
  if (reduced !== null) checkFile(FILES.reduced, reduced);
  checkObservations(FILES.timeline, timeline);
  if (control !== null) checkObservations(FILES.control, control);
};

/** Killed between its verdicts and its seal: nothing shows that they are of this record, or that nobody wrote them since. */
const believed = (stored: Verdicts, isProved: boolean): Verdicts =>
  isProved || (stored.verdicts.length === 0 && (stored.outcome === 'error' || stored.outcome === 'interrupted')) ? stored : cutOffVerdicts(stored.scenario);

/**
 * @param isOver false: its writer reads it back before it is sealed, and has just written the verdicts
 * @throws ProblemError `not-a-bundle`, `bundle-damaged`, `bundle-tampered`, `bundle-newer`, `bundle-too-old`
 */
export const readBundle = async (folder: string, { isOver = true } = {}): Promise<Bundle> => {
  const found = await stat(folder).catch(() => null);
  if (!found?.isDirectory()) throw problem('scenario', 'not-a-bundle', `${folder} is not a folder`);
  const manifest = parseManifest(await need(folder, FILES.manifest));
  const writtenFormat = checkFormat(manifest);
  const isSealed = await checkSeal(folder);
  const timeline = (await observationsIn(folder, FILES.timeline, !isSealed)) ?? missing(folder, FILES.timeline);
  const control = await observationsIn(folder, FILES.control, false);
  const verdictsText = await readText(folder, FILES.verdicts);
  const reducedText = await readText(folder, FILES.reduced);
  const reduced = reducedText === null ? null : parse<Reduced>(reducedText, FILES.reduced);
  const raw = upgrade({
    manifest,
    resolved: parse(await need(folder, FILES.resolved), FILES.resolved),
    timeline: timeline.observations,
    control: control?.observations ?? null,
    verdicts: verdictsText === null ? null : parse(verdictsText, FILES.verdicts),
  });
  check(raw, reducedText === null ? null : (reduced ?? {}));
  return {
    folder,
    manifest: raw.manifest as unknown as Manifest,
    writtenFormat,
    scenarioText: await need(folder, FILES.scenario),
    resolved: raw.resolved as unknown as Resolved,
    timeline: createTimeline(raw.timeline as readonly Observation[]),
    control: raw.control && createTimeline(raw.control as readonly Observation[]),
    verdictsText,
    verdicts: raw.verdicts === null ? cutOffVerdicts(String(raw.manifest.scenario)) : believed(checkVerdicts(raw.verdicts), isSealed || !isOver),
    isSealed,
    cardText: await readText(folder, FILES.card),
    reduced,
    notes: notesOf(isSealed, timeline.isCut, writtenFormat, reduced),
  };
};
