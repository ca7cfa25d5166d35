// One fragment: what such a file may hold, and its text with the values of its variables put in.
import { z } from 'zod';
import { didYouMean } from '../model/nearest.ts';
import { editorViewOf, withEditorView } from './editor-view.ts';
import type { UsedProblem } from './codes.ts';
import { locateReference, REFERENCE } from './interpolate.ts';
import { findingsOf, PARSE_OPTIONS } from './issues.ts';
import type { Finding } from './issues.ts';
import { locateAll } from './locate.ts';
import { scenarioProblem } from './codes.ts';
import { isName, NAME_HINT, nameSchema, show } from './scalars.ts';
import type { Source } from './source.ts';
import { entryOf, toData, withOrigin } from './tree.ts';
import type { MapEntry, Origin, TreeNode } from './tree.ts';

/** What a fragment adds to a scenario: maps join, lists append. */
export const MAP_PARTS = ['upstreams', 'clients'] as const;
export const LIST_PARTS = ['faults', 'expect', 'tags'] as const;

const ABOUT_PARTS = `a fragment holds ${[...MAP_PARTS, ...LIST_PARTS].join(', ')}; the rest is the scenario's own`;
const SCENARIO_ONLY = ['name', 'source', 'system', 'tests', 'matrix', 'watch', 'catches', 'saw', 'concludes'];

const variableSchema = z.strictObject({
  about: z.string().min(1).max(200).describe('What it stands for'),
  default: z.unknown().optional().describe('Taken where the user of the fragment gives none'),
});

/** `{ path: variables }` or the bare path, as a scenario or a fragment uses others. */
export const useSchema = withEditorView(z.unknown(), () => ({
  type: 'array',
  items: {
    anyOf: [
      { type: 'string', pattern: '\\.yaml$' },
      { type: 'object', minProperties: 1, maxProperties: 1, additionalProperties: { type: ['object', 'null'] } },
    ],
  },
}));

/** Keys of a fragment; its parts are checked as parts of the scenario that uses it. */
export const fragmentSchema = z.strictObject({
  version: z.literal(1).describe('Version of the scenario language'),
  fragment: nameSchema.describe('Its name; a file with this key is no scenario of its own'),
  about: z.string().max(2_000).optional().describe('What it adds'),
  variables: withEditorView(z.record(z.string(), variableSchema), () => ({
    propertyNames: editorViewOf(nameSchema),
    additionalProperties: editorViewOf(variableSchema),
  }))
    .prefault({})
    .describe('What it must be told, used as ${name}; a value that is nothing else may be a map too'),
  use: useSchema.optional().describe('Fragments that this one uses'),
  ...Object.fromEntries(MAP_PARTS.map((part) => [part, z.record(z.string(), z.unknown()).optional()])),
  ...Object.fromEntries(LIST_PARTS.map((part) => [part, z.array(z.unknown()).optional()])),
});

const ofScenario = (finding: Finding): Finding =>
  finding.code === 'unknown-key' && finding.path.length === 1 && SCENARIO_ONLY.includes(String(finding.path[0]))
    ? { ...finding, hint: ABOUT_PARTS }
    : finding;

export type Variables = ReadonlyMap<string, { readonly about: string; readonly fallback: TreeNode | undefined }>;

/** What is wrong with a fragment whoever uses it, and the variables that it declares. @param root with its origin */
export const readFragment = (
  root: TreeNode,
  source: Source,
): { readonly problems: readonly UsedProblem[]; readonly variables: Variables } => {
  const result = fragmentSchema.safeParse(toData(root), PARSE_OPTIONS);
  const findings = result.success ? [] : result.error.issues.flatMap(findingsOf).map(ofScenario);
  const declared = entryOf(root, 'variables')?.value;
  const variables = (declared?.type === 'map' ? declared.entries : []).map(({ key, value }) => {
    const about = entryOf(value, 'about')?.value;
    return [key, { about: about?.type === 'scalar' ? String(about.value) : '', fallback: entryOf(value, 'default')?.value }] as const;
  });
  const names = variables.filter(([name]) => !isName(name)).map(([name]): Finding => ({
    code: 'bad-name', message: `${show(name)} is not a name`, hint: NAME_HINT, path: ['variables', name], at: 'key',
  }));
  return { problems: locateAll(source, root, [...findings, ...names]), variables: new Map(variables) };
};

