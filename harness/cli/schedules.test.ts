// The files of docs/schedules are to be copied: each is checked by the schema of whom it is for, and each command line in them by
// hangup's own. Nothing here asks the network.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Command } from 'commander';
import { CronExpressionParser, CronFileParser } from 'cron-parser';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { CronJob } from 'kubernetes-models/batch/v1/CronJob';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { commands } from './commands.ts';
import { toRunOptions } from './run-options.ts';
import type { RunFlags } from './run-options.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDER = join(ROOT, 'docs', 'schedules');
const text = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');

const scratch = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-schedules-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

const withoutVariables = (words: string): string => words.replace(/\$\{\{[^}]*\}\}|\$\([A-Z_]+\)|\$[A-Z_]+/g, '7');

/** Command lines of hangup in any text: what follows the name, up to the end of the command. */
const linesIn = (file: string): readonly string[] =>
  [...text(file).matchAll(/\bhangup (run|merge|soak)\b([^\n;&|]*)/g)].filter(([, , rest]) => !rest!.trim().startsWith('`')).map(([, command, rest]) => withoutVariables(`${command}${rest}`));

/** In manifests of Kubernetes a command is a list. */
const listsIn = (file: string): readonly string[] =>
  [...text(file).matchAll(/command: (\[.*\])/g)].map(([, list]) => withoutVariables((parse(list!) as readonly string[]).join(' ').replace(/^hangup /, '')));

