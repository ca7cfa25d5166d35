// The only door to the YAML parser: text in, our own tree with offsets out, or every problem that
// the text has. YAML is taken as plain data here; what makes it a language of its own is refused or bounded.
import { Lexer, isAlias, isMap, isScalar, isSeq, parseAllDocuments, stringify } from 'yaml';
import type { Document, Scalar, YAMLMap } from 'yaml';
import { messageOf } from '../model/problem.ts';
import type { Problem } from '../model/problem.ts';
import { createAnchors, followAlias } from './anchors.ts';
import type { Anchors } from './anchors.ts';
import { scenarioProblem } from './codes.ts';
import type { ScenarioCode } from './codes.ts';
import { decodeText, readText } from './read-file.ts';
import type { ReadResult } from './read-file.ts';
import { locationAt } from './source.ts';
import type { Source } from './source.ts';
import type { MapEntry, TreeNode } from './tree.ts';

const MAXIMUM_DEPTH = 40;
const MAXIMUM_TOKENS = 100_000;
const TAG_HINT = 'leave the tag out; quote a value that must stay text';
/** More of one kind from one file help nobody. */
const MAXIMUM_PROBLEMS = 20;

/** `root` is null where the text is no YAML map. */
export type LoadedTree = { readonly source: Source; readonly root: TreeNode | null; readonly problems: readonly Problem[] };

type Report = (code: ScenarioCode, start: number, length: number, message: string, hint?: string) => void;

const tellTooDeep = (report: Report, at: number): void =>
  report('too-deep', at, 1, `nested more than ${MAXIMUM_DEPTH} levels deep`, 'no scenario or card needs that');

const quoted = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}...` : text);

/** Tokens of the lexer that stand for nothing in the text. */
const VIRTUAL = new Set(['\u0002', '\u0018', '\u001f']);

/** Cheap and without recursion: what could make the parser slow or deep is refused before it runs. */
const isHarmless = (text: string, report: Report): boolean => {
  let tokens = 0;
  let offset = 0;
  let brackets = 0;
  let indicators = 0;
  for (const token of new Lexer().lex(text)) {
    tokens += 1;
    if (token === '[' || token === '{') brackets += 1;
    else if (token === ']' || token === '}') brackets -= 1;
    else if (token === '-' || token === '?' || token === ':') indicators += 1;
    else if (token.endsWith('\n')) indicators = 0;
    if (tokens > MAXIMUM_TOKENS) {
      report(
        'file-too-complex',
        0,
        1,
        `the file has more than ${MAXIMUM_TOKENS} YAML tokens`,
        'a scenario or card is a page of text; is this the right file?',
      );
      return false;
    }
    // Inside brackets indicators do not nest: `{ a: 1, b: 2 }`.
    if (brackets > MAXIMUM_DEPTH || (brackets <= 0 && indicators > MAXIMUM_DEPTH)) {
      tellTooDeep(report, offset);
      return false;
    }
    if (!VIRTUAL.has(token)) offset += token.length;
  }
  return true;
};

const convertKey = (
  key: unknown,
  report: Report,
  at: number,
): { readonly text: string; readonly start: number; readonly end: number } | null => {
  if (isScalar(key) && key.range && key.value !== null && typeof key.value !== 'object') {
    const [start, end] = key.range;
    // `200: x` and `true: x` are keys by their text, as written.
    const text = typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
    if (text !== '__proto__') return { text, start, end };
    report('key-not-text', start, end - start, 'the key `__proto__` is refused');
    return null;
  }
  const start = (key as { range?: [number, number, number] } | null)?.range?.[0] ?? at;
  report('key-not-text', start, 1, 'a key must be plain text', 'write `key: value`');
  return null;
};

const unusable = (start: number, end: number): TreeNode => ({ type: 'scalar', value: null, start, end, unresolved: true });

type Conversion = { readonly text: string; readonly report: Report; readonly anchors: Anchors };

const convertMap = (node: YAMLMap, span: readonly [number, number], depth: number, conversion: Conversion): TreeNode => {
  const [start, end] = span;
  const { report } = conversion;
  const entries = new Map<string, MapEntry>();
  for (const pair of node.items) {
    const key = convertKey(pair.key, report, start);
    if (key === null) continue;
    const keySpan = { start: key.start, end: key.end };
    const value = convert(pair.value, key.end, depth + 1, conversion);
    if (entries.has(key.text)) {
      report('duplicate-key', key.start, key.end - key.start, `the key \`${quoted(key.text)}\` is here twice`, 'keep one of them');
    } else entries.set(key.text, { key: key.text, keySpan, value });
  }
  return { type: 'map', start, end, entries: [...entries.values()] };
};

const convertScalar = (node: Scalar, start: number, end: number, report: Report): TreeNode => {
  const { value } = node;
  const plain =
    value === null || typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
  if (plain) return { type: 'scalar', value, start, end };
  report('bad-value', start, end - start, `\`${quoted(node.source ?? String(value))}\` is no value here`, 'quote it if it is text');
  return unusable(start, end);
};

/** A node begins after its tag: the tag is looked for before it. */
const tellTag = (tag: string, text: string, start: number, report: Report): void => {
  const written = /![^\s]*(?=\s*(&\S+\s*)?$)/.exec(text.slice(Math.max(0, start - 100), start))?.[0];
  const at = written === undefined ? start : text.lastIndexOf(written, start - written.length);
  report('yaml-tag', at, written?.length ?? 1, `the tag \`${quoted(written ?? tag)}\` is refused`, TAG_HINT);
};

