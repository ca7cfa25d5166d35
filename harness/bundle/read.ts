// Reads a bundle back, whoever made it: sealed and untouched, or as far as it had come when its harness
// was killed. What is wrong with it is named; nothing is repaired in silence.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { problem } from '../model/problem.ts';
import type { Observation } from '../model/observation.ts';
import { createTimeline } from '../model/timeline.ts';
import type { Timeline } from '../model/timeline.ts';
import { FILES } from './format.ts';
import type { Manifest, Resolved, Verdicts } from './format.ts';
import { parseLines } from './parse-lines.ts';
import { breaksOf, readSeal } from './seal.ts';
import { checkFormat, upgrade } from './upgrade.ts';

export type Bundle = {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly scenarioText: string;
  readonly resolved: Resolved;
  readonly timeline: Timeline;
  readonly control: Timeline | null;
  /** verdicts.json as it stands, for comparing bytes; null before the judging. */
  readonly verdictsText: string | null;
  readonly verdicts: Verdicts | null;
  readonly isSealed: boolean;
  /** One line for each thing that a reader should know: not sealed, a line cut off. */
  readonly notes: readonly string[];
};

const readText = async (folder: string, name: string): Promise<string | null> => {
  try {
    return await readFile(join(folder, name), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

const parse = <T>(text: string, name: string): T => {
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw problem('scenario', 'bundle-damaged', `${name} is not JSON`, { cause: error });
  }
};

const need = async (folder: string, name: string): Promise<string> => {
  const text = await readText(folder, name);
  if (text !== null) return text;
  throw problem('scenario', 'not-a-bundle', `${folder} has no ${name}`, {
    hint: 'name the folder of one scenario, in which manifest.json lies',
  });
};

const checkSeal = async (folder: string): Promise<boolean> => {
  const seal = await readSeal(folder).catch((error: unknown) => {
    throw problem('scenario', 'bundle-damaged', `${FILES.seal} is not JSON`, { cause: error });
  });
  if (seal === null) return false;
  const breaks = await breaksOf(folder, seal);
  if (breaks.length === 0) return true;
  throw problem('scenario', 'bundle-tampered', `${folder} is not as it was sealed: ${breaks.join(', ')}`, {
    hint: 'its verdicts cannot be relied on; take the bundle again from where it was made',
  });
};

/**
 * @throws ProblemError `not-a-bundle`, `bundle-damaged`, `bundle-tampered`, `bundle-newer`, `bundle-too-old`
 */
export const readBundle = async (folder: string): Promise<Bundle> => {
  const found = await stat(folder).catch(() => null);
  if (!found?.isDirectory()) throw problem('scenario', 'not-a-bundle', `${folder} is not a folder`);
  const manifest = parse<Readonly<Record<string, unknown>>>(await need(folder, FILES.manifest), FILES.manifest);
  checkFormat(manifest);
  const isSealed = await checkSeal(folder);
  const timeline = parseLines(await need(folder, FILES.timeline), FILES.timeline, !isSealed);
  const controlText = await readText(folder, FILES.control);
  const control = controlText === null ? null : parseLines(controlText, FILES.control, false).observations;
  const verdictsText = await readText(folder, FILES.verdicts);
  const raw = upgrade({
    manifest,
    resolved: parse(await need(folder, FILES.resolved), FILES.resolved),
    timeline: timeline.observations,
    control,
  });
  return {
    folder,
    manifest: raw.manifest as unknown as Manifest,
    scenarioText: await need(folder, FILES.scenario),
    resolved: raw.resolved as unknown as Resolved,
    timeline: createTimeline(raw.timeline as readonly Observation[]),
    control: raw.control && createTimeline(raw.control as readonly Observation[]),
    verdictsText,
    verdicts: verdictsText === null ? null : parse<Verdicts>(verdictsText, FILES.verdicts),
    isSealed,
    notes: [
      ...(isSealed ? [] : ['the bundle was not sealed: the run was cut off, and this is what was recorded until then']),
      ...(timeline.isCut ? [`the last line of ${FILES.timeline} was cut off and is left out`] : []),
    ],
  };
};
