// Versions of an npm package, as its registry has them.
import { releasesOf, sortVersions } from './compare.ts';
import { ask, noValues, packageOf, saidBy } from './source.ts';
import type { AxisInput, AxisSource } from './source.ts';

const HINT = "is the npm registry reachable? behind a company proxy set npm's proxy and cafile options";

type Item = string | { readonly version?: unknown; readonly deprecated?: unknown };

/** One version is no list, none is no output at all. */
const listOf = (output: string): readonly Item[] => {
  const parsed: unknown = output.trim() === '' ? [] : JSON.parse(output);
  return (Array.isArray(parsed) ? parsed : [parsed]) as readonly Item[];
};

/** Those that their publisher advises against. With one field alone npm gives no objects, so the name is asked too. */
const deprecatedOf = async (name: string, { context }: AxisInput): Promise<ReadonlySet<unknown>> => {
  const output = await ask('npm', ['view', `${name}@>=0.0.0-0`, 'name', 'version', 'deprecated', '--json'], context).catch(() => '');
  return new Set(listOf(output).flatMap((item) => (typeof item === 'object' && item.deprecated ? [item.version] : [])));
};

export const npmValues: AxisSource = async (input) => {
  const name = packageOf(input);
  const [output, deprecated] = await Promise.all([
    ask('npm', ['view', name, 'versions', '--json'], input.context, { about: `asking npm for the versions of ${name}` }).catch((cause: unknown) => {
      input.context.signal?.throwIfAborted();
      throw noValues(input, saidBy(cause).replaceAll(/npm error\s*/g, ''), HINT, cause);
    }),
    deprecatedOf(name, input),
  ]);
  const all = sortVersions('npm', listOf(output).filter((item) => typeof item === 'string'));
  const kept = all.filter((version) => !deprecated.has(version));
  // A package that is given up as a whole still has its versions.
  return { all, offered: releasesOf('npm', kept.length > 0 ? kept : all) };
};
