// What somebody has set for their own installs changes nothing of ours. No registry is asked.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ensureSource } from './axes/source-tree.ts';
import { cardWith } from './fixture.ts';
import { installPackages } from './install.ts';
import { withPlainSettings, withoutInstallSettings } from './install-settings.ts';

const LONG_MS = 90_000;

const temporary = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-settings-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** What would be installed elsewhere after all, is in that folder. */
const environmentIn = (folder: string): NodeJS.ProcessEnv => ({
  PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter), HOME: folder, XDG_CACHE_HOME: folder,
  npm_config_registry: 'http://127.0.0.1:1/', npm_config_fetch_retries: '0', npm_config_cache: join(folder, 'npm'), npm_config_prefix: join(folder, 'prefix'),
  PIP_NO_INDEX: '1', PYTHONUSERBASE: join(folder, 'user'),
});

describe.skipIf(spawnSync('python3', ['-m', 'pip', '--version']).status !== 0)('pip', () => {
  /** @returns the folder that the packages are in */
  const install = async (more: (folder: string) => NodeJS.ProcessEnv): Promise<string> => {
    const folder = temporary();
    const write = [
      'import sys, zipfile',
      'for name, version, needs in (("one", "1.0", "Requires-Dist: hangup-other\\n"), ("other", "1.0", ""), ("other", "2.0", ""), ("third", "1.0", "")):',
      '  with zipfile.ZipFile(f"{sys.argv[1]}/hangup_{name}-{version}-py3-none-any.whl", "w") as wheel:',
      '    info = f"hangup_{name}-{version}.dist-info/"',
      '    wheel.writestr(f"hangup_{name}.py", "WORD = 1\\n")',
      '    wheel.writestr(info + "METADATA", f"Metadata-Version: 2.1\\nName: hangup-{name}\\nVersion: {version}\\n{needs}")',
      '    wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")',
      '    wheel.writestr(info + "RECORD", "")',
    ];
    execFileSync('python3', ['-c', write.join('\n'), folder]);
    const card = cardWith({ install: 'install: { pypi: [ "hangup-one==1.0" ] }' });
    const installed = await installPackages(card, () => {}, { environment: { ...environmentIn(folder), PIP_FIND_LINKS: folder, ...more(folder) } });
    for (const name of ['one', 'other']) expect(existsSync(join(installed!, `hangup_${name}.py`)), name).toBe(true);
    expect(existsSync(join(installed!, 'hangup_third.py'))).toBe(false);
    for (const elsewhere of ['user', 'target', 'prefix', 'root']) expect(existsSync(join(folder, elsewhere)), elsewhere).toBe(false);
    return installed!;
  };

  test('a constraint is how a machine makes old versions work, and stays', async () => {
    const cache = temporary();
    const file = join(cache, 'constraints.txt');
    /** What is in the cache under one constraint, is not what another asks for. */
    const under = async (constraint: string, variables: NodeJS.ProcessEnv): Promise<readonly string[]> => {
      writeFileSync(file, constraint);
      const installed = await install(() => ({ XDG_CACHE_HOME: cache, ...variables }));
      return readdirSync(installed).filter((name) => /^hangup_other-.*dist-info$/.test(name));
    };
    expect(await under('', {})).toEqual(['hangup_other-2.0.dist-info']);
    expect(await under('hangup-other<2\n', { PIP_CONSTRAINT: file })).toEqual(['hangup_other-1.0.dist-info']);
    expect(await under('hangup-other>1\n', { PIP_CONSTRAINT: file })).toEqual(['hangup_other-2.0.dist-info']);
  }, LONG_MS);

  test.each(['1', 'true'])('variables for other installs (%s)', async (yes) => void await install((folder) => ({
    PIP_USER: yes, PIP_TARGET: join(folder, 'target'), PIP_PREFIX: join(folder, 'prefix'), PIP_ROOT: join(folder, 'root'), PIP_REQUIRE_VIRTUALENV: yes, PIP_REQUIRE_HASHES: yes,
    PIP_DRY_RUN: yes, PIP_NO_DEPS: yes, PIP_PYTHON_VERSION: '2.7', PIP_REQUIREMENT: join(folder, 'none.txt'),
  })), LONG_MS);

  test('pip.conf for other installs', async () => void await install((folder) => {
    const file = join(folder, 'pip.conf');
    writeFileSync(file, `[global]\nrequire-virtualenv = true\nuser = true\n[install]\nno-deps = true\ndry-run = true\ntarget = ${folder}/target\n`);
    return { PIP_CONFIG_FILE: file };
  }), LONG_MS);

  test('a prefix in pip.conf', async () => void await install((folder) => {
    writeFileSync(join(folder, 'pip.conf'), `[install]\nprefix = ${folder}/prefix\n`);
    return { PIP_CONFIG_FILE: join(folder, 'pip.conf') };
  }), LONG_MS);

  test('pip.conf in the home, for another machine and another list', async () => void await install((folder) => {
    mkdirSync(join(folder, '.config', 'pip'), { recursive: true });
    writeFileSync(join(folder, 'list.txt'), 'hangup-third\n');
    writeFileSync(join(folder, '.config', 'pip', 'pip.conf'), `[install]\nroot = ${folder}/root\npython-version = 2.7\nimplementation = pp\nrequirement = ${folder}/list.txt\n`);
    return {};
  }), LONG_MS);
});

