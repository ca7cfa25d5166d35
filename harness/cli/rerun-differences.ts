// What is not as it was when a bundle's run is to be repeated, one line each, told before anything is started: whoever compares
// verdicts must know what else has changed.
import { createHash } from 'node:crypto';
import type { Manifest } from '../bundle/format.ts';
import type { Bundle } from '../bundle/read.ts';
import { fewAlong } from '../model/came-along.ts';
import type { Cell } from '../systems/cell.ts';

/** More are not read; all are in the two bundles. */
const MAXIMUM_SETTINGS = 12;

const harnessText = ({ version, commit, dirty }: Manifest['harness']): string =>
  `${version}${commit ? ` at commit ${commit.slice(0, 12)}` : ''}${dirty ? ' with changes' : ''}`;

const wasIs = (name: string, was: unknown, is: unknown): string => `${name}: was ${String(was)}, is ${String(is)}`;

/** What a thing comes to, by path: `periods.leaseMs` to `1500`. */
const flatten = (value: unknown, path = ''): readonly (readonly [string, string])[] =>
  typeof value !== 'object' || value === null
    ? [[path, JSON.stringify(value) ?? 'undefined']]
    : Object.entries(value).flatMap(([key, each]) => flatten(each, path === '' ? key : `${path}.${key}`));

/** @param isShared whether only what both have is compared: an old bundle lacks what is recorded today */
const differencesOf = (was: unknown, is: unknown, isShared: boolean): readonly string[] => {
  const [before, after] = [new Map(flatten(was)), new Map(flatten(is))];
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter((path) => !isShared || (before.has(path) && after.has(path)));
  return paths
    .filter((path) => before.get(path) !== after.get(path))
    .map((path) => wasIs(path, before.get(path) ?? 'not set', after.get(path) ?? 'not set'));
};

/** Addresses and accounts are known only once there is a stage, and the runtime is told by itself. */
const ofTheStage = /^(?:runtime|(?:clients|upstreams)\..+\.(?:address|account)|system\.(?:instances\.\d+\.)?(?:address|listen))$/;

const capped = (lines: readonly string[]): readonly string[] =>
  lines.length <= MAXIMUM_SETTINGS ? lines : [...lines.slice(0, MAXIMUM_SETTINGS), `and ${lines.length - MAXIMUM_SETTINGS} more settings`];

/** What the cell comes to now, beside what it came to then. */
export const cellDifferences = ({ manifest, resolved, scenarioText }: Bundle, cell: Cell): readonly string[] => {
  const isOurs = createHash('sha256').update(scenarioText).digest('hex') === manifest.scenarioHash;
  const facts = differencesOf(resolved.judged.facts, cell.facts, true).filter((line) => !ofTheStage.test(line.slice(0, line.indexOf(':'))));
  const claimsOf = (claims: Cell['claims']) =>
    Object.fromEntries(claims.map(({ id, options, notApplicable }) => [id, { ...options, 'does not apply': notApplicable }]));
  return [
    ...(isOurs ? [] : ['the scenario in the evidence is not word for word what was run: secrets were taken out of it']),
    ...(manifest.runtime === cell.runtime ? [] : [wasIs('runtime', manifest.runtime, cell.runtime)]),
    ...capped([
      ...differencesOf(resolved.run.settings, cell.settings, false),
      ...facts,
      ...differencesOf(claimsOf(resolved.judged.claims), claimsOf(cell.claims), false).map((line) => `claim ${line}`),
    ]),
  ];
};

/** hangup, node, kernel, engine, images, packages; of those that nobody named the first few. */
export const versionDifferences = (
  was: Pick<Manifest, 'harness' | 'versions'>,
  is: Pick<Manifest, 'harness' | 'versions'>,
): readonly string[] => {
  const [before, after] = [harnessText(was.harness), harnessText(is.harness)];
  const names = [...new Set([...Object.keys(was.versions), ...Object.keys(is.versions)])].filter((name) => was.versions[name] !== is.versions[name]).sort();
  const { shown, more } = fewAlong(names, (name) => name, MAXIMUM_SETTINGS);
  return [
    ...(before === after ? [] : [wasIs('hangup', before, after)]),
    ...shown.map((name) => wasIs(name, was.versions[name] ?? 'not told', is.versions[name] ?? 'not told')),
    ...(more === 0 ? [] : [`and ${more} more packages that came along`]),
  ];
};
