// Whether the committed bundles are current: whole, of the format of today, judged to the same bytes, and drawn to the same
// bytes by today's renderers. What is wrong is told by name.
import { readdirSync, readFileSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FILES, FORMAT_VERSION } from '../../bundle/format.ts';
import { readBundle } from '../../bundle/read.ts';
import { writeSeal } from '../../bundle/seal.ts';
import { judgeBundle } from '../../cli/judge.ts';
import { rightIn } from '../../cli/right-of.ts';
import { messageOf } from '../../model/problem.ts';
import { pagesOf } from '../../reports/pages.ts';
import { GOLDENS, OLD } from './table.ts';
import type { Golden } from './table.ts';

/** All of it is cloned by everybody. */
const MAXIMUM_BYTES = 2.25 * 1024 * 1024;

/** Of a run that nobody sealed nothing was drawn. */
const isWhole = ({ signal }: Golden): boolean => signal !== 'SIGKILL';

const SAME = 'The same as verdicts.json, byte for byte.';

const judgedWrong = async (folder: string, golden: Golden): Promise<readonly string[]> => {
  const { exitCode, output } = await judgeBundle(folder);
  return [
    ...(exitCode === golden.exitCode ? [] : [`judge exits ${exitCode}, not ${golden.exitCode}`]),
    ...(output.includes(isWhole(golden) ? SAME : 'error: interrupted') ? [] : [`judged otherwise: ${output}`]),
    ...(output.includes(` ${golden.shown} `) ? [] : [`is not shown as ${golden.shown}`]),
  ];
};

const pagesIn = async (folder: string): Promise<Readonly<Record<string, string>>> => {
  const { markdown, html } = await pagesOf(folder, rightIn);
  return { [FILES.report]: markdown, [FILES.html]: html };
};

/** Pages that today's renderers would draw otherwise. */
const drawnOtherwise = async (folder: string): Promise<readonly string[]> =>
  Object.entries(await pagesIn(folder)).flatMap(([file, text]) =>
    readFileSync(join(folder, file), 'utf8') === text ? [] : [`${file} would be drawn otherwise today`],
  );

/** Draws the pages of one anew, which nothing but renderers made, and seals it again. The record stays as it is. */
export const drawAgain = async (golden: Golden, root: string): Promise<void> => {
  if (!isWhole(golden)) return;
  const folder = join(root, golden.name);
  for (const [file, text] of Object.entries(await pagesIn(folder))) await writeFile(join(folder, file), text);
  await writeSeal(folder);
};

/** What is wrong with one of them. */
export const wrongWith = async (golden: Golden, root: string): Promise<readonly string[]> => {
  const folder = join(root, golden.name);
  try {
    const { isSealed, writtenFormat, verdicts } = await readBundle(folder);
    return [
      ...(writtenFormat === FORMAT_VERSION ? [] : [`has format ${writtenFormat}, not ${FORMAT_VERSION}`]),
      ...(isSealed === isWhole(golden) ? [] : [isSealed ? 'is sealed' : 'is not sealed']),
      ...(verdicts.outcome === golden.outcome ? [] : [`is ${verdicts.outcome}, not ${golden.outcome}`]),
      ...(await judgedWrong(folder, golden)),
      ...(isWhole(golden) ? await drawnOtherwise(folder) : []),
    ];
  } catch (error) {
    return [`cannot be read: ${messageOf(error)}`];
  }
};

/** An old one is read and judged to the outcome that it had; its words may be those of its time. */
export const wrongWithOld = async ({ name, format, outcome, exitCode }: (typeof OLD)[number], root: string): Promise<readonly string[]> => {
  try {
    const folder = join(root, name);
    const { isSealed, writtenFormat, verdicts } = await readBundle(folder);
    const judged = await judgeBundle(folder);
    return [
      ...(isSealed ? [] : ['is not sealed']),
      ...(writtenFormat === format ? [] : [`has format ${writtenFormat}, not ${format}`]),
      ...(verdicts.outcome === outcome && judged.exitCode === exitCode ? [] : [`is no longer ${outcome}: ${judged.output}`]),
    ];
  } catch (error) {
    return [`cannot be read: ${messageOf(error)}`];
  }
};

/** What is wrong with the folder as a whole. */
export const wrongWithFolder = async (root: string): Promise<readonly string[]> => {
  const wanted = [...GOLDENS, ...OLD].map(({ name }) => name);
  const found = readdirSync(root);
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(file.parentPath, file.name))).size));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return [
    ...wanted.filter((name) => !found.includes(name)).map((name) => `${name} is missing`),
    ...found.filter((name) => !wanted.includes(name)).map((name) => `${name} is none of them`),
    ...(bytes <= MAXIMUM_BYTES ? [] : [`all together are ${bytes} bytes, more than ${MAXIMUM_BYTES}`]),
  ];
};

/** Lines for people; empty where all is as it must be. */
export const wrongWithGoldens = async (root: string): Promise<readonly string[]> => {
  const wrong: string[] = [...(await wrongWithFolder(root))];
  for (const golden of GOLDENS) wrong.push(...(await wrongWith(golden, root)).map((line) => `${golden.name}: ${line}`));
  for (const old of OLD) wrong.push(...(await wrongWithOld(old, root)).map((line) => `${old.name}: ${line}`));
  return wrong;
};