describe('npm', () => {
  /** @returns the folder that the packages are in */
  const install = async (more: (folder: string) => NodeJS.ProcessEnv, of: object = {}): Promise<string> => {
    const folder = temporary();
    const pack = (name: string, text: object): string => {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'package.json'), JSON.stringify({ name, version: '1.0.0', ...text }));
      execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: join(folder, name), env: environmentIn(folder) });
      return join(folder, `${name}-1.0.0.tgz`);
    };
    const inner = pack('hangup-inner', { os: [process.platform], cpu: [process.arch] });
    const outer = pack('hangup-outer', { optionalDependencies: { 'hangup-inner': `file:${inner}` }, bin: { 'hangup-outer': 'package.json' }, ...of });
    const card = cardWith({ install: `install: { npm: [ "${outer}" ] }` });
    const installed = await installPackages(card, () => {}, { environment: { ...environmentIn(folder), ...more(folder) } });
    for (const name of ['outer', 'inner']) expect(existsSync(join(installed!, 'node_modules', `hangup-${name}`, 'package.json')), name).toBe(true);
    expect(existsSync(join(installed!, 'node_modules', '.bin', 'hangup-outer'))).toBe(true);
    expect(existsSync(join(folder, 'prefix', 'lib'))).toBe(false);
    return installed!;
  };

  test('variables for other installs, as npm itself gives them to what it runs', async () => void await install(() => ({
    npm_config_global: 'true', npm_config_location: 'global', NPM_CONFIG_DRY_RUN: 'true', npm_config_package_lock_only: 'true', npm_config_omit: 'optional', npm_config_workspace: 'one',
    npm_config_workspaces: 'true', npm_config_install_strategy: 'linked', npm_config_os: 'win32',
  })), LONG_MS);

  test('.npmrc for other installs', async () => void await install((folder) => {
    writeFileSync(join(folder, 'rc'), 'global=true\ndry-run=true\npackage-lock-only=true\nomit[]=optional\nloglevel=silent\ninstall-strategy=linked\n');
    return { npm_config_userconfig: join(folder, 'rc') };
  }), LONG_MS);

  test.each([
    ['for another machine', 'os=win32\ncpu=mips\n'],
    ['for stricter installs', 'engine-strict=true\nstrict-peer-deps=true\n'],
    ['for installs of another shape', 'bin-links=false\nprefer-dedupe=true\nworkspaces=true\nforce=true\njson=true\n'],
  ])('.npmrc in the home, %s', async (_, text) => void await install((folder) => {
    writeFileSync(join(folder, '.npmrc'), text);
    return {};
  }, { engines: { node: '<1' } }), LONG_MS);

  test('.npmrc in the home without peers: they are installed', async () => {
    const folder = temporary();
    mkdirSync(join(folder, 'peer'));
    writeFileSync(join(folder, 'peer', 'package.json'), JSON.stringify({ name: 'hangup-peer', version: '1.0.0' }));
    const installed = await install((home) => {
      writeFileSync(join(home, '.npmrc'), 'legacy-peer-deps=true\n');
      return {};
    }, { peerDependencies: { 'hangup-peer': `file:${folder}/peer` } });
    expect(existsSync(join(installed, 'node_modules', 'hangup-peer', 'package.json'))).toBe(true);
  }, LONG_MS);

  test.each(['npm_config_prefix', 'NPM_CONFIG_PREFIX'])('settings of the whole machine are found below %s, where nothing is installed to that we install', (name) => {
    const folder = temporary();
    mkdirSync(join(folder, 'own', 'etc'), { recursive: true });
    writeFileSync(join(folder, 'own', 'etc', 'npmrc'), 'registry=http://mirror/\n');
    writeFileSync(join(folder, 'rc'), 'registry=http://named/\n');
    const { npm_config_prefix: _, npm_config_registry: __, ...others } = environmentIn(folder);
    const asked = (environment: NodeJS.ProcessEnv): string => execFileSync('npm', ['config', 'get', 'registry'], { cwd: folder, env: environment, encoding: 'utf8' }).trim();
    for (const settings of [withPlainSettings, withoutInstallSettings]) {
      const environment = settings({ ...others, [name]: join(folder, 'own') });
      expect(Object.keys(environment).filter((key) => /prefix$/i.test(key))).toEqual(settings === withPlainSettings ? [] : [name]);
      expect(asked(environment)).toBe('http://mirror/');
      expect(asked(settings({ ...others, [name]: join(folder, 'own'), NPM_CONFIG_GLOBALCONFIG: join(folder, 'rc') }))).toBe('http://named/');
      expect(asked(settings(others))).not.toMatch(/mirror|named/);
    }
  }, LONG_MS);

  test('told to be silent, it still says that its registry cannot be reached', async () => {
    const card = cardWith({ install: 'install: { npm: [ "left@1.2.3" ] }' });
    const environment = { ...environmentIn(temporary()), npm_config_loglevel: 'silent' };
    await expect(installPackages(card, () => {}, { environment })).rejects.toMatchObject({ problems: [{ code: 'registry-unreachable' }] });
  }, LONG_MS);
});

