// All that lies in a folder of packages once it was installed, as the tool that put it there has noted it, and which of it was asked for.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export type InstalledPackage = {
  readonly name: string;
  readonly version: string;
  /** Asked for; else it came along with what was. */
  readonly isNamed: boolean;
};

/** @param asked what the card says of this tool, as it is written there */
export type PackagesIn = (folder: string, asked: readonly string[]) => Promise<readonly InstalledPackage[]>;

type Data = Readonly<Record<string, unknown>>;

const dataOf = (value: unknown): Data => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Data) : {});

const jsonOf = async (...path: readonly string[]): Promise<Data> => {
  try {
    return dataOf(JSON.parse(await readFile(join(...path), 'utf8')));
  } catch {
    return {};
  }
};

/** `http-proxy@1.18.1`, `@scope/name`: the name alone. */
const npmName = (wanted: string): string => /^(@?[^@]+)/.exec(wanted)![1]!;

/** `node_modules/send/node_modules/debug` is debug of send. */
const placeName = (path: string): string => path.slice('node_modules/'.length).split('/node_modules/').reverse().join(' of ');

/** npm notes what is there, with its place. What was named it has written into the project, also where the card has a file or a repository. */
export const npmPackages: PackagesIn = async (folder, asked) => {
  const [lock, project] = await Promise.all([jsonOf(folder, 'node_modules', '.package-lock.json'), jsonOf(folder, 'package.json')]);
  const noted = dataOf(lock['packages']);
  const named = [...asked.map(npmName), ...Object.keys(dataOf(project['dependencies']))].map((name) => `node_modules/${name}`);
  const places = [...new Set([...named, ...Object.keys(noted).filter((path) => path.startsWith('node_modules/'))])];
  const found = await Promise.all(
    places.map(async (path) => {
      // A link has none in the notes.
      const version = dataOf(noted[path])['version'] ?? (await jsonOf(folder, path, 'package.json'))['version'];
      return typeof version === 'string' ? [{ name: placeName(path), version, isNamed: named.includes(path) }] : [];
    }),
  );
  return found.flat();
};

/** `uvicorn[standard]==0.17.6`: the name alone. */
const pypiName = (wanted: string): string => /^[\w.-]+/.exec(wanted)?.[0] ?? wanted;
const alike = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-');

/** Python's packages are said by folders; those of old ones end otherwise. */
const INFO = [/^(.+)-([^-]+)\.dist-info$/, /^(.+)-([^-]+)-py[\d.]+\.egg-info$/];

/** pip marks what was asked for. */
export const pypiPackages: PackagesIn = async (folder, asked) => {
  const names = asked.map(pypiName);
  const entries: readonly string[] = await readdir(folder).catch(() => []);
  return entries.toSorted().flatMap((entry) => {
    const [, name, version] = INFO.map((form) => form.exec(entry)).find((match) => match !== null) ?? [];
    if (name === undefined || version === undefined) return [];
    const written = names.find((one) => alike(one) === alike(name));
    const isNamed = written !== undefined || existsSync(join(folder, entry, 'REQUESTED'));
    return [{ name: written ?? alike(name), version, isNamed }];
  });
};

/** Where Maven writes down what it has resolved. */
export const MAVEN_LIST = 'dependencies.txt';

const DEPENDENCY = /^\s*([^\s:]+:[^\s:]+):[^\s:]+:(?:([^\s:]+):)?([^\s:]+):(?:compile|runtime)\b/;
const WANTED = /<groupId>([^<]*)<\/groupId><artifactId>([^<]*)<\/artifactId>/g;

const textOf = (...path: readonly string[]): Promise<string> => readFile(join(...path), 'utf8').catch(() => '');

/** What was asked for stands in the project that was made of the card. */
export const mavenPackages: PackagesIn = async (folder) => {
  const [list, project] = await Promise.all([textOf(folder, MAVEN_LIST), textOf(folder, 'pom.xml')]);
  const named = [...project.matchAll(WANTED)].map(([, group, artifact]) => `${group}:${artifact}`);
  return list.split('\n').flatMap((line) => {
    const [, name, classifier, version] = DEPENDENCY.exec(line) ?? [];
    if (name === undefined || version === undefined) return [];
    return [{ name: classifier === undefined ? name : `${name}:${classifier}`, version, isNamed: named.includes(name) }];
  });
};
