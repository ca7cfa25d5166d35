// Whether shards make up one plan, each of it once: what is missing, twice, of another plan, not over, or not all there. A merge that
// passed without a shard would say of the whole what nobody has seen.
import { readdirSync } from 'node:fs';
import type { Problem } from '../../model/problem.ts';
import { differencesOf } from '../shard/plan.ts';
import type { FoundShard } from './find-shards.ts';

const bad = (code: string, message: string, hint: string): Problem => ({ family: 'scenario', code, message, hint });

const listed = (names: readonly string[], most = 5): string =>
  `${names.slice(0, most).join(', ')}${names.length > most ? ` and ${names.length - most} more` : ''}`;

/** The plan that most of them have. */
const commonest = (shards: readonly FoundShard[]): readonly FoundShard[] =>
  [...Map.groupBy(shards, ({ shard }) => shard.plan.hash).values()].toSorted((a, b) => b.length - a.length)[0] ?? [];

const otherPlans = (shards: readonly FoundShard[], common: readonly FoundShard[]): readonly Problem[] =>
  shards.filter((each) => !common.includes(each)).map(({ name, shard }) => {
    const [first] = common as [FoundShard];
    const why = differencesOf(first.shard.plan, shard.plan);
    const because = why.length === 0 ? 'another division' : why.join('; ');
    return bad('shard-of-another-plan', `${name} is of plan ${shard.plan.hash.slice(0, 12)}, and ${first.name} of ${first.shard.plan.hash.slice(0, 12)}: ${because}`,
      'shards of one plan are of the same commit, with the same options and the same durations.json');
  });

const twice = (shards: readonly FoundShard[]): readonly Problem[] =>
  [...Map.groupBy(shards, ({ shard }) => shard.index)].filter(([, same]) => same.length > 1).map(([index, same]) =>
    bad('shard-twice', `shard ${index} of ${same[0]!.shard.plan.count} is there ${same.length} times: ${listed(same.map(({ name }) => name))}`,
      'a job that was tried again leaves two; name the one that counts'));

const missing = (shards: readonly FoundShard[]): readonly Problem[] => {
  const [first] = shards;
  if (!first) return [];
  const { count } = first.shard.plan;
  const there = new Set(shards.map(({ shard }) => shard.index));
  const lost = Array.from({ length: count }, (_, index) => index + 1).filter((index) => !there.has(index));
  if (lost.length === 0) return [];
  return [bad('shard-missing', `${lost.length === 1 ? 'shard' : 'shards'} ${listed(lost.map(String), 10)} of ${count} ${lost.length === 1 ? 'is' : 'are'} not there`,
    'a job that never began, left no artifact, or ran another plan; nothing can be said of its cells')];
};

/** Folders of bundles that it does not know of: somebody has put them there. */
const strangers = ({ folder, shard }: FoundShard): readonly string[] => {
  const known = new Set([...(shard.ended?.results ?? []).flatMap(({ bundle }) => bundle?.folder ?? []), ...(shard.ended?.controls ?? []).map((one) => one.folder)]);
  return readdirSync(folder, { withFileTypes: true }).filter((entry) => !entry.isFile() && !known.has(entry.name)).map(({ name }) => name).sort();
};

const unsealed = ({ shard }: FoundShard): readonly string[] =>
  [...(shard.ended?.results ?? []).flatMap(({ bundle }) => bundle ?? []), ...(shard.ended?.controls ?? [])].filter(({ seal }) => seal === null).map(({ folder }) => folder);

const inside = (found: FoundShard): readonly Problem[] => {
  const { name, shard: { plan, index, ended } } = found;
  const what = `shard ${index} of ${plan.count} (${name})`;
  const again = 'run that shard again';
  if (ended === null) return [bad('shard-not-over', `${what} has not come to its end: it was killed, or still runs`, again)];
  const own = new Set(plan.cells.filter(({ shard }) => shard === index).map(({ id }) => id));
  const ran = new Set(ended.results.map(({ id }) => id));
  const leftOut = new Set(ended.notRun.map(({ id }) => id));
  const lost = [...own].filter((id) => !ran.has(id) && !leftOut.has(id));
  const others = [...new Set([...ran, ...leftOut])].filter((id) => !own.has(id));
  const counts = Map.groupBy([...ended.results, ...ended.notRun], ({ id, attempt }) => `${id} (attempt ${attempt})`);
  const doubled = [...counts].filter(([, same]) => same.length > 1).map(([attempt]) => attempt);
  const foreign = strangers(found);
  const open = unsealed(found);
  return [
    ...(lost.length > 0 ? [bad('shard-incomplete', `${what} has no result of ${listed(lost)}`, again)] : []),
    ...(others.length > 0 ? [bad('shard-damaged', `${what} has results of cells that are not its own: ${listed(others)}`, again)] : []),
    ...(doubled.length > 0 ? [bad('shard-damaged', `${what} has two results of ${listed(doubled)}`, again)] : []),
    ...(open.length > 0 ? [bad('shard-unsealed', `${what} has bundles that were never sealed: ${listed(open)}`, again)] : []),
    ...(foreign.length > 0 ? [bad('shard-damaged', `${what} holds what it did not leave: ${listed(foreign)}`, 'take it again from where it was made')] : []),
  ];
};

/** @returns all that is wrong; nothing: they are one whole run */
export const checkShards = (shards: readonly FoundShard[]): readonly Problem[] => {
  const common = commonest(shards);
  return [...otherPlans(shards, common), ...twice(common), ...missing(common), ...shards.flatMap(inside)];
};