const commitAll = (repository: string): void => {
  for (const words of [['init', '--quiet', '-b', 'main'], ['add', '.'], ['commit', '--quiet', '-m', 'one']])
    execFileSync('git', ['-c', 'user.name=nobody', '-c', 'user.email=nobody@example.org', ...words], { cwd: repository });
};

test('an old version whose peers do not agree is built as this machine says, and not elsewhere', async () => {
  const folder = temporary();
  const repository = join(folder, 'proxy');
  const write = (path: string, text: object): void => {
    mkdirSync(join(repository, path), { recursive: true });
    writeFileSync(join(repository, path, 'package.json'), JSON.stringify({ version: '2.0.0', ...text }));
  };
  write('', { name: 'proxy', dependencies: { one: 'file:one', other: 'file:other' } });
  write('one', { name: 'one', peerDependencies: { other: '^1.0.0' } });
  write('other', { name: 'other' });
  commitAll(repository);
  const card = cardWith({ versions: `versions: { from: git, repository: ${JSON.stringify(repository)}, use: main, build: [[npm, install, --no-audit]] }` });
  const built = (more: NodeJS.ProcessEnv) => ensureSource(card, { environment: { ...environmentIn(folder), npm_config_global: 'true', npm_config_dry_run: 'true', ...more }, progress: () => {} });
  await expect(built({})).rejects.toMatchObject({ problems: [{ message: expect.stringContaining('npm install --no-audit failed') as string }] });
  const tree = await built({ npm_config_legacy_peer_deps: 'true' });
  for (const name of ['one', 'other']) expect(existsSync(join(tree!.folder, 'node_modules', name, 'package.json')), name).toBe(true);
  expect(existsSync(join(folder, 'prefix', 'lib'))).toBe(false);
}, LONG_MS);

test('what a build itself installs for the whole machine goes where somebody has it go who must not write elsewhere', async () => {
  const folder = temporary();
  const repository = join(folder, 'proxy');
  mkdirSync(repository);
  writeFileSync(join(repository, 'package.json'), JSON.stringify({ name: 'hangup-tool', version: '1.0.0' }));
  commitAll(repository);
  const card = cardWith({ versions: `versions: { from: git, repository: ${JSON.stringify(repository)}, use: main, build: [[npm, pack], [npm, install, -g, --no-audit, ./hangup-tool-1.0.0.tgz]] }` });
  const { npm_config_prefix: _, ...others } = environmentIn(folder);
  await ensureSource(card, { environment: { ...others, PREFIX: join(folder, 'machine'), NPM_CONFIG_PREFIX: join(folder, 'own') }, progress: () => {} });
  expect(existsSync(join(folder, 'own', 'lib', 'node_modules', 'hangup-tool', 'package.json'))).toBe(true);
  expect(existsSync(join(folder, 'machine'))).toBe(false);
}, LONG_MS);

