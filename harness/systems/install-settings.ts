// What somebody has set for their own installs (PIP_USER, `npm run -w one`, MAVEN_ARGS) would change what is installed here, and
// where: no version could be had, or another was run than is said. How registries are reached, and as whom, stays.

/** Options of `pip install`, and of all of pip, that say what is installed, for whom, where to, and what is told of it. */
const PIP = new Set([
  'USER', 'TARGET', 'PREFIX', 'ROOT', 'SRC', 'REQUIRE_VIRTUALENV', 'PYTHON', 'REQUIREMENT', 'CONSTRAINT', 'BUILD_CONSTRAINT', 'EDITABLE', 'GROUP', 'REQUIREMENTS_FROM_SCRIPT',
  'NO_DEPS', 'PRE', 'DRY_RUN', 'REPORT', 'REQUIRE_HASHES', 'IGNORE_REQUIRES_PYTHON', 'UPGRADE', 'UPGRADE_STRATEGY', 'FORCE_REINSTALL', 'IGNORE_INSTALLED', 'PLATFORM', 'PYTHON_VERSION',
  'IMPLEMENTATION', 'ABI', 'QUIET',
]);

/** The same of npm (`npm help 7 config`); it hands all that is set to what it runs, as `npm run -w` and `-s` are. */
const NPM = new Set([
  'global', 'location', 'prefix', 'dry-run', 'package-lock', 'package-lock-only', 'shrinkwrap', 'omit', 'include', 'only', 'also', 'production', 'dev', 'optional', 'workspace', 'workspaces',
  'include-workspace-root', 'install-strategy', 'install-links', 'global-style', 'legacy-bundling', 'bin-links', 'ignore-scripts', 'os', 'cpu', 'libc', 'save', 'save-dev', 'save-optional', 'save-peer',
  'save-prod', 'save-bundle', 'save-exact', 'save-prefix', 'tag', 'engine-strict', 'force', 'legacy-peer-deps', 'strict-peer-deps', 'prefer-dedupe', 'package', 'call', 'loglevel', 'json', 'parseable', 'long',
]);

/** Which project it would work on. */
const MAVEN = new Set(['MAVEN_BASEDIR', 'MAVEN_PROJECTBASEDIR']);

/** Words of Maven that are followed by a file, and are about where things come from. */
const MAVEN_FILES = /^(?:-s|--settings|-gs|--global-settings|-t|--toolchains|-gt|--global-toolchains)$/;
const MAVEN_PLACES = /^(?:(?:--settings|--global-settings|--toolchains|--global-toolchains)=|-D(?:maven\.(?:repo|wagon|resolver)\.|aether\.|https?\.|javax\.net\.|java\.net\.|settings\.security))/;

/** `mvn` splits them at spaces, too. */
const placesOf = (words: string): string =>
  words.split(/\s+/).filter((word, index, all) => MAVEN_PLACES.test(word) || MAVEN_FILES.test(word) || MAVEN_FILES.test(all[index - 1] ?? '')).join(' ');

const isSetting = (name: string): boolean => {
  const npm = /^npm_config_(.+)$/i.exec(name)?.[1]?.toLowerCase().replaceAll('_', '-');
  return MAVEN.has(name) || (name.startsWith('PIP_') && PIP.has(name.slice('PIP_'.length))) || (npm !== undefined && NPM.has(npm));
};

/** A copy without them: for a build, whose commands may say themselves how they install. */
export const withoutInstallSettings = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const { MAVEN_ARGS: words = '', ...others } = environment;
  const places = placesOf(words);
  return { ...Object.fromEntries(Object.entries(others).filter(([name]) => !isSetting(name))), ...(places === '' ? {} : { MAVEN_ARGS: places }) };
};

/** What files of the same (pip.conf, .npmrc) say counts less than a variable. Which kinds of dependencies are taken is a list of npm's. */
const PLAIN: NodeJS.ProcessEnv = {
  PIP_USER: '0', PIP_REQUIRE_VIRTUALENV: '0', PIP_REQUIRE_HASHES: '0', PIP_NO_DEPS: '0', PIP_DRY_RUN: '0', PIP_PRE: '0', PIP_IGNORE_REQUIRES_PYTHON: '0', PIP_QUIET: '0',
  npm_config_global: 'false', npm_config_location: 'project', npm_config_dry_run: 'false', npm_config_package_lock_only: 'false', npm_config_include: 'dev\n\noptional\n\npeer',
  npm_config_install_strategy: 'hoisted', npm_config_loglevel: 'notice',
};

/** For what hangup installs and asks itself: nothing of the kind, whoever has set it. */
export const withPlainSettings = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({ ...withoutInstallSettings(environment), ...PLAIN });
