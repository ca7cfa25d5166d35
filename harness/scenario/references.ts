// Whether the names that a scenario uses are defined in it: clients, upstreams, marks, barriers,
// instances, claims. Works on the data as read, not on the parsed output, so that it finds what it
// can in a file that has other problems too.
import { didYouMean } from '../model/nearest.ts';
import { checkAccounts } from './account-names.ts';
import { clientNamesOf } from './copies.ts';
import type { ClientNames } from './copies.ts';
import { checkMark, checkMarks, checkOwnMarks, marksOf, undefinedName } from './marks.ts';
import { asList, asMap, asText, itemsOf, usesOf } from './raw-items.ts';
import type { Data, RawItem, Used } from './raw-items.ts';
import type { Finding } from './issues.ts';
import type { Registries } from './schema.ts';
import { isName, NAME_HINT, show } from './scalars.ts';
import type { Path } from './tree.ts';

/** A fault is done at a mark, or before the start. */
const checkWhen = (fault: Data, marks: readonly string[], path: Path): readonly Finding[] => {
  const after = asText(fault.after);
  if (after !== undefined && fault.before !== undefined)
    return [
      { code: 'not-one-key', message: 'a fault is done `after` a mark or `before: start`, not both', hint: 'leave one out', path, at: 'owner' },
    ];
  if (after !== undefined) return checkMark(after, marks, [...path, 'after']);
  if (fault.before !== undefined && fault.wait !== undefined)
    return [
      { code: 'not-one-key', message: '`wait` counts from a mark, of which there is none `before: start`', hint: 'leave one out', path: [...path, 'wait'], at: 'key' },
    ];
  return fault.after === undefined && fault.before === undefined
    ? [{ code: 'missing-key', message: '`after` is missing', hint: 'write `after: <mark>`, or `before: start`', path, at: 'owner' }]
    : [];
};

/** Where an instance is named beside the options of items: clients and clocks. */
const checkInstances = (data: Data, instances: number): readonly Finding[] => {
  const named = [
    ...Object.entries(asMap(data.clients)).map(([client, value]) => ({
      instance: asMap(value).instance, path: ['clients', client, 'instance'] as Path, at: 'value' as const,
    })),
    ...Object.keys(asMap(asMap(data.system).clocks)).map((key) => ({
      instance: Number(key), path: ['system', 'clocks', key] as Path, at: 'key' as const,
    })),
  ];
  return named.flatMap(({ instance, path, at }) =>
    typeof instance === 'number' && instance > instances ? [noInstance(instance, instances, path, at)] : []);
};

const checkBarriers = (uses: readonly Used[], groups: readonly string[]): readonly Finding[] => {
  const barriers = Map.groupBy(
    uses.filter(({ type, value }) => type === 'barrier' && typeof value === 'string'),
    ({ value }) => value as string,
  );
  return [...barriers].flatMap(([name, at]): readonly Finding[] =>
    new Set(at.map(({ client }) => client)).size > 1 || groups.includes(at[0]!.client ?? '')
      ? []
      : [
          {
            code: 'lonely-barrier',
            message: `only one client comes to the barrier \`${name}\``,
            hint: 'a barrier is where clients wait for each other: name it in a second script too',
            path: at[0]!.path,
            at: 'value',
          },
        ],
  );
};

const noInstance = (instance: number, instances: number, path: Path, at: 'value' | 'key'): Finding => ({
  code: 'unknown-name',
  message: `there is no instance ${instance}`,
  hint: `the system has ${instances}; set \`system: { instances: ... }\``,
  path,
  at,
});

/** One name that an item uses, against those that there are. */
export const checkUse = (
  { type, value, path }: Used,
  names: { readonly [K in 'client' | 'upstream' | 'mark']: readonly string[] },
  instances: number,
): readonly Finding[] => {
  if (type === 'instance' && typeof value === 'number' && value > instances) return [noInstance(value, instances, path, 'value')];
  const name = asText(value);
  if (name === undefined) return [];
  if (type === 'client' || type === 'upstream') return names[type].includes(name) ? [] : [undefinedName(type, name, names[type], path)];
  return type === 'mark' || type === 'after' ? checkMark(name, names.mark, path) : [];
};

