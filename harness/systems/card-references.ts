// Which `${references}` each part of a card may hold, and the names by which its parts refer to each
// other. Found on the text, so that a card is refused before anything is started.
import { didYouMean } from '../model/nearest.ts';
import type { Problem } from '../model/problem.ts';
import { scenarioProblem } from '../scenario/codes.ts';
import { locateReference, REFERENCE } from '../scenario/interpolate.ts';
import type { Finding } from '../scenario/issues.ts';
import { asList, asMap, asText } from '../scenario/raw-items.ts';
import type { Data } from '../scenario/raw-items.ts';
import type { Source } from '../scenario/source.ts';
import { entryOf } from '../scenario/tree.ts';
import type { TreeNode } from '../scenario/tree.ts';
import { nameFindings } from './card-names.ts';

/** Known wherever the stage is: `dir` its folder, `card` the card's, `install` that of the installed packages, `instance` its number. */
const STAGE = ['dir', 'card', 'port', 'install', 'instance', 'system.address', 'upstreams.model.url', 'upstreams.model.address'] as const;
const ACCOUNT = ['account.id', 'account.key', 'account.keyHash', 'account.balance', 'account.payer'] as const;
const ROW = ['row.id', 'row.account', 'row.amount', 'row.leaseAtMs', 'row.startedAtMs'] as const;
const AGGREGATE = ['aggregate.account', 'aggregate.amount', 'aggregate.reservedAtMs'] as const;
/** Names that a scenario or the command line defines: only their form can be known here. */
const OPEN = /^(upstreams\.[a-z][a-z0-9-]*\.(url|address)|secret\.[A-Za-z_][\w-]*)$/;

const capturedBy = (steps: unknown): readonly string[] =>
  asList(steps).flatMap((step) => Object.keys(asMap(asMap(asMap(step).request).capture)));

/** Part of the card (`ledger.insert.row`, or all of `ledger`) to the names that it may use beside the stage's; null: none at all. */
const allowedIn = (data: Data): Readonly<Record<string, readonly string[] | null>> => {
  const setUp = capturedBy(data.setup);
  const creating = capturedBy(asMap(data.accounts).create);
  return {
    version: null,
    system: null,
    about: null,
    versions: null,
    axes: null,
    policy: null,
    known: null,
    settings: null,
    periods: null,
    bounds: null,
    price: null,
    setup: setUp,
    secrets: [...ACCOUNT, ...setUp, ...creating],
    accounts: [...ACCOUNT, ...setUp, ...creating],
    requests: [...ACCOUNT, 'marker', ...setUp, ...creating],
    refund: [...ACCOUNT, ...setUp, ...creating],
    'run.dump.command': ['pid', 'dump'],
    'ledger.insert.row': ROW,
    'ledger.insert.aggregate': AGGREGATE,
  };
};

const checkTexts = (source: Source, root: TreeNode, data: Data): readonly Problem[] => {
  const allowed = allowedIn(data);
  const version = [...(asMap(data.versions).use === undefined ? [] : ['version']), ...Object.keys(asMap(data.axes)).map((name) => `axis.${name}`)];
  const stage = [...STAGE, ...(asMap(data.versions).from === 'git' ? ['source'] : [])];
  const walk = (node: TreeNode, path: readonly string[]): readonly Problem[] => {
    if (node.type === 'list') return node.items.flatMap((item) => walk(item, path));
    if (node.type === 'map') return node.entries.flatMap(({ key, value }) => walk(value, [...path, key]));
    if (typeof node.value !== 'string') return [];
    const place = allowed[path.slice(0, 3).join('.')] ?? allowed[path[0] ?? ''];
    const known = path[0] === 'install' ? version : place === null ? [] : [...stage, ...version, ...(place ?? [])];
    return [...node.value.matchAll(REFERENCE)].flatMap(([whole, name]) => {
      if (known.includes(name!) || (known.length > version.length && OPEN.test(name!))) return [];
      const hint =
        name === 'version'
          ? 'give the version: versions: { from: npm, package: ..., use: 1.2.3 }'
          : didYouMean(name!, known, 'defined here');
      return [scenarioProblem('unknown-reference', `\`${whole}\` is not defined here`, locateReference(source, node, whole, 0), hint)];
    });
  };
  return walk(root, []);
};

