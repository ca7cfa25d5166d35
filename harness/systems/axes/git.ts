// Revisions of a git repository: what its clone in the cache knows of names, commits and their order. Git itself is asked, so that its
// own settings (proxies, passwords, mirrors) count.
import { didYouMean } from '../../model/nearest.ts';
import { problem } from '../../model/problem.ts';
import { releasesOf, sortVersions } from './compare.ts';
import { git, HEAD, mirrorOf, repositoryOf } from './mirror.ts';
import { movingTags, toldOfMoving } from './moving-tags.ts';
import type { Tag } from './moving-tags.ts';
import { everything } from './source.ts';
import type { AxisContext, AxisInput, AxisSource } from './source.ts';

export { mirrorOf, repositoryOf } from './mirror.ts';

/** Long enough to be one commit's alone, short enough for an id. */
const SHOWN = 12;

const inMirror = (revision: string): string => revision.replace(/^HEAD(?![\w-])/, HEAD);

/**
 * The whole hash of a branch, tag or commit.
 * @throws ProblemError `unknown-revision` proposing the nearest name, and what `mirrorOf` throws
 */
export const commitOf = async (input: AxisInput, revision: string): Promise<string> => {
  const folder = await mirrorOf(input);
  const words = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${inMirror(revision)}^{commit}`];
  const found = (await git(folder, words, input.context).catch(() => '')).trim();
  if (found !== '') return found;
  const names = (await git(folder, ['for-each-ref', '--format=%(refname:short)', 'refs/heads', 'refs/tags'], input.context)).split('\n').filter(Boolean);
  // Of what it stands at, a clone's own HEAD says nothing.
  const why = inMirror(revision) === revision ? '' : ': what its HEAD names is not there';
  throw problem('environment', 'unknown-revision', `${repositoryOf(input.card, input.axis)} has no revision ${revision}${why}`, {
    hint: didYouMean(revision, names, 'there are'),
  });
};

const listed = (output: string): readonly string[] => output.split('\n').filter(Boolean);

/** With the commit that each stands for, which of an annotated one is the last word. Git's own order depends on the settings of whoever asks. */
const tagsLike = async (folder: string, pattern: string, context: AxisContext): Promise<readonly Tag[]> => {
  const format = '--format=%(refname:strip=2) %(objectname) %(*objectname)';
  const lines = listed(await git(folder, ['tag', '--list', '--sort=refname', format, '--', pattern], context));
  return lines.map((line) => line.trim().split(' ')).map((words) => ({ name: words[0]!, of: words.at(-1)! }));
};

/** Tags in the order of their versions, of which those that lead to a release may only be named; or the commits of the first parents, oldest first. */
export const gitValues: AxisSource = async (input) => {
  const { axis, name, context } = input;
  const folder = await mirrorOf(input);
  if (axis.tags !== null) {
    const tags = await tagsLike(folder, axis.tags, context);
    const all = sortVersions('git', tags.map((tag) => tag.name));
    const moving = movingTags('git', tags);
    const told = toldOfMoving(name, moving);
    if (told !== '') context.progress(told);
    return { all, offered: releasesOf('git', all.filter((tag) => !moving.has(tag))), moving };
  }
  const head = await commitOf(input, 'HEAD');
  return everything(listed(await git(folder, ['rev-list', '--first-parent', '--reverse', `--abbrev=${SHOWN}`, '--abbrev-commit', head], context)));
};

/** So much of a subject is shown. */
const SUBJECT = 72;

/** The first line of each commit's message. @param commits hashes, whole or as they are shown @returns in their order */
export const subjectsOfCommits = async (input: AxisInput, commits: readonly string[]): Promise<readonly string[]> => {
  if (commits.length === 0) return [];
  const folder = await mirrorOf(input);
  const lines = listed(await git(folder, ['log', '--no-walk=unsorted', '--format=%H %s', '--end-of-options', ...commits], input.context));
  const subjects = new Map(lines.map((line) => [line.slice(0, SHOWN), line.slice(line.indexOf(' ') + 1)]));
  return commits.map((commit) => {
    const subject = subjects.get(commit.slice(0, SHOWN)) ?? '';
    return subject.length > SUBJECT ? `${subject.slice(0, SUBJECT - 1)}…` : subject;
  });
};

type Clone = { readonly folder: string; readonly context: AxisContext };

/** The commits that lead to one by first parents, oldest first. @param from an earlier one, which is left out; @param words of `git rev-list` */
const lineTo = async ({ folder, context }: Clone, last: string, from: string | null = null, ...words: readonly string[]): Promise<readonly string[]> =>
  listed(await git(folder, ['rev-list', '--first-parent', '--reverse', ...words, from === null ? last : `${from}..${last}`], context));

/** A revision as it was written, and its commit. */
type End = { readonly text: string; readonly commit: string };

/** What to write where `from` is not on the line that leads to `to`: where both part, on the line of the one that is the newer. */
const otherRange = async (name: string, clone: Clone, from: End, to: End): Promise<string> => {
  const isAfter = await git(clone.folder, ['merge-base', '--is-ancestor', to.commit, from.commit], clone.context).then(() => true, () => false);
  const [side, trunk] = isAfter ? [to, from] : [from, to];
  const line = await lineTo(clone, trunk.commit);
  if (line.includes(side.commit)) return 'the older revision stands first';
  const left = line.length - 1 - (await lineTo(clone, trunk.commit, side.commit)).length;
  return left < 0 ? 'they have no commit in common' : `write ${name}=${line[left]!.slice(0, SHOWN)}..${trunk.text}: there both lines part`;
};

/**
 * The commits between two revisions, both included, oldest first; for an axis without `tags`.
 * @param from '' for the first one there is; @param to '' for what the repository stands at
 * @throws ProblemError `bad-range` where the first is not on the line of first parents that leads to the second, `unknown-revision`
 */
export const commitsBetween = async (input: AxisInput, from: string, to: string): Promise<readonly string[]> => {
  const { name, context } = input;
  const clone: Clone = { folder: await mirrorOf(input), context };
  const last = await commitOf(input, to === '' ? 'HEAD' : to);
  const short = [`--abbrev=${SHOWN}`, '--abbrev-commit'];
  if (from === '') return lineTo(clone, last, null, ...short);
  const first = await commitOf(input, from);
  if ((await lineTo(clone, last)).includes(first)) return [first.slice(0, SHOWN), ...(await lineTo(clone, last, first, ...short))];
  throw problem('scenario', 'bad-range', `${name}=${from}..${to}: ${from} is not on the line of first parents that leads to ${to || 'HEAD'}`, {
    hint: await otherRange(name, clone, { text: from, commit: first }, { text: to, commit: last }),
  });
};