/** How a registry is reached, and as whom, is the machine's. */
const REACHED = {
  npm_config_registry: 'http://mirror/', 'npm_config_@own:registry': 'http://own/', 'npm_config_//own/:_authToken': 't', npm_config_cafile: 'ca', npm_config_https_proxy: 'p', NPM_CONFIG_USERCONFIG: 'rc',
  npm_config_before: '2026-01-01', PIP_INDEX_URL: 'http://mirror/', PIP_EXTRA_INDEX_URL: 'e', PIP_CERT: 'ca', PIP_CLIENT_CERT: 'c', PIP_PROXY: 'p', PIP_TRUSTED_HOST: 'h', PIP_CONFIG_FILE: 'f', PIP_FIND_LINKS: 'l',
  PIP_NO_CACHE_DIR: '1', MAVEN_OPTS: '-Djavax.net.ssl.trustStore=t', https_proxy: 'p', PATH: '/bin',
};

test('what registries, proxies, certificates and passwords are, stays', () => {
  expect(withoutInstallSettings(REACHED)).toEqual(REACHED);
  expect(withPlainSettings(REACHED)).toMatchObject(REACHED);
});

test("of Maven's words those stay that say where it finds its repositories, and what may be about that", () => {
  const kept = [
    '-s settings.xml', '-Dmaven.repo.local=/repo', '-gs global.xml', '--settings=own.xml', '-Djavax.net.ssl.trustStore=t', '-Pcorp,!slow', '-P corp', '--activate-profiles corp', '--activate-profiles=corp', '-o', '--offline',
    '-Dcorp.repository=https://mirror/', '-D corp.user=me', '--define corp.flag', '-Dtestbed=corp',
  ];
  const left = [
    '-q', '--file other.xml', '-DskipTests', '-DskipITs=true', '-Dmaven.test.failure.ignore', '-Dmdep.skip=true', '-Denforcer.skip', '-DincludeScope=test', '-pl one', '-DoutputDirectory=/x', '-l log', '-D test=One', '--define=mdep.useBaseVersion=true',
  ];
  const mixed = kept.flatMap((words, index) => [words, left[index] ?? '']).join(' ');
  expect(withoutInstallSettings({ MAVEN_ARGS: mixed, MAVEN_BASEDIR: '/here', MAVEN_PROJECTBASEDIR: '/here' })).toEqual({ MAVEN_ARGS: kept.join(' ') });
  expect(withoutInstallSettings({ MAVEN_ARGS: '-q -P' })).toEqual({});
});

/** What an old version may need in order to be built, and a build is free to say. */
const BUILDING = {
  PIP_CONSTRAINT: '/old.txt', PIP_BUILD_CONSTRAINT: '/build.txt', PIP_NO_DEPS: '1', PIP_PRE: '1', PIP_IGNORE_REQUIRES_PYTHON: '1', PIP_UPGRADE_STRATEGY: 'eager', npm_config_legacy_peer_deps: 'true',
  npm_config_engine_strict: 'false', npm_config_ignore_scripts: 'true', NPM_CONFIG_FORCE: 'true', npm_config_install_links: 'false', npm_config_omit: 'optional', npm_config_package_lock: 'false',
  NPM_CONFIG_PREFIX: '/home/one/.npm-global',
};

test('a build loses what moves it elsewhere or silences it, and nothing else; an install keeps only what is constrained', () => {
  const moved = {
    PIP_USER: '1', PIP_TARGET: 't', PIP_PREFIX: 'p', PIP_ROOT: 'r', PIP_DRY_RUN: '1', PIP_QUIET: '3', PIP_REQUIRE_VIRTUALENV: '1', npm_config_global: 'true', npm_config_location: 'global', npm_config_dry_run: 'true',
    NPM_CONFIG_WORKSPACE: 'one', npm_config_workspaces: 'true', npm_config_loglevel: 'silent', npm_config_package_lock_only: 'true',
  };
  expect(withoutInstallSettings({ ...BUILDING, ...moved })).toEqual(BUILDING);
  const installs = Object.entries(withPlainSettings({ ...BUILDING, ...moved })).filter(([name, value]) => (BUILDING as NodeJS.ProcessEnv)[name] === value);
  expect(Object.fromEntries(installs)).toEqual({ PIP_CONSTRAINT: '/old.txt', PIP_BUILD_CONSTRAINT: '/build.txt', npm_config_engine_strict: 'false' });
});
