// The one command that runs a scenario again as it was run, from what the bundle says.
import type { Manifest, Resolved } from '../bundle/format.ts';
import { quoted } from '../model/shell-words.ts';

const PLAIN = /^[\w@%+=:,./-]+$/;
/** What would end the line or the block that the command stands in, move a cursor or turn the text. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Quoted for a shell where it must be: any POSIX one, or bash where it holds what cannot be seen. */
export const shellWord = (word: string): string => {
  if (PLAIN.test(word)) return word;
  if (word.search(UNSEEN) < 0) return quoted(word.toWellFormed());
  return `$'${word.toWellFormed().replace(/[\\']/g, '\\$&').replace(UNSEEN, escaped)}'`;
};

/** The values of an option, each given as `--name value` or `--name=value`. */
export const given = (argv: readonly string[], name: string): readonly string[] =>
  argv.flatMap((word, index) => {
    if (word.startsWith(`${name}=`)) return [word.slice(name.length + 1)];
    const value = word === name ? argv[index + 1] : undefined;
    return value === undefined ? [] : [value];
  });

/** Given once, the last counts; repeatable, the last of each name does. */
const lastOfEach = (values: readonly string[]): readonly string[] =>
  [...new Map(values.map((value) => [value.replace(/=.*$/s, ''), value])).values()];

/** Secrets are not in a bundle: their names are, and who runs it again puts in the values. */
const withoutValue = (secret: string): string => `${secret.replace(/=.*$/s, '')}=...`;

/** As options of a command, without the values. */
export const secretOptions = (argv: readonly string[]): readonly string[] =>
  lastOfEach(given(argv, '--secret')).flatMap((secret) => ['--secret', withoutValue(secret)]);

/** What the scenario's own matrix gives is said by `--where`. */
const askedOf = ({ coordinates = {}, matrix }: Resolved['run']): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(coordinates).filter(([axis, value]) => matrix[axis] !== value));

export const rerunCommand = (manifest: Pick<Manifest, 'scenario' | 'runtime' | 'argv'>, resolved: Pick<Resolved, 'run'>): string => {
  const { argv } = manifest;
  const { run } = resolved;
  // One of hangup's own is called so in a clone of it too, and beside an installed one.
  const file = run.file?.replace(/^node_modules\/hangup\/(?=scenarios\/)/, '') ?? `scenarios/${manifest.scenario.replace(/\[.*$/, '')}.yaml`;
  const option = (name: string, values: readonly string[]): readonly string[] => values.flatMap((value) => [name, value]);
  // What the scenario plants by itself is planted again.
  const coordinates = askedOf(run);
  const defects = coordinates.defect === undefined ? (run.presets ?? run.defects) : [];
  const words = [
    'npx', 'hangup', 'run', file,
    ...option('--where', Object.entries(run.matrix).map(([axis, value]) => `${axis}=${value}`)),
    ...option('--axis', Object.entries(coordinates).map(([axis, value]) => `${axis}=${value}`)),
    ...option('--var', run.variables ? Object.entries(run.variables).map(([name, value]) => `${name}=${value}`) : lastOfEach(given(argv, '--var'))),
    ...option('--seed', run.drawn === undefined ? [] : [String(run.drawn.seed)]),
    ...option('--runtime', [manifest.runtime]),
    ...option('--system', run.system === undefined ? given(argv, '--system').slice(-1) : run.system === null ? [] : [run.system]),
    ...option('--defect', defects.length > 0 ? [defects.join(',')] : []),
    ...secretOptions(argv),
  ];
  return words.map(shellWord).join(' ');
};
