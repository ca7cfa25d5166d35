// The one command that runs a scenario again as it was run, from what the bundle says.
import type { Manifest, Resolved } from '../bundle/format.ts';

const PLAIN = /^[\w@%+=:,./-]+$/;

/** Quoted for a POSIX shell where it must be. */
export const shellWord = (word: string): string => (PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** The value of an option that was given as `--name value` or `--name=value`. */
const given = (argv: readonly string[], name: string): string | null => {
  const at = argv.findIndex((word) => word === name || word.startsWith(`${name}=`));
  if (at < 0) return null;
  return argv[at] === name ? argv[at + 1] ?? null : argv[at]!.slice(name.length + 1);
};

export const rerunCommand = (manifest: Pick<Manifest, 'scenario' | 'runtime' | 'argv'>, resolved: Pick<Resolved, 'run'>): string => {
  const { run } = resolved;
  const file = run.file ?? `scenarios/${manifest.scenario.replace(/\[.*$/, '')}.yaml`;
  const axes = Object.entries(run.matrix).map(([axis, value]) => ['--where', `${axis}=${value}`]);
  // What the scenario plants by itself is planted again.
  const defects = run.presets ?? run.defects;
  const system = given(manifest.argv, '--system');
  const words = [
    'npx', 'hangup', 'run', file, ...axes.flat(), '--runtime', manifest.runtime,
    ...(system === null ? [] : ['--system', system]), ...(defects.length > 0 ? ['--defect', defects.join(',')] : []),
  ];
  return words.map(shellWord).join(' ');
};
