// `${axis}`, `${variable}` and `${variable:default}` in the scalars of a scenario. References with a
// dot (`${upstreams.model.url}`) are left for the systems layer and only checked for existence.
import { didYouMean } from '../model/nearest.ts';
import type { Location } from '../model/problem.ts';
import { scenarioProblem } from './codes.ts';
import type { UsedProblem } from './codes.ts';
import { locationAt } from './source.ts';
import type { Source } from './source.ts';
import type { ScalarValue, TreeNode } from './tree.ts';

export type Scope = {
  /** Axes of this cell and variables given, by name. */
  readonly values: ReadonlyMap<string, ScalarValue>;
  /** Axes that have no value, being wrong themselves. */
  readonly broken: ReadonlySet<string>;
  /** Dotted names that exist. */
  readonly references: readonly string[];
};

export type Interpolated = { readonly root: TreeNode; readonly problems: readonly UsedProblem[]; readonly used: ReadonlySet<string> };

/** `${anything}`; what is inside is judged by its place. */
export const REFERENCE = /\$\{([^{}]*)\}/g;
const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;
const DOTTED = /^[A-Za-z][\w-]*(\.[\w-]+)+$/;

/** A text as YAML would read it: numbers, true and false, else itself. What a number would not give back (1.10) may be a version. */
export const readScalar = (text: string): ScalarValue => {
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) && String(Number(text)) === text) return Number(text);
  return text;
};

type Told = { readonly message: string; readonly hint: string } | 'silent';
type Resolved = { readonly value: ScalarValue } | { readonly keep: true } | { readonly told: Told };

const resolveOne = (inner: string, scope: Scope, used: Set<string>): Resolved => {
  const colon = inner.indexOf(':');
  const name = (colon === -1 ? inner : inner.slice(0, colon)).trim();
  if (scope.broken.has(name)) {
    used.add(name);
    return { told: 'silent' };
  }
  const value = scope.values.get(name);
  if (NAME.test(name)) used.add(name);
  if (value !== undefined) return { value };
  if (colon !== -1 && NAME.test(name)) return { value: readScalar(inner.slice(colon + 1)) };
  if (DOTTED.test(inner)) {
    return scope.references.includes(inner)
      ? { keep: true }
      : { told: { message: `\`\${${inner}}\` is not defined`, hint: didYouMean(inner, scope.references, 'defined') } };
  }
  if (!NAME.test(name))
    return { told: { message: `\`\${${inner}}\` is no reference`, hint: 'write ${axis}, ${variable} or ${variable:default}' } };
  const known = [...scope.values.keys()];
  return {
    told: {
      message: `\`\${${name}}\` is neither an axis nor a variable`,
      hint: `${didYouMean(name, known, 'defined')}; give it with --var ${name}=..., or a default: \${${name}:...}`,
    },
  };
};

/** Where a reference stands. In a quoted or folded scalar an offset in the value is not one in the file: the text is looked up. */
export const locateReference = (own: Source, node: TreeNode, whole: string, at: number): Location => {
  const source = node.origin?.source ?? own;
  const raw = source.text.slice(node.start, node.end);
  const found = raw.indexOf(whole, Math.min(at, raw.length));
  return locationAt(source, node.start + Math.max(0, found === -1 ? raw.indexOf(whole) : found), whole.length);
};

/** Replaces the references of every scalar value; keys stay as they are. */
export const interpolate = (source: Source, root: TreeNode, scope: Scope): Interpolated => {
  const problems: UsedProblem[] = [];
  const used = new Set<string>();

  const fill = (node: TreeNode & { type: 'scalar' }, text: string): TreeNode => {
    const told = new Set<string>();
    let unresolved = false;
    let only: ScalarValue | undefined;
    const filled = text.replace(REFERENCE, (whole, inner: string, at: number) => {
      const resolved = resolveOne(inner, scope, used);
      if ('keep' in resolved) return whole;
      if ('value' in resolved) {
        if (whole.length === text.length) only = resolved.value;
        return String(resolved.value);
      }
      unresolved = true;
      if (resolved.told !== 'silent' && !told.has(whole)) {
        told.add(whole);
        const location = locateReference(source, node, whole, at);
        const found = scenarioProblem('unknown-reference', resolved.told.message, location, resolved.told.hint);
        problems.push(node.origin ? { ...found, usedBy: node.origin.usedBy } : found);
      }
      return whole;
    });
    if (unresolved) return { ...node, unresolved: true };
    return { ...node, value: only ?? filled };
  };

  const walk = (node: TreeNode): TreeNode => {
    if (node.type === 'list') return { ...node, items: node.items.map(walk) };
    if (node.type === 'map') return { ...node, entries: node.entries.map((entry) => ({ ...entry, value: walk(entry.value) })) };
    if (node.unresolved) return node;
    return typeof node.value === 'string' && node.value.includes('${') ? fill(node, node.value) : node;
  };

  return { root: walk(root), problems, used };
};