const stepFindings = (steps: unknown, path: readonly string[], processes: readonly string[], hasLedger: boolean): readonly Finding[] =>
  asList(steps).flatMap((step, index): readonly Finding[] => {
    const { sql, restart } = asMap(step);
    const name = asText(restart);
    if (sql !== undefined && !hasLedger) {
      return [
        {
          code: 'missing-key',
          message: 'a statement needs a ledger',
          hint: 'add `ledger: { sqlite: ... }` to the card',
          path: [...path, index, 'sql'],
          at: 'key',
        },
      ];
    }
    if (name === undefined || processes.includes(name)) return [];
    return [
      {
        code: 'unknown-name',
        message: `no process is called \`${name}\``,
        hint: didYouMean(name, processes, 'defined'),
        path: [...path, index, 'restart'],
        at: 'value',
      },
    ];
  });

/** A secret that nothing has would hide nothing, and nobody would know. */
const secretFindings = (data: Data): readonly Finding[] => {
  const kinds = asList(data.run).flatMap((entry) => [asMap(entry).process, asMap(entry).docker]);
  const variables = kinds.flatMap((kind) => Object.keys(asMap(asMap(kind).env)));
  const known = [...new Set([...variables, ...capturedBy(data.setup), ...capturedBy(asMap(data.accounts).create)])];
  return asList(data.secrets).flatMap((entry, index): readonly Finding[] => {
    const name = asText(entry);
    if (name === undefined || name.includes('${') || known.includes(name)) return [];
    return [
      {
        code: 'unknown-name',
        message: `no environment of the card has \`${name}\`, and nothing is captured under that name`,
        hint: didYouMean(name, known, 'defined'),
        path: ['secrets', index],
        at: 'value',
      },
    ];
  });
};

/** Names by which one part of the card refers to another. */
export const cardFindings = (data: Data): readonly Finding[] => {
  const processes = asList(data.run)
    .map((entry) => asText(asMap(entry).name))
    .filter((name) => name !== undefined);
  const findings: Finding[] = [];
  const on = asText(asMap(data.listen).on);
  if (on !== undefined && !processes.includes(on)) {
    findings.push({
      code: 'unknown-name',
      message: `no process is called \`${on}\``,
      hint: didYouMean(on, processes, 'defined'),
      path: ['listen', 'on'],
      at: 'value',
    });
  }
  for (const [index, name] of processes.entries()) {
    if (processes.indexOf(name) === index) continue;
    findings.push({
      code: 'bad-value',
      message: `two processes are called \`${name}\``,
      hint: 'give each its own name',
      path: ['run', index, 'name'],
      at: 'value',
    });
  }
  for (const [name, request] of Object.entries(asMap(data.requests))) {
    const { marker, body } = asMap(request);
    if (!asText(marker)?.startsWith('body.') || (typeof body === 'object' && body !== null && !Array.isArray(body))) continue;
    findings.push({
      code: 'bad-value',
      message: 'the marker goes into the body, which is no map',
      hint: 'give the request a body, or put the marker into header.x-... or query....',
      path: ['requests', name, 'marker'],
      at: 'value',
    });
  }
  // The card `none` alone is of no system at all.
  if (Array.isArray(data.run) && data.run.length === 0 && data.system !== 'none') {
    findings.push({ code: 'bad-value', message: 'too few entries: at least 1', hint: 'say how the system is started', path: ['run'], at: 'value' });
  }
  const hasLedger = data.ledger !== undefined;
  return [
    ...findings,
    ...nameFindings(data),
    ...secretFindings(data),
    ...stepFindings(data.setup, ['setup'], processes, hasLedger),
    ...stepFindings(asMap(data.accounts).create, ['accounts', 'create'], processes, hasLedger),
  ];
};

/** Every reference of the card's texts that its place does not know. */
export const checkCardTexts = (source: Source, root: TreeNode, data: unknown): readonly Problem[] =>
  entryOf(root, 'system') === undefined ? [] : checkTexts(source, root, asMap(data));