const checkClaims = (data: Data, items: readonly RawItem[]): readonly Finding[] => {
  const claimed = [...new Set(items.filter(({ path }) => path[0] === 'expect').map(({ definition }) => definition.kind))];
  const check = (claims: unknown, path: Path): readonly Finding[] =>
    asList(claims).flatMap((claim, index): readonly Finding[] =>
      typeof claim !== 'string' || claimed.includes(claim)
        ? []
        : [
            {
              code: 'not-claimed',
              message: `\`${claim}\` is not among the claims of \`expect\``,
              hint: didYouMean(claim, claimed, 'claimed'),
              path: [...path, index],
              at: 'value',
            },
          ],
    );
  // One claim of several of a kind may be meant, by its id.
  const counts = Map.groupBy(items.filter(({ path }) => path[0] === 'expect'), ({ definition }) => definition.kind);
  const ids = [...counts].flatMap(([kind, all]) => [kind, ...all.slice(1).map((_, index) => `${kind}#${index + 2}`)]);
  const concluded = Object.keys(asMap(data.concludes)).filter((id) => !ids.includes(id));
  return [
    ...concluded.map((id): Finding => ({
      code: 'not-claimed', message: `\`${id}\` is not among the claims of \`expect\``, hint: didYouMean(id, ids, 'claimed'),
      path: ['concludes', id], at: 'key',
    })),
    ...Object.entries(asMap(data.catches)).flatMap(([defect, value]) => check(value, ['catches', defect])),
    ...Object.entries(asMap(data.saw)).flatMap(([preset, value]) => check(asMap(value).violates, ['saw', preset, 'violates'])),
  ];
};

const checkNames = (data: Data): readonly Finding[] =>
  ['upstreams', 'clients', 'catches', 'saw'].flatMap((part) =>
    Object.keys(asMap(data[part]))
      .filter((name) => !isName(name))
      .map((name): Finding => ({
        code: 'bad-name',
        message: `${show(name)} is not a name`,
        hint: NAME_HINT,
        path: [part, name],
        at: 'key',
      })),
  );

/** `alice-2` may be a copy or a name of its own, not both. */
const checkCopies = ({ written, groups, members }: ClientNames): readonly Finding[] =>
  written
    .filter((name) => members.indexOf(name) !== members.lastIndexOf(name) && !groups.includes(name))
    .map((name) => ({
      code: 'bad-name',
      message: `\`${name}\` is also the name of a copy`,
      hint: 'give it another name',
      path: ['clients', name],
      at: 'key',
    }));

/** Every name that is used and not defined, and every name that is defined wrongly. */
export const checkReferences = (value: unknown, registries: Registries): readonly Finding[] => {
  const data = asMap(value);
  const items = itemsOf(data, registries);
  const uses = usesOf(items);
  const marks = marksOf(data);
  const clients = clientNamesOf(data);
  const names = {
    client: clients.members,
    upstream: Object.keys(asMap(data.upstreams)),
    mark: [...new Set(marks.map(({ mark }) => mark))],
  };
  const declared = asMap(data.system).instances;
  const instances = typeof declared === 'number' ? declared : 1;
  const faults = asList(data.faults).flatMap((fault, index) => checkWhen(asMap(fault), names.mark, ['faults', index]));
  return [
    ...checkNames(data),
    ...checkMarks(marks),
    ...checkOwnMarks(uses, marks),
    ...checkCopies(clients),
    ...checkBarriers(uses, clients.groups),
    ...checkAccounts(data, clients),
    ...faults,
    ...uses.flatMap((use) => checkUse(use, use.path[0] === 'expect' ? { ...names, client: [...clients.groups, ...names.client] } : names, instances)),
    ...checkInstances(data, instances),
    ...checkClaims(data, items),
  ];
};
