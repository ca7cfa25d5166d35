// Artifacts of Maven with all that they need at run time, as files below `lib`: java -cp "${install}/lib/*".
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { problem } from '../model/problem.ts';
import { MAVEN_LIST } from './installed-packages.ts';

/** Pinned: what is not named is looked up anew each day. */
export const DEPENDENCY_PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';
export const HELP_PLUGIN = 'org.apache.maven.plugins:maven-help-plugin:3.5.2';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const dependency = (wanted: string): string => {
  const [group, artifact, version, classifier] = wanted.split(':');
  if (version === undefined)
    throw problem('scenario', 'bad-package', `"${wanted}" is no artifact of Maven`, { hint: 'write group:artifact:version, and a classifier after it where there is one' });
  const more = classifier === undefined ? '' : `<classifier>${escaped(classifier)}</classifier>`;
  return `<dependency><groupId>${escaped(group!)}</groupId><artifactId>${escaped(artifact!)}</artifactId><version>${escaped(version)}</version>${more}</dependency>`;
};

const project = (packages: readonly string[]): string =>
  '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>hangup</groupId>' +
  `<artifactId>installed</artifactId><version>0</version><packaging>pom</packaging>\n<dependencies>${packages.map(dependency).join('\n')}</dependencies></project>\n`;

/** Writes the project into the folder, beside which `mvn` writes down what that has come to. @returns the words for `mvn`. @throws ProblemError `bad-package` */
export const writeProject = async (packages: readonly string[], folder: string): Promise<readonly string[]> => {
  await writeFile(join(folder, 'pom.xml'), project(packages));
  const goals = [`${DEPENDENCY_PLUGIN}:copy-dependencies`, `-DoutputDirectory=${join(folder, 'lib')}`, `${DEPENDENCY_PLUGIN}:list`, `-DoutputFile=${join(folder, MAVEN_LIST)}`];
  return ['-B', '-ntp', '-f', join(folder, 'pom.xml'), ...goals, '-DincludeScope=runtime'];
};
