// What was installed on the machines of the shards: one plan says what is asked for, and not what each of them has got for it.
import { fewAlong } from '../../model/came-along.ts';
import type { MergedResult } from './collect.ts';

const PACKAGE = /^(?:npm|pypi|maven) /;
const MOST_ALONG = 5;

export type Installed = {
  readonly add: (result: Pick<MergedResult, 'run' | 'versions'>) => void;
  /** Packages of one system at one place on its axes that are not the same everywhere, in words; none: as far as is told they are. */
  readonly differences: () => readonly string[];
};

export const createInstalled = (): Installed => {
  const seen = new Map<string, { readonly name: string; readonly versions: Set<string> }>();
  return {
    add: ({ run, versions }) => {
      for (const [name, version] of Object.entries(versions)) {
        if (!PACKAGE.test(name)) continue;
        const key = JSON.stringify([run.card, run.cardHash, run.coordinates, name]);
        const known = seen.get(key) ?? { name, versions: new Set() };
        seen.set(key, known);
        known.versions.add(version);
      }
    },
    differences: () => {
      const all = [...seen.values()].filter(({ versions }) => versions.size > 1);
      const { shown, more } = fewAlong(all, ({ name }) => name, MOST_ALONG);
      return [...shown.map(({ name, versions }) => `${name} ${[...versions].sort().join(' and ')}`), ...(more > 0 ? [`${more} more that came along`] : [])];
    },
  };
};
