// What somebody has set for their own installs changes nothing of ours. No registry is asked.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
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
  const install = async (more: (folder: string) => NodeJS.ProcessEnv): Promise<void> => {
    const folder = temporary();
    const write = [
      'import sys, zipfile',
      'for name, needs in (("one", "Requires-Dist: hangup-other\\n"), ("other", "")):',
      '  with zipfile.ZipFile(f"{sys.argv[1]}/hangup_{name}-1.0-py3-none-any.whl", "w") as wheel:',
      '    info = f"hangup_{name}-1.0.dist-info/"',
      '    wheel.writestr(f"hangup_{name}.py", "WORD = 1\\n")',
      '    wheel.writestr(info + "METADATA", f"Metadata-Version: 2.1\\nName: hangup-{name}\\nVersion: 1.0\\n{needs}")',
      '    wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")',
      '    wheel.writestr(info + "RECORD", "")',
    ];
    execFileSync('python3', ['-c', write.join('\n'), folder]);
    const card = cardWith({ install: 'install: { pypi: [ "hangup-one==1.0" ] }' });
    const installed = await installPackages(card, () => {}, { environment: { ...environmentIn(folder), PIP_FIND_LINKS: folder, ...more(folder) } });
    for (const name of ['one', 'other']) expect(existsSync(join(installed!, `hangup_${name}.py`)), name).toBe(true);
    for (const elsewhere of ['user', 'target', 'prefix', 'root']) expect(existsSync(join(folder, elsewhere)), elsewhere).toBe(false);
  };

  test.each(['1', 'true'])('variables for other installs (%s)', (yes) => install((folder) => ({
    PIP_USER: yes, PIP_TARGET: join(folder, 'target'), PIP_PREFIX: join(folder, 'prefix'), PIP_ROOT: join(folder, 'root'), PIP_REQUIRE_VIRTUALENV: yes, PIP_REQUIRE_HASHES: yes,
    PIP_DRY_RUN: yes, PIP_NO_DEPS: yes, PIP_PYTHON_VERSION: '2.7', PIP_REQUIREMENT: join(folder, 'none.txt'), PIP_CONSTRAINT: join(folder, 'none.txt'),
  })), LONG_MS);

  test('pip.conf for other installs', () => install((folder) => {
    const file = join(folder, 'pip.conf');
    writeFileSync(file, `[global]\nrequire-virtualenv = true\nuser = true\n[install]\nno-deps = true\ndry-run = true\ntarget = ${folder}/target\n`);
    return { PIP_CONFIG_FILE: file };
  }), LONG_MS);

  test('a prefix in pip.conf', () => install((folder) => {
    writeFileSync(join(folder, 'pip.conf'), `[install]\nprefix = ${folder}/prefix\n`);
    return { PIP_CONFIG_FILE: join(folder, 'pip.conf') };
  }), LONG_MS);
});

describe('npm', () => {
  const install = async (more: (folder: string) => NodeJS.ProcessEnv): Promise<void> => {
    const folder = temporary();
    const pack = (name: string, text: object): string => {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'package.json'), JSON.stringify({ name, version: '1.0.0', ...text }));
      execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: join(folder, name), env: environmentIn(folder) });
      return join(folder, `${name}-1.0.0.tgz`);
    };
    const inner = pack('hangup-inner', {});
    const outer = pack('hangup-outer', { optionalDependencies: { 'hangup-inner': `file:${inner}` } });
    const card = cardWith({ install: `install: { npm: [ "${outer}" ] }` });
    const installed = await installPackages(card, () => {}, { environment: { ...environmentIn(folder), ...more(folder) } });
    for (const name of ['outer', 'inner']) expect(existsSync(join(installed!, 'node_modules', `hangup-${name}`, 'package.json')), name).toBe(true);
    expect(existsSync(join(folder, 'prefix', 'lib'))).toBe(false);
  };

  test('variables for other installs, as npm itself gives them to what it runs', () => install(() => ({
    npm_config_global: 'true', npm_config_location: 'global', NPM_CONFIG_DRY_RUN: 'true', npm_config_package_lock_only: 'true', npm_config_omit: 'optional', npm_config_workspace: 'one',
    npm_config_workspaces: 'true', npm_config_install_strategy: 'linked', npm_config_os: 'win32',
  })), LONG_MS);

  test('.npmrc for other installs', () => install((folder) => {
    writeFileSync(join(folder, 'rc'), 'global=true\ndry-run=true\npackage-lock-only=true\nomit[]=optional\nloglevel=silent\ninstall-strategy=linked\n');
    return { npm_config_userconfig: join(folder, 'rc') };
  }), LONG_MS);

  test('told to be silent, it still says that its registry cannot be reached', async () => {
    const card = cardWith({ install: 'install: { npm: [ "left@1.2.3" ] }' });
    const environment = { ...environmentIn(temporary()), npm_config_loglevel: 'silent' };
    await expect(installPackages(card, () => {}, { environment })).rejects.toMatchObject({ problems: [{ code: 'registry-unreachable' }] });
  }, LONG_MS);
});

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

test("of Maven's words those stay that say where it finds its repositories", () => {
  const words = '-q -s settings.xml --file other.xml -Dmaven.repo.local=/repo -DincludeScope=test -pl one -DoutputDirectory=/x -gs global.xml --settings=own.xml -l log -o -Djavax.net.ssl.trustStore=t -Pfast';
  expect(withoutInstallSettings({ MAVEN_ARGS: words, MAVEN_BASEDIR: '/here', MAVEN_PROJECTBASEDIR: '/here' })).toEqual({
    MAVEN_ARGS: '-s settings.xml -Dmaven.repo.local=/repo -gs global.xml --settings=own.xml -Djavax.net.ssl.trustStore=t',
  });
  expect(withoutInstallSettings({ MAVEN_ARGS: '-q' })).toEqual({});
});
