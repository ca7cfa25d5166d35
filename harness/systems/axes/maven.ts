// Versions of an artifact, as the repositories have them that Maven's own settings name. Maven is made to fetch the list (asking for
// the newest release does that), and where it keeps it says Maven too.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEPENDENCY_PLUGIN, HELP_PLUGIN } from '../install-maven.ts';
import { releasesOf, sortVersions } from './compare.ts';
import { ask, longMsOf, noValues, packageOf, saidBy } from './source.ts';
import type { AxisSource } from './source.ts';

const HINT = 'are a JDK and mvn here (on Debian: apt-get install maven), and can its repositories be reached?';

const listsIn = async (folder: string): Promise<readonly string[]> => {
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^maven-metadata-.*\.xml$/.test(name));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap((text) => [...text.matchAll(/<version>\s*([^<\s]+)\s*<\/version>/g)].map((match) => match[1]!));
};

export const mavenValues: AxisSource = async (input) => {
  const name = packageOf(input);
  const [group = '', artifact] = name.split(':');
  if (artifact === undefined) throw noValues(input, `${name} is no artifact of Maven`, 'write package: group:artifact');
  const words = ['-B', '-ntp', '-q', '-U', `${DEPENDENCY_PLUGIN}:get`, `-Dartifact=${group}:${artifact}:RELEASE`, '-Dtransitive=false', `${HELP_PLUGIN}:evaluate`];
  // Maven fetches its own parts too, the first time.
  const more = { about: `asking mvn for the versions of ${name}`, limitMs: longMsOf(input.context) };
  const output = await ask('mvn', [...words, '-Dexpression=settings.localRepository', '-DforceStdout'], input.context, more).catch((cause: unknown) => {
    input.context.signal?.throwIfAborted();
    throw noValues(input, saidBy(cause), HINT, cause);
  });
  // Colours may surround it.
  const repository = output.replaceAll(/\u001b\[[\d;]*m/g, '').trim().split('\n').at(-1)!.trim();
  const all = sortVersions('maven', await listsIn(join(repository, ...group.split('.'), artifact)));
  return { all, offered: releasesOf('maven', all) };
};