const files = readdirSync(FOLDER);
const cases = files.flatMap((file) => (file.startsWith('kubernetes') ? listsIn(file) : linesIn(file.replace(/^#.*/gm, ''))).map((line) => [file, line] as const));

describe('command lines', () => {
  test('every file that starts something has one', () => {
    const starting = files.filter((file) => !file.endsWith('.timer'));
    expect([...new Set(cases.map(([file]) => file))].sort()).toEqual(starting.sort());
    expect(cases.length).toBeGreaterThanOrEqual(10);
  });

  test('each asks about the system of whoever copies it: the one that comes with hangup is green whatever theirs does', () => {
    for (const [file, line] of cases) if (!line.startsWith('merge')) expect(line, file).toMatch(/^(?:run|soak) \S+ --system \.\/their-card\.yaml /);
  });

  test.each(cases)('%s: hangup %s', (_, line) => {
    const program = new Command('hangup').exitOverride().configureOutput({ writeErr: () => {} });
    const found: { name: string; args: readonly string[]; options: unknown }[] = [];
    for (const { define } of commands) {
      const command = define(program);
      command.exitOverride().configureOutput({ writeErr: () => {} }).action(() => void found.push({ name: command.name(), args: command.args, options: command.opts() }));
    }
    program.parse(line.trim().split(/\s+/), { from: 'user' });
    expect(found).toHaveLength(1);
    const [{ name, args, options }] = found as [typeof found[number]];
    if (name === 'run') expect(() => toRunOptions(args, options as RunFlags)).not.toThrow();
    else expect(name === 'merge' ? args.length : 1).toBeGreaterThan(0);
  });
});

describe('GitHub', () => {
  // The package is made for bundlers, which need not be told that JSON is JSON.
  registerHooks({ load: (url, context, next) => next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context) });
  const problemsOf = async (name: string, content: string): Promise<readonly string[]> => {
    const { parseWorkflow, convertWorkflowTemplate, NoOperationTraceWriter } = await import('@actions/workflow-parser');
    const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
    if (value) await convertWorkflowTemplate(context, value);
    return context.errors.getErrors().map(({ message }) => message);
  };

  test.each(files.filter((file) => file.startsWith('github')))('%s is a workflow', async (file) => expect(await problemsOf(file, text(file))).toEqual([]));

  test('what is none is told', async () => {
    const broken = text('github-shards.yml').replace('runs-on:', 'runs-off:').replace('needs: shard', 'needs: shards').replace('matrix.shard', 'matricks.shard');
    expect((await problemsOf('broken.yml', broken)).join('\n')).toMatch(/runs-off[\s\S]*matricks|matricks[\s\S]*runs-off/);
  });
});

describe('what is kept of a night', () => {
  type Step = { readonly uses?: string; readonly with?: { readonly path?: string } };

  test.each(files.filter((file) => file.startsWith('github')))('%s uploads nothing twice: a link to a folder is followed, and `latest` is one', (file) => {
    const { jobs } = parse(text(file)) as { readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>> };
    const uploads = Object.values(jobs).flatMap(({ steps }) => steps).filter(({ uses }) => uses?.startsWith('actions/upload-artifact@')).map((step) => step.with?.path?.trim().split('\n') ?? []);
    expect(uploads.length).toBeGreaterThan(0);
    for (const [path, ...without] of uploads.filter(([first]) => first!.startsWith('evidence'))) expect(without).toEqual([`!${path}/latest`]);
  });

  test('cron begins nothing beside a night: whoever comes later waits, another night does not', () => {
    const lines = text('crontab').split('\n').filter((line) => /^\d/.test(line));
    const locks = lines.map((line) => /&& flock (--nonblock )?(\S+\.lock) /.exec(line)?.slice(1));
    expect(locks).toEqual([['--nonblock ', '/tmp/hangup-soak.lock'], [undefined, '/tmp/hangup-soak.lock']]);
  });
});

describe('GitLab', () => {
  const check = (content: string) => {
    const cwd = scratch();
    writeFileSync(join(cwd, '.gitlab-ci.yml'), content);
    spawnSync('git', ['init', '-q'], { cwd });
    return spawnSync(process.execPath, [join(ROOT, 'node_modules/gitlab-ci-local/dist/index.js'), '--list-all'], { cwd, encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: cwd } });
  };

  test('gitlab-ci.yml is as the schema of GitLab has it, and what is not is told', () => {
    const good = check(text('gitlab-ci.yml'));
    expect([good.status, good.stderr + good.stdout]).toEqual([0, expect.stringContaining('json schema validated')]);
    const broken = check(text('gitlab-ci.yml').replace('parallel: 4', 'parallel: four'));
    expect([broken.status, broken.stderr + broken.stdout]).toEqual([1, expect.stringContaining('parallel')]);
  }, 60_000);
});

describe('Kubernetes', () => {
  const models = { Job, CronJob, PersistentVolumeClaim } as const;
  type Manifest = { readonly kind: keyof typeof models };
  const manifests = files.filter((file) => file.startsWith('kubernetes')).flatMap((file) => parseAllDocuments(text(file)).map((document) => [file, document.toJS() as Manifest] as const));

  test.each(manifests)('%s: what is there is as the schema has it', (_, manifest) => {
    expect(() => new models[manifest.kind](manifest as never).validate()).not.toThrow();
    expect(() => new models[manifest.kind]({ ...manifest, spec: 'four' } as never).validate()).toThrow('spec');
  });

  test('nothing is there that has no meaning: a server would drop it, or refuse', () => {
    const cwd = scratch();
    const imports = `import type { IPersistentVolumeClaim } from '${ROOT}/node_modules/kubernetes-models/v1/PersistentVolumeClaim';
import type { ICronJob } from '${ROOT}/node_modules/kubernetes-models/batch/v1/CronJob';
import type { IJob } from '${ROOT}/node_modules/kubernetes-models/batch/v1/Job';\n`;
    const literals = manifests.map(([, manifest], index) => `export const m${index}: I${manifest.kind} = ${JSON.stringify(manifest)};`);
    const compile = (name: string, lines: readonly string[]) => {
      writeFileSync(join(cwd, name), `${imports}${lines.join('\n')}\n`);
      return spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', '', name], { cwd, encoding: 'utf8' });
    };
    expect(compile('good.ts', literals).stdout).toBe('');
    expect(compile('bad.ts', literals.map((line) => line.replace('"backoffLimitPerIndex"', '"backoffLimitPerIndices"'))).stdout).toContain('backoffLimitPerIndices');
  }, 60_000);

  test('the shards that are made are those that are told of', () => {
    const jobs = manifests.map(([, manifest]) => manifest).filter(({ kind }) => kind === 'Job') as unknown as readonly [{ spec: { completions: number; parallelism: number; template: { spec: { containers: readonly { env: readonly { value: string }[] }[] } } } }];
    const [{ spec }] = jobs;
    expect([spec.completions, spec.parallelism]).toEqual([Number(spec.template.spec.containers[0]!.env[0]!.value), spec.completions]);
  });

  test('what makes stages may do all that it may in docker-compose.yml, and what merges may do nothing', () => {
    type Container = { readonly command: readonly string[]; readonly securityContext?: unknown };
    type Pod = { readonly spec: { readonly containers: readonly Container[] } };
    type Spec = { readonly template?: Pod; readonly jobTemplate?: { readonly spec: { readonly template: Pod } } };
    const containers = manifests.flatMap(([, manifest]) => {
      const { template, jobTemplate } = (manifest as unknown as { readonly spec: Spec }).spec;
      return (template ?? jobTemplate?.spec.template)?.spec.containers ?? [];
    });
    const { services } = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8')) as { services: { soak: { cap_add: readonly string[]; security_opt: readonly string[] } } };
    expect(services.soak.security_opt).toEqual(['apparmor:unconfined']);
    const may = { runAsUser: 0, appArmorProfile: { type: 'Unconfined' }, capabilities: { add: services.soak.cap_add } };
    expect(containers.map(({ command: [, command], securityContext }) => [command, securityContext])).toEqual([['run', may], ['merge', undefined], ['soak', may]]);
  });
});

test('the crontab has five fields and a command in each line', () => {
  const { expressions, errors } = CronFileParser.parseFileSync(join(FOLDER, 'crontab'));
  expect([expressions.length, errors]).toEqual([2, {}]);
  const [{ schedule }] = parseAllDocuments(text('kubernetes-soak.yaml')).map((each) => each.toJS()).filter(({ kind }) => kind === 'CronJob').map(({ spec }) => spec);
  for (const each of [schedule, ...(parse(text('github-nightly.yml')) as { on: { schedule: readonly { cron: string }[] } }).on.schedule.map(({ cron }) => cron)])
    expect(CronExpressionParser.parse(each).next().toDate().getTime()).toBeGreaterThan(Date.now());
});

test('systemd takes both units', (context) => {
  const has = spawnSync('systemd-analyze', ['--version']).status === 0;
  if (!has) return context.skip('systemd-analyze is not on this machine');
  const cwd = scratch();
  const units = files.filter((file) => /\.(service|timer)$/.test(file)).map((file) => join(cwd, file));
  for (const unit of units) copyFileSync(join(FOLDER, basename(unit)), unit);
  const verified = spawnSync('systemd-analyze', ['verify', ...units], { encoding: 'utf8' });
  expect([verified.status, verified.stderr]).toEqual([0, '']);
  writeFileSync(units[0]!, readFileSync(units[0]!, 'utf8').replace('KillMode=mixed', 'KillMode=sometimes'));
  expect(spawnSync('systemd-analyze', ['verify', units[0]!], { encoding: 'utf8' }).stderr).toContain('kill mode');
});
