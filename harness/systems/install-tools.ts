// The tools that packages are installed by: what each is told, and what it says when it cannot.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../model/problem.ts';
import { DEPENDENCY_PLUGIN, writeProject } from './install-maven.ts';
import { pypiPackages } from './installed-packages.ts';
import { LONG_MS, runTool } from './run-tool.ts';

const OUTPUT_BYTES = 8 * 1024 * 1024;

export type InstallOptions = {
  readonly environment: NodeJS.ProcessEnv;
  /** Ends an install that is under way. */
  readonly signal?: AbortSignal;
  /** How long a tool may take. Default: half an hour. */
  readonly longMs?: number;
};

export type InstallTool = {
  /** Its key below `install` in a card, and the beginning of its folders' names. */
  readonly kind: 'npm' | 'pypi' | 'maven';
  /** What else its result depends on, beside the packages; '' for nothing. @throws Error when it is not there */
  readonly version: (options: InstallOptions) => Promise<string>;
  readonly install: (packages: readonly string[], folder: string, options: InstallOptions) => Promise<void>;
  /** In the tool's own words; the first line of a failed child is only its command. */
  readonly reason: (cause: unknown) => string;
  readonly hint: string;
};

const call = (program: string, words: readonly string[], cwd: string, options: InstallOptions): Promise<string> =>
  runTool(program, words, { ...options, cwd, limitMs: options.longMs ?? LONG_MS, outputBytes: OUTPUT_BYTES });

const saidBy = (cause: unknown): readonly string[] =>
  cause instanceof Error && 'stderr' in cause ? String(cause.stderr).split('\n').map((line) => line.trim()) : [];

const otherwise = (cause: unknown): string => messageOf(cause).split('\n')[0]!;

const npm: InstallTool = {
  kind: 'npm',
  version: async () => '',
  install: async (packages, folder, options) => {
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'installed', version: '0.0.0', private: true }));
    await call('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--save', '--save-exact', '--package-lock', ...packages], folder, options);
  },
  reason: (cause) => {
    const lines = saidBy(cause).map((line) => line.replace(/^npm (?:error|ERR!)\s*/, '').trim());
    const telling = lines.map((line) => line.replace(/^(?:notarget|404) +/, '')).filter((line) => line !== '' && !/^code |^A complete log|^npm warn|^In most cases|^Note that/i.test(line));
    return telling.length > 0 ? telling.slice(0, 2).join('; ') : otherwise(cause);
  },
  hint: "is the npm registry reachable? behind a company proxy set npm's proxy and cafile options",
};

const printed = (cause: unknown, where: 'stdout' | 'stderr'): string => String((cause as Readonly<Record<string, unknown>> | null)?.[where] ?? '');

/** Without retries pip says of an index that does not answer only that it has no versions; what it could not fetch it tells where it tells everything. */
const pip = async (words: readonly string[], folder: string, options: InstallOptions): Promise<void> => {
  try {
    await call('python3', words, folder, options);
  } catch (cause) {
    if (!printed(cause, 'stderr').includes('(from versions: none)')) throw cause;
    await call('python3', [...words, '-vv'], folder, options).catch((detailed: unknown) => {
      const unfetched = printed(detailed, 'stdout').split('\n').filter((line) => /^\s*Could not fetch URL /.test(line));
      throw Object.assign(cause as Error, { stderr: [printed(cause, 'stderr').trimEnd(), ...unfetched, ''].join('\n') });
    });
  }
};

/** What constrains it stays in force, and so is part of what was installed. One that is fetched is known by its address. */
const constraintsOf = async ({ environment }: InstallOptions): Promise<readonly string[]> => {
  const files = [environment['PIP_CONSTRAINT'], environment['PIP_BUILD_CONSTRAINT']].flatMap((value) => value?.split(/\s+/).filter(Boolean) ?? []);
  return Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => file)));
};

/** A folder for PYTHONPATH rather than an environment of its own: it can be copied into an image, where Python is elsewhere. */
const pypi: InstallTool = {
  kind: 'pypi',
  version: async (options) => {
    const words = ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'];
    return [(await call('python3', words, '/', options)).trim(), ...await constraintsOf(options)].join('\n');
  },
  install: async (packages, folder, options) => {
    const quiet = ['--no-input', '--progress-bar', 'off', '--disable-pip-version-check', '--no-warn-script-location'];
    // What pip.conf may say of other places and machines does not go together with one; an empty root would be where pip is called.
    await pip(['-m', 'pip', 'install', ...quiet, '--no-user', '--prefix=', '--root=/', '--python-version=', '--implementation=', '--target', folder, ...packages], folder, options);
    const all = await pypiPackages(folder, packages);
    // pip keeps none by itself. It may be given back to it as a constraint.
    await writeFile(join(folder, 'installed.txt'), all.map(({ name, version }) => `${name}==${version}\n`).join(''));
  },
  reason: (cause) => {
    const lines = saidBy(cause).filter((line) => /^ERROR:|^Could not fetch URL|No module named/.test(line));
    return lines.length > 0 ? lines.slice(-2).map((line) => line.replace(/^ERROR:\s*/, '')).join('; ') : otherwise(cause);
  },
  hint: 'are python3 and its pip here (on Debian: apt-get install python3 python3-pip), and is PyPI reachable?',
};

/** Whatever the release of Java: files are only copied. */
const maven: InstallTool = {
  kind: 'maven',
  version: async () => DEPENDENCY_PLUGIN,
  install: async (packages, folder, options) => {
    await call('mvn', await writeProject(packages, folder), folder, options);
  },
  reason: (cause) => {
    // Maven prints its errors as everything else.
    const text = cause instanceof Error && 'stdout' in cause ? String(cause.stdout).replaceAll(/\u001b\[[\d;]*m/g, '') : '';
    const line = text.split('\n').find((one) => one.startsWith('[ERROR] '));
    return line === undefined ? otherwise(cause) : line.slice('[ERROR] '.length).replace(/: .*?Could not/, ': Could not');
  },
  hint: 'are a JDK and mvn here (on Debian: apt-get install maven), and can its repositories be reached?',
};

export const installTools: readonly InstallTool[] = [npm, pypi, maven];