/** Parser nodes to our tree, in the order of the text. @param at where a node without a place of its own belongs */
const convert = (node: unknown, at: number, depth: number, conversion: Conversion): TreeNode => {
  const { report, anchors, text } = conversion;
  const [start, end] = (node as { range?: [number, number, number] } | null)?.range ?? [at, at];
  if (isAlias(node)) {
    const followed = followAlias(anchors, node.source);
    if ('node' in followed) return followed.node;
    if (followed.message !== null) report('yaml-alias', start, end - start, followed.message, followed.hint);
    return unusable(start, end);
  }
  if (!isMap(node) && !isSeq(node) && !isScalar(node)) return { type: 'scalar', value: null, start, end };
  if (node.tag !== undefined) tellTag(node.tag, text, start, report);
  if (depth > MAXIMUM_DEPTH) {
    tellTooDeep(report, start);
    return unusable(start, end);
  }
  const tree: TreeNode = isScalar(node)
    ? convertScalar(node, start, end, report)
    : isMap(node)
      ? convertMap(node, [start, end], depth, conversion)
      : { type: 'list', start, end, items: node.items.map((item) => convert(item, start, depth + 1, conversion)) };
  // Only now: an alias inside its own anchor would never end.
  if (node.anchor !== undefined) anchors.nodes.set(node.anchor, tree);
  return tree;
};

const TAB_INDENT = /^ *\t+ *(?=\S)/gm;

const syntaxHint = (code: string, text: string, at: number): string => {
  if (text[at] === '{' && text[at - 1] === '$') return 'inside { } and [ ] quote a reference: "${name}"';
  if (code === 'BLOCK_AS_IMPLICIT_KEY') return 'quote a text that holds `: `';
  return 'look at the indentation, and for a missing quote or bracket';
};

/** The parser's own complaints. Tabs explain the others, so where there are tabs only these are told. */
const reportSyntax = (document: Document.Parsed, text: string, report: Report): void => {
  if (document.errors.length === 0) return;
  if (document.errors.some((error) => error.code === 'TAB_AS_INDENT')) {
    for (const match of text.matchAll(TAB_INDENT)) {
      const tab = match.index + match[0].indexOf('\t');
      report('tab-indentation', tab, 1, 'a tab is used as indentation', 'indent with spaces');
    }
    return;
  }
  // What follows the first complaint is mostly its consequence.
  const [
    {
      code,
      message,
      pos: [start, end],
    },
  ] = document.errors as [(typeof document.errors)[number]];
  if (code === 'RESOURCE_EXHAUSTION') tellTooDeep(report, start);
  else if (code === 'TAG_RESOLVE_FAILED') report('yaml-tag', start, end - start, message, TAG_HINT);
  else report('yaml-syntax', start, Math.min(end - start, 40), `not valid YAML: ${message}`, syntaxHint(code, text, start));
};

const parse = (source: Source, report: Report): TreeNode | null => {
  const { text } = source;
  if (!isHarmless(text, report)) return null;
  // Duplicate keys are found above in linear time; the parser's own check is quadratic.
  const documents = parseAllDocuments(text, { uniqueKeys: false, prettyErrors: false, logLevel: 'silent', stringKeys: false });
  const [document, second] = Array.isArray(documents) ? documents : [];
  if (document === undefined || (document.errors.length === 0 && document.contents === null)) {
    report('empty-file', 0, 1, 'the file holds nothing', 'a scenario begins with `version: 1` and `name:`');
    return null;
  }
  if (document.directives?.yaml.explicit || /^%/m.test(text.slice(0, document.range[0]))) {
    report('yaml-directive', text.search(/^%/m), 1, 'YAML directives are refused', 'leave the line that begins with % out');
    return null;
  }
  reportSyntax(document, text, report);
  if (second !== undefined)
    report('multiple-documents', second.range[0], 3, 'a file holds one document', 'put each scenario into a file of its own');
  if (document.errors.length > 0) return null;
  const root = convert(document.contents, 0, 0, { text, report, anchors: createAnchors() });
  if (root.type === 'map') return root;
  report(
    'root-not-map',
    root.start,
    1,
    `the file is a ${root.type === 'list' ? 'list' : 'single value'}, not a map`,
    'a scenario begins with `version: 1` and `name:`',
  );
  return null;
};

const treeOf = ({ source, problems }: ReadResult): LoadedTree => {
  if (problems.length > 0) return { source, root: null, problems };
  const found: Problem[] = [];
  const counts = new Map<ScenarioCode, number>();
  const report: Report = (code, start, length, message, hint) => {
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    if (count <= MAXIMUM_PROBLEMS) found.push(scenarioProblem(code, message, locationAt(source, start, length), hint));
  };
  try {
    return { source, root: parse(source, report), problems: found };
  } catch (error) {
    // The parser is not ours: whatever it throws is about this text.
    report('yaml-syntax', 0, 1, `not valid YAML: ${messageOf(error)}`);
    return { source, root: null, problems: found };
  }
};

/** Reads and parses one file. Never throws for what is in the file. @param file its name in messages */
export const loadTree = async (path: string, file = path): Promise<LoadedTree> => treeOf(await readText(path, file));

/** The same for bytes or text in memory. */
export const parseTree = (file: string, content: string | Buffer): LoadedTree =>
  treeOf(decodeText(file, typeof content === 'string' ? Buffer.from(content) : content));

/** Plain data as a YAML text. */
export const renderYaml = (data: unknown): string => stringify(data, { lineWidth: 120, aliasDuplicateObjects: false });