/** Values by variable; null: it has none, which was told already. */
export type Values = ReadonlyMap<string, TreeNode | null>;

const NAMED = /^\s*([A-Za-z][\w-]*)\s*(:|$)/;

/** Only its own variables and what has a dot are known inside: what else a scenario has, a fragment is given. */
const resolve = (
  inner: string,
  values: Values,
): { readonly text: string } | { readonly message: string | null; readonly hint: string } | 'keep' => {
  const name = NAMED.exec(inner)?.[1];
  if (name === undefined) return 'keep';
  const value = values.get(name);
  if (value === undefined)
    return {
      message: `\`\${${name}}\` is no variable of this fragment`,
      hint: `${didYouMean(name, [...values.keys()], 'declared')}; declare it under \`variables\``,
    };
  if (inner.trim() !== name)
    return { message: `\`\${${inner}}\`: a default stands in \`variables\``, hint: `write \${${name}}` };
  if (value === null) return { message: null, hint: '' };
  if (value.type === 'scalar') return value.unresolved ? { message: null, hint: '' } : { text: String(value.value) };
  return {
    message: `\`${name}\` is a ${value.type}, which cannot be a part of a text`,
    hint: `let \${${name}} stand alone, or give it a plain value`,
  };
};

/** The fragment with its variables filled in. A value keeps the place where it was written. */
export const fillFragment = (root: TreeNode, values: Values): { readonly root: TreeNode; readonly problems: readonly UsedProblem[] } => {
  const problems: UsedProblem[] = [];
  const fill = (node: TreeNode & { type: 'scalar' }, text: string): TreeNode => {
    const alone = /^\$\{\s*([A-Za-z][\w-]*)\s*\}$/.exec(text)?.[1];
    const whole = alone === undefined ? undefined : values.get(alone);
    if (whole) return whole;
    let isBroken = false;
    const filled = text.replace(REFERENCE, (reference, inner: string, at: number) => {
      const resolved = resolve(inner, values);
      if (resolved === 'keep') return reference;
      if ('text' in resolved) return resolved.text;
      isBroken = true;
      const { source, usedBy } = node.origin!;
      if (resolved.message !== null) {
        const location = locateReference(source, node, reference, at);
        problems.push({ ...scenarioProblem('unknown-reference', resolved.message, location, resolved.hint), usedBy });
      }
      return reference;
    });
    return isBroken ? { ...node, unresolved: true } : { ...node, value: filled };
  };
  const walk = (node: TreeNode): TreeNode => {
    if (node.type === 'list') return { ...node, items: node.items.map(walk) };
    if (node.type === 'map') return { ...node, entries: node.entries.map((entry): MapEntry => ({ ...entry, value: walk(entry.value) })) };
    return typeof node.value === 'string' && node.value.includes('${') ? fill(node, node.value) : node;
  };
  const parts: readonly string[] = ['use', ...MAP_PARTS, ...LIST_PARTS];
  const body = root.type === 'map' ? { ...root, entries: root.entries.filter(({ key }) => parts.includes(key)) } : root;
  return { root: walk(body), problems };
};

/** What is wrong with a fragment that nobody needs to use: its keys, and references to what it does not declare. */
export const checkFragment = (source: Source, root: TreeNode): readonly UsedProblem[] => {
  const origin: Origin = { source, usedBy: '' };
  const { problems, variables } = readFragment(withOrigin(root, origin), source);
  const anything = new Map([...variables.keys()].map((name): [string, null] => [name, null]));
  return [...problems, ...fillFragment(withOrigin(root, origin), anything).problems];
};
