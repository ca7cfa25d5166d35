// Names of a card that evidence is told apart by. None of them may look like a header with a secret: what follows such a name is hidden
// wherever it stands, and two cells, processes or requests would be one.
import { hidesWhatFollows } from '../bundle/header-shapes.ts';
import type { Finding } from '../scenario/issues.ts';
import { asList, asMap, asText } from '../scenario/raw-items.ts';
import type { Data } from '../scenario/raw-items.ts';
import type { Path } from '../scenario/tree.ts';

type Named = { readonly name: string; readonly path: Path; readonly at: Finding['at'] };

const keysOf = (map: unknown, path: Path): readonly Named[] =>
  Object.keys(asMap(map)).map((name) => ({ name, path: [...path, name], at: 'key' }));

const valueAt = (value: unknown, path: Path): readonly Named[] => {
  const name = asText(value);
  return name === undefined ? [] : [{ name, path, at: 'value' }];
};

/** Variables, captures and settings are not asked: they may hold secrets. */
export const nameFindings = (data: Data): readonly Finding[] => {
  const presets = asMap(asMap(data.defects).presets);
  const named: readonly Named[] = [
    ...valueAt(data.system, ['system']),
    ...keysOf(data.axes, ['axes']),
    ...asList(data.run).flatMap((entry, index) => valueAt(asMap(entry).name, ['run', index, 'name'])),
    ...keysOf(data.requests, ['requests']),
    ...keysOf(presets, ['defects', 'presets']),
    ...Object.entries(presets).flatMap(([preset, all]) => asList(all).flatMap((one, index) => valueAt(one, ['defects', 'presets', preset, index]))),
  ];
  return named.filter(({ name }) => hidesWhatFollows(name)).map(({ name, path, at }): Finding => ({
    code: 'bad-name', message: `\`${name}\` is called like a header whose value evidence hides`, hint: 'give it another name', path, at,
  }));
};
