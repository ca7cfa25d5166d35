// Versions of a Python package that this machine's Python can use, as pip's index has them; and which of them were withdrawn.
import { plainPypi, releasesOf, sortVersions } from './compare.ts';
import { ask, noValues, packageOf, saidBy } from './source.ts';
import type { AxisInput, AxisSource } from './source.ts';

const HINT = 'are python3 and its pip here (on Debian: apt-get install python3 python3-pip), and is PyPI reachable?';
const DEFAULT_INDEX = 'https://pypi.org/simple';

/** The index that pip asks; its environment stands above its files. */
const indexOf = async ({ context }: AxisInput): Promise<string> => {
  const lines = (await ask('python3', ['-m', 'pip', 'config', 'list'], context)).split('\n');
  const found = ['\\:env\\:', 'index', 'install', 'global'].flatMap((part) =>
    lines.flatMap((line) => new RegExp(`^${part}\\.index-url='(.*)'$`).exec(line)?.[1] ?? []));
  return found[0] ?? DEFAULT_INDEX;
};

/** PEP 691: prints each file's name and whether it was withdrawn. Python asks, since it knows the proxies and authorities that pip does. */
const ASK = `
import json, os, urllib.request
index, name = os.environ['HANGUP_INDEX'].rstrip('/'), os.environ['HANGUP_PACKAGE']
request = urllib.request.Request(f'{index}/{name}/', headers={'Accept': 'application/vnd.pypi.simple.v1+json'})
with urllib.request.urlopen(request, timeout=30) as answer:
    files = json.load(answer)['files']
print(json.dumps([[file['filename'], bool(file.get('yanked'))] for file in files]))
`;

const plain = (name: string): string => name.replace(/\[.*$/, '').toLowerCase().replaceAll(/[-_.]+/g, '-');

/** `name-1.2.3-py3-none-any.whl`, `name-1.2.3.tar.gz`: names of sources may have hyphens themselves. */
const versionIn = (file: string): string =>
  plainPypi(file.endsWith('.whl') ? file.split('-')[1]! : (/-([^-]+?)\.(?:tar\.\w+|zip|tgz)$/.exec(file)?.[1] ?? ''));

/** Versions of which every file was withdrawn; null where the index does not say so. */
const yankedOf = async (name: string, input: AxisInput): Promise<ReadonlySet<string> | null> => {
  try {
    const variables = { HANGUP_INDEX: await indexOf(input), HANGUP_PACKAGE: plain(name) };
    const files = JSON.parse(await ask('python3', ['-c', ASK], input.context, { variables })) as readonly [string, boolean][];
    const kept = new Set(files.filter(([, yanked]) => !yanked).map(([file]) => versionIn(file)));
    return new Set(files.map(([file]) => versionIn(file)).filter((version) => !kept.has(version)));
  } catch {
    return null;
  }
};

const offered = async (name: string, input: AxisInput): Promise<readonly string[]> => {
  const words = ['-m', 'pip', 'index', 'versions', '--pre', '--disable-pip-version-check', '--python-version=', '--implementation=', name.replace(/\[.*$/, '')];
  const output = await ask('python3', words, input.context, { about: `asking pip for the versions of ${name}` });
  const line = output.split('\n').find((one) => one.startsWith('Available versions:')) ?? '';
  return line.replace('Available versions:', '').split(',').map((version) => version.trim()).filter(Boolean);
};

export const pypiValues: AxisSource = async (input) => {
  const name = packageOf(input);
  const [found, yanked] = await Promise.all([
    offered(name, input).catch((cause: unknown) => {
      input.context.signal?.throwIfAborted();
      throw noValues(input, saidBy(cause).replaceAll(/(?:ERROR|WARNING): /g, ''), HINT, cause);
    }),
    yankedOf(name, input),
  ]);
  if (yanked === null) input.context.progress(`which versions of ${name} were withdrawn cannot be asked of this index: they are not left out`);
  // Newer releases of pip leave them out themselves; they may still be named.
  const all = sortVersions('pypi', [...found, ...(yanked ?? [])]);
  const kept = all.filter((version) => !yanked?.has(version));
  return { all, offered: releasesOf('pypi', kept.length > 0 ? kept : all) };
};
