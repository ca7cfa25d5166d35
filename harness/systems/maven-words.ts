// Which of the words that somebody has set for every call of Maven (MAVEN_ARGS) stay: those by which it finds its repositories. Profiles
// name them in settings, often by properties of a company's own, so that what is not known to be about a project stays as well.

/** Followed by a word of their own, unless that is written behind `=`. */
const WITH_VALUE = /^(?:-s|--settings|-gs|--global-settings|-t|--toolchains|-gt|--global-toolchains|-P|--activate-profiles|-D|--define)$/;
const WHOLE = /^(?:(?:--settings|--global-settings|--toolchains|--global-toolchains|--activate-profiles|--define)=|-[PD].|-o$|--offline$)/;

/** Properties of projects and of the plugins that are called here: what is built, what is taken, and where it goes. */
const OF_PROJECT = new RegExp(`^(?:${[
  'skip\\w*', '[\\w.-]+\\.skip', 'maven\\.test\\..+', 'test', 'it\\.test', 'project\\.build\\..+', 'revision', 'changelist', 'sha1', 'finalName',
  'outputDirectory', 'outputFile', 'appendOutput', '(?:include|exclude)(?:Scope|Types|Classifiers|GroupIds|ArtifactIds|Transitive)', 'classifier', 'type', 'mdep\\..+', 'artifact', 'transitive',
  'expression', 'forceStdout', 'output',
].join('|')})(?:=|$)`);

const propertyOf = (word: string): string => word.replace(/^(?:-D|--define=)/, '');

/** `mvn` splits them at spaces, too. */
export const placesOf = (words: string): string => {
  const all = words.split(/\s+/).filter(Boolean);
  const kept: string[] = [];
  for (let index = 0; index < all.length; index += 1) {
    const word = all[index]!;
    const value = WITH_VALUE.test(word) ? all[(index += 1)] : undefined;
    if (value === undefined && !WHOLE.test(word)) continue;
    const isProperty = /^(?:-D|--define)/.test(word);
    if (!isProperty || !OF_PROJECT.test(value ?? propertyOf(word))) kept.push(word, ...(value === undefined ? [] : [value]));
  }
  return kept.join(' ');
};
