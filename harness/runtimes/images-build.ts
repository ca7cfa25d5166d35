// One build by the engine: a folder goes there as an archive, a tagged image comes of it. The legacy
// builder does; nothing is ever pulled here, since every FROM names an image that was seen before.
import { mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf, problem } from '../model/problem.ts';
import { formatMs, nowMs } from '../model/time.ts';
import type { Engine } from './docker.ts';
import { IMAGE_LABEL } from './docker-labels.ts';
import { imageOf } from './image-of.ts';
import { notePrepared } from './prepare-life.ts';

/** Told of what takes longer than two seconds, one line each. */
export type Progress = (line: string) => void;

export type Build = {
  readonly tag: string;
  /** Value of the label `hangup.image`. */
  readonly what: string;
  readonly args?: Readonly<Record<string, string>>;
  /** Name of the Dockerfile in the build folder. */
  readonly dockerfile: string;
  /** Fills the build folder. @returns further labels, where what was put there has something to say */
  readonly fill: (folder: string) => void | Promise<void | Readonly<Record<string, string>>>;
};

const TELL_AFTER_MS = 2_000;

type Step = { readonly stream?: string; readonly error?: string };

export const imageExists = async (engine: Engine, tag: string): Promise<boolean> => (await imageOf(engine, tag)) !== null;

const follow = (engine: Engine, stream: NodeJS.ReadableStream): Promise<readonly Step[]> =>
  new Promise((resolve, reject) => {
    engine.modem.followProgress(stream, (error, steps: Step[]) => (error ? reject(error) : resolve(steps)));
  });

const failed = (build: Build, message: string, lines: readonly string[]): Error => {
  const quoted = lines.map((line) => `  | ${line}`).join('\n');
  return problem('environment', 'image-not-built', `${build.tag} cannot be built: ${message.trim()}`, {
    hint: quoted === '' ? 'hangup doctor shows the state of the engine' : `the builder's last lines:\n${quoted}`,
  });
};

/** @throws ProblemError `image-not-built` with the builder's last lines */
export const buildImage = async (engine: Engine, build: Build, progress: Progress): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-image-'));
  const noted = notePrepared(folder);
  const startedMs = nowMs();
  let told = false;
  const timer = setTimeout(() => {
    told = true;
    progress(`building ${build.tag} ...`);
  }, TELL_AFTER_MS);
  try {
    const labels = await build.fill(folder);
    const stream = await engine.buildImage({ context: folder, src: readdirSync(folder) }, {
      t: build.tag, dockerfile: build.dockerfile, buildargs: { ...build.args },
      labels: { ...labels, [IMAGE_LABEL]: build.what }, rm: true, forcerm: true,
    });
    const steps = await follow(engine, stream);
    const error = steps.find((step) => step.error !== undefined)?.error;
    const lines = steps.map((step) => step.stream?.trim() ?? '').filter((line) => line !== '').slice(-10);
    if (error !== undefined) throw failed(build, error, lines);
    if (told) progress(`built ${build.tag} in ${formatMs(nowMs() - startedMs)}`);
  } catch (error) {
    throw error instanceof Error && 'problems' in error ? error : failed(build, messageOf(error), []);
  } finally {
    clearTimeout(timer);
    await rm(folder, { recursive: true, force: true });
    noted.forget();
  }
};
