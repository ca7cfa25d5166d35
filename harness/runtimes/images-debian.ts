// Images of Debian packages: of a root file system that mmdebstrap puts together from Debian's own
// archive, so that no registry is asked; or on a published image of Debian, where one is named.
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf, problem } from '../model/problem.ts';
import { formatMs } from '../model/time.ts';
import type { Engine } from './docker.ts';
import { PACKAGES_LABEL } from './docker-labels.ts';
import { searchPath } from './environment.ts';
import { buildImage } from './images-build.ts';
import type { Progress } from './images-build.ts';
import { hashOf, recipePath, recipeText } from './images-files.ts';
import { ensureImage } from './images-runtime.ts';
import { beginPreparing, notePrepared } from './prepare-life.ts';

const run = promisify(execFile);
/** Ended half way, it would begin from nothing the next time. */
const LIMIT_MS = 30 * 60_000;
const OUTPUT_BYTES = 8 * 1024 * 1024;
const REASON_LINES = 4;

export type DebianPackages = {
  readonly packages: readonly string[];
  /** Debian's name of the release: `bookworm`. */
  readonly suite: string;
};

/** No service may be started by an install, and nobody reads manuals in there. */
const OPTIONS: readonly string[] = [
  '--variant=minbase',
  '--format=tar',
  '--aptopt=Acquire::Languages { "none"; }',
  // The archive is made once and thrown away if anything fails: nothing need be on the disk before the next step.
  '--dpkgopt=force-unsafe-io',
  '--dpkgopt=path-exclude=/usr/share/doc/*',
  '--dpkgopt=path-exclude=/usr/share/man/*',
  '--dpkgopt=path-exclude=/usr/share/locale/*',
];

/** @param cause what `execFile` throws */
export const notMade = (packages: readonly string[], cause: unknown): Error => {
  const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
  const said = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim().split('\n') : [];
  const telling = said.filter((line) => /^(E:|W:|Err:|dpkg: error)/.test(line)).slice(-REASON_LINES);
  const isLate = cause instanceof Error && 'killed' in cause && cause.killed === true;
  const ended = isLate ? `it took longer than ${formatMs(LIMIT_MS)} and was ended` : null;
  const why = isMissing ? 'mmdebstrap is not installed' : ended ?? (telling.length > 0 ? telling.join('; ') : messageOf(cause).split('\n')[0]!);
  return problem('environment', 'image-not-built', `no image can be made of the Debian packages ${packages.join(', ')}: ${why}`, {
    hint: `${isMissing ? 'apt-get install mmdebstrap' : 'is the archive of Debian reachable (HANGUP_DEBIAN_MIRROR names another)?'}; `
      + 'HANGUP_DEBIAN_IMAGE=debian:bookworm-slim builds it from a published image instead',
    cause,
  });
};

/**
 * `nginx 1.22.1-9+deb12u11`, of each that was asked for.
 * @param status Debian's record of what is installed: paragraphs of fields, dpkg-query(1)
 */
export const versionsIn = (status: string, packages: readonly string[]): string => {
  const found = status.split('\n\n').flatMap((paragraph): readonly (readonly [string, string])[] => {
    const [, name] = /^Package: (.+)$/m.exec(paragraph) ?? [];
    const [, version] = /^Version: (.+)$/m.exec(paragraph) ?? [];
    return name !== undefined && version !== undefined ? [[name, version]] : [];
  });
  return found.filter(([name]) => packages.includes(name)).map((pair) => pair.join(' ')).sort().join(', ');
};

/** The root file system as one archive, and which versions are in it; its own temporary folder lies beside it, and goes with the build's. */
export const makeRoot = async ({ packages, suite }: DebianPackages, mirror: string, folder: string): Promise<string> => {
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  const status = `--customize-hook=copy-out /var/lib/dpkg/status ${temporary}`;
  const words = [...OPTIONS, status, `--include=${packages.join(',')}`, suite, join(folder, 'root.tar'), ...(mirror === '' ? [] : [mirror])];
  const noted = notePrepared(temporary);
  const preparing = beginPreparing();
  const env = { ...process.env, PATH: searchPath(), TMPDIR: temporary, ...preparing.marks };
  try {
    await run('mmdebstrap', words, { timeout: LIMIT_MS, maxBuffer: OUTPUT_BYTES, env });
    return versionsIn(readFileSync(join(temporary, 'status'), 'utf8'), packages);
  } catch (cause) {
    throw notMade(packages, cause);
  } finally {
    // Whoever it has started would write there.
    preparing.end();
    await rm(temporary, { recursive: true, force: true });
    noted.forget();
  }
};

/**
 * An image that holds these packages and what they need. It is named by what was asked for, not by the versions that
 * the archive gave: those stay as they were when it was built, and are on its label.
 * @returns its tag, `hangup/debian:<hash>`
 * @throws ProblemError `image-not-built`
 */
export const ensureDebianImage = async (engine: Engine, wanted: DebianPackages, progress: Progress): Promise<string> => {
  const packages = [...new Set(wanted.packages)].sort();
  const base = process.env['HANGUP_DEBIAN_IMAGE'] ?? '';
  const mirror = process.env['HANGUP_DEBIAN_MIRROR'] ?? '';
  const recipe = base === '' ? 'debian-root.Dockerfile' : 'debian.Dockerfile';
  const origin = base === '' ? [wanted.suite, mirror, ...OPTIONS] : [base];
  const tag = `hangup/debian:${hashOf([recipeText(recipe), ...origin, ...packages])}`;
  return ensureImage(engine, tag, () => buildImage(engine, {
    tag, what: 'debian', dockerfile: 'Dockerfile', args: base === '' ? {} : { BASE: base, PACKAGES: packages.join(' ') },
    fill: async (folder) => {
      copyFileSync(recipePath(recipe), join(folder, 'Dockerfile'));
      // Not asked: and a label of the base is not about what is installed on it.
      if (base !== '') return { [PACKAGES_LABEL]: '' };
      return { [PACKAGES_LABEL]: await makeRoot({ ...wanted, packages }, mirror, folder) };
    },
  }, progress));
};
