// What somebody has set for their own installs (PIP_USER, `npm run -w one`, MAVEN_ARGS) would change what is installed here, and
// where: no version could be had, or another was run than is said. How registries are reached, and as whom, stays; and so does, for
// a build, what old versions may need to be built at all (PIP_CONSTRAINT, legacy-peer-deps).
import { resolve } from 'node:path';
import { withPathsFromHere } from './install-paths.ts';
import { placesOf } from './maven-words.ts';

/** Options of `pip install`, and of all of pip, that say for whom, where to, and whether anything is installed and told. */
const PIP_PLACES = new Set(['USER', 'TARGET', 'PREFIX', 'ROOT', 'SRC', 'REQUIRE_VIRTUALENV', 'PYTHON', 'DRY_RUN', 'QUIET']);

/** And what. A constraint installs nothing by itself, and is how a machine makes old versions work. */
const PIP_INSTALLS = new Set([
  'REQUIREMENT', 'EDITABLE', 'GROUP', 'REQUIREMENTS_FROM_SCRIPT', 'NO_DEPS', 'PRE', 'REPORT', 'REQUIRE_HASHES', 'IGNORE_REQUIRES_PYTHON', 'UPGRADE', 'UPGRADE_STRATEGY', 'FORCE_REINSTALL',
  'IGNORE_INSTALLED', 'PLATFORM', 'PYTHON_VERSION', 'IMPLEMENTATION', 'ABI',
]);

/** The same of npm (`npm help 7 config`); it hands all that is set to what it runs, as `npm run -w` and `-s` are, and `npm exec -c`. */
const NPM_PLACES = new Set(['global', 'location', 'dry-run', 'package-lock-only', 'workspace', 'workspaces', 'include-workspace-root', 'package', 'call', 'loglevel']);

const NPM_INSTALLS = new Set([
  // Where global installs go, which only a build makes, and only where it says so.
  'prefix',
  'package-lock', 'shrinkwrap', 'omit', 'include', 'only', 'also', 'production', 'dev', 'optional', 'install-strategy', 'install-links', 'global-style', 'legacy-bundling', 'bin-links',
  'ignore-scripts', 'os', 'cpu', 'libc', 'save', 'save-dev', 'save-optional', 'save-peer', 'save-prod', 'save-bundle', 'save-exact', 'save-prefix', 'tag', 'engine-strict', 'force',
  'legacy-peer-deps', 'strict-peer-deps', 'prefer-dedupe', 'json', 'parseable', 'long',
]);

/** Which project it would work on. */
const MAVEN = new Set(['MAVEN_BASEDIR', 'MAVEN_PROJECTBASEDIR']);

const npmKey = (name: string): string | null => /^npm_config_(.+)$/i.exec(name)?.[1]?.toLowerCase().replaceAll('_', '-') ?? null;

const isPlace = (name: string): boolean => MAVEN.has(name) || (name.startsWith('PIP_') && PIP_PLACES.has(name.slice('PIP_'.length))) || NPM_PLACES.has(npmKey(name) ?? '');

const isInstall = (name: string): boolean => (name.startsWith('PIP_') && PIP_INSTALLS.has(name.slice('PIP_'.length))) || NPM_INSTALLS.has(npmKey(name) ?? '');

/** npm looks below its prefix for settings of the whole machine: registry, proxy, password. Whatever the case, the last counts. */
const globalConfigOf = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const valueOf = (key: string): string | undefined => Object.entries(environment).findLast(([name, value]) => npmKey(name) === key && value !== '')?.[1];
  const prefix = valueOf('prefix');
  return prefix === undefined || valueOf('globalconfig') !== undefined ? {} : { npm_config_globalconfig: resolve(prefix, 'etc', 'npmrc') };
};

/** A copy without what moves an install elsewhere or keeps it from being one: for a build, whose commands may say themselves what they install. */
export const withoutInstallSettings = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const { MAVEN_ARGS: words = '', ...others } = environment;
  const places = placesOf(words);
  const kept = Object.entries(others).filter(([name]) => !isPlace(name));
  return { ...Object.fromEntries(kept), ...(places === '' ? {} : { MAVEN_ARGS: places }) };
};

/**
 * What files of the same (pip.conf, .npmrc) say counts less than a variable. Which kinds of dependencies are taken is a list of npm's. To pip an
 * empty variable is none: what has to be empty it is told where it is called.
 */
const PLAIN: NodeJS.ProcessEnv = {
  PIP_USER: '0', PIP_REQUIRE_VIRTUALENV: '0', PIP_REQUIRE_HASHES: '0', PIP_NO_DEPS: '0', PIP_DRY_RUN: '0', PIP_PRE: '0', PIP_IGNORE_REQUIRES_PYTHON: '0', PIP_QUIET: '0', PIP_REQUIREMENT: '/dev/null',
  npm_config_global: 'false', npm_config_location: 'project', npm_config_dry_run: 'false', npm_config_package_lock_only: 'false', npm_config_include: 'dev\n\noptional\n\npeer',
  npm_config_install_strategy: 'hoisted', npm_config_bin_links: 'true', npm_config_engine_strict: 'false', npm_config_force: 'false',
  npm_config_legacy_peer_deps: 'false', npm_config_strict_peer_deps: 'false', npm_config_prefer_dedupe: 'false', npm_config_os: process.platform, npm_config_cpu: process.arch,
  npm_config_workspaces: 'null', npm_config_tag: 'latest', npm_config_json: 'false', npm_config_loglevel: 'notice',
  // Whose fault something is, is known by words, which gettext translates.
  LANGUAGE: 'C',
};

/** For what hangup installs and asks itself: nothing of the kind, whoever has set it. */
export const withPlainSettings = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...withPathsFromHere(Object.fromEntries(Object.entries(withoutInstallSettings(environment)).filter(([name]) => !isInstall(name)))),
  ...globalConfigOf(environment), ...PLAIN,
});
