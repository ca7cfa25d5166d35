// Which versions of which packages were installed, for the evidence: a card names a range, or nothing but a name, and of what comes along
// with it nothing at all. The same card installed on another day may be another system by that alone.
import { cameAlong } from '../model/came-along.ts';
import type { Card } from './card.ts';
import { mavenPackages, npmPackages, pypiPackages } from './installed-packages.ts';

const TOOLS = [['npm', npmPackages], ['pypi', pypiPackages], ['maven', mavenPackages]] as const;

/** @returns `npm http-proxy` to its version, of what the card names; then `npm follow-redirects (came along)`, of all else that is there */
export const installedVersions = async ({ install }: Pick<Card, 'install'>, folder: string): Promise<Readonly<Record<string, string>>> => {
  const used = TOOLS.filter(([kind]) => install[kind].length > 0);
  const found = await Promise.all(
    used.map(async ([kind, packagesIn]) => (await packagesIn(folder, install[kind])).map((one) => ({ ...one, name: `${kind} ${one.name}` }))),
  );
  const all = found.flat();
  const named = all.filter(({ isNamed }) => isNamed).map(({ name, version }) => [name, version] as const);
  const along = all.filter(({ isNamed }) => !isNamed).map(({ name, version }) => [cameAlong(name), version] as const);
  return Object.fromEntries([...named, ...along]);
};
