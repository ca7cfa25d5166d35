// The only door to the YAML parser: text in, our own tree with offsets out, or every problem that
// the text has. YAML is taken as plain data here; what makes it a language of its own is refused.
import { Lexer, isAlias, isMap, isScalar, isSeq, parseAllDocuments } from 'yaml';
import type { Document } from 'yaml';
import { messageOf } from '../model/problem.ts';
import type { Problem } from '../model/problem.ts';
import { scenarioProblem } from './codes.ts';
import type { ScenarioCode } from './codes.ts';
import { decodeText, readText } from './read-file.ts';
import type { ReadResult } from './read-file.ts';
import { locationAt } from './source.ts';
import type { Source } from './source.ts';
import type { MapEntry, TreeNode } from './tree.ts';

const MAXIMUM_DEPTH = 40;
const MAXIMUM_TOKENS = 100_000;
/** More of one kind from one file help nobody. */
const MAXIMUM_PROBLEMS = 20;

/** `root` is null where the text is no YAML map. */
export type LoadedTree = { readonly source: Source; readonly root: TreeNode | null; readonly problems: readonly Problem[] };

type Report = (code: ScenarioCode, start: number, length: number, message: string, hint?: string) => void;

const quoted = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}...` : text);

/** Cheap and without recursion: what could make the parser slow or deep is refused before it runs. */
const isTooComplex = (text: string): boolean => {
  let tokens = 0;
  for (const token of new Lexer().lex(text)) if (token !== ' ' && (tokens += 1) > MAXIMUM_TOKENS) return true;
  return false;
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

/** Parser nodes to our tree. Refuses what is not plain data: aliases, tags, keys that are not text. */
const convert = (node: unknown, report: Report, at: number, depth: number): TreeNode => {
  const [start, end] = (node as { range?: [number, number, number] } | null)?.range ?? [at, at];
  const empty: TreeNode = { type: 'scalar', value: null, start, end };
  if (isAlias(node)) {
    report(
      'yaml-alias',
      start,
      end - start,
      `alias \`*${quoted(node.source)}\` is refused`,
      'write the value out; a matrix repeats a scenario',
    );
    return { ...empty, unresolved: true } as TreeNode;
  }
  if (isMap(node) || isSeq(node) || isScalar(node)) {
    if (node.anchor !== undefined)
      report('yaml-alias', start, 1, `anchor \`&${quoted(node.anchor)}\` is refused`, 'write the value out; a matrix repeats a scenario');
    if (node.tag !== undefined)
      report('yaml-tag', start, 1, `tag \`${quoted(node.tag)}\` is refused`, 'leave the tag out; quote a value that must stay text');
  }
  if ((isMap(node) || isSeq(node)) && depth > MAXIMUM_DEPTH) {
    report('too-deep', start, 1, `nested more than ${MAXIMUM_DEPTH} levels deep`, 'no scenario or card needs that');
    return { ...empty, unresolved: true } as TreeNode;
  }
  if (isSeq(node)) return { type: 'list', start, end, items: node.items.map((item) => convert(item, report, start, depth + 1)) };
  if (isMap(node)) {
    const entries = new Map<string, MapEntry>();
    for (const pair of node.items) {
      const key = convertKey(pair.key, report, start);
      if (key === null) continue;
      const keySpan = { start: key.start, end: key.end };
      if (entries.has(key.text))
        report('duplicate-key', key.start, key.end - key.start, `the key \`${quoted(key.text)}\` is here twice`, 'keep one of them');
      else entries.set(key.text, { key: key.text, keySpan, value: convert(pair.value, report, key.end, depth + 1) });
    }
    return { type: 'map', start, end, entries: [...entries.values()] };
  }
  if (!isScalar(node)) return empty;
  const { value } = node;
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
    return { ...empty, value } as TreeNode;
  report('bad-value', start, end - start, `\`${quoted(node.source ?? String(value))}\` is no value here`, 'quote it if it is text');
  return { ...empty, unresolved: true } as TreeNode;
};

const TAB_INDENT = /^ *\t+ *(?=\S)/gm;

const syntaxHint = (text: string, at: number): string =>
  text[at] === '{' && text[at - 1] === '$'
    ? 'inside { } and [ ] quote a reference: "${name}"'
    : 'often the indentation, a missing quote or bracket, or a `: ` inside plain text';

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
  if (code === 'RESOURCE_EXHAUSTION')
    report('too-deep', start, 1, `nested more than ${MAXIMUM_DEPTH} levels deep`, 'no scenario or card needs that');
  else if (code === 'TAG_RESOLVE_FAILED')
    report('yaml-tag', start, end - start, message, 'leave the tag out; quote a value that must stay text');
  else report('yaml-syntax', start, Math.min(end - start, 40), `not valid YAML: ${message}`, syntaxHint(text, start));
};

const parse = (source: Source, report: Report): TreeNode | null => {
  const { text } = source;
  if (isTooComplex(text)) {
    report(
      'file-too-complex',
      0,
      1,
      `the file has more than ${MAXIMUM_TOKENS} YAML tokens`,
      'a scenario or card is a page of text; is this the right file?',
    );
    return null;
  }
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
  const root = convert(document.contents, report, 0, 0);
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
