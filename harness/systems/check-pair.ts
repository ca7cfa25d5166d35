// Whether a scenario and its card fit: settings that the card does not offer, requests that it does not
// have, upstreams that it wants and the scenario does not define. Else a setting that is misspelt would
// silently do nothing.
import { didYouMean } from '../model/nearest.ts';
import type { Problem } from '../model/problem.ts';
import { sortProblems } from '../scenario/build.ts';
import type { Finding } from '../scenario/issues.ts';
import { loadTree } from '../scenario/load.ts';
import { locateAll } from '../scenario/locate.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { ownAxesOf, textsOf, VERSION } from './axes/card-at.ts';
import type { Card } from './card.ts';
import { hasNoSystem } from './no-system.ts';
import { rangeFindings } from './range-findings.ts';
import { whyNoRequest } from './requests.ts';

const unknown = (message: string, hint: string, path: Finding['path'], at: Finding['at']): Finding => ({
  code: 'unknown-name',
  message,
  hint,
  path,
  at,
});

const upstreamsOf = (card: Card): readonly string[] => [
  ...new Set([...textsOf(card).matchAll(/\$\{upstreams\.([a-z0-9-]+)\.(?:url|address)\}/g)].map(([, name]) => name!)),
];

/** Where it wants its system that the card has no axis, or no value, for. */
const axisFindings = ({ system: { coordinates = {} } }: Scenario, card: Card): readonly Finding[] => {
  const own = ownAxesOf(card);
  return Object.entries(coordinates).flatMap(([axis, value]): readonly Finding[] => {
    const path = axis === VERSION ? ['system', axis] : ['system', 'axes', axis];
    if (!Object.hasOwn(own, axis)) {
      const hint = axis === VERSION ? 'its card says where versions come from: `versions: { from: npm, package: ... }`' : didYouMean(axis, Object.keys(card.axes), 'it has');
      return [unknown(`the card \`${card.system}\` has no axis \`${axis}\``, hint, path, 'key')];
    }
    const { from, list } = own[axis]!;
    return from !== 'list' || list.includes(value)
      ? []
      : [unknown(`the axis \`${axis}\` of the card \`${card.system}\` has no \`${value}\``, didYouMean(value, list, 'it has'), path, 'value')];
  });
};

/** What does not fit, by path in the scenario. */
const pairFindings = (scenario: Scenario, card: Card): readonly Finding[] => [
  ...offeredFindings(scenario, card), ...aloneFindings(scenario, card), ...rangeFindings(scenario, card),
];

/** Without a system there must be nobody, or one, whom clients can mean. */
const aloneFindings = (scenario: Scenario, card: Card): readonly Finding[] => {
  const upstreams = Object.keys(scenario.upstreams);
  if (!hasNoSystem(card)) return [];
  const second = upstreams[1];
  if (second !== undefined)
    return [unknown('without a system clients talk to the only upstream', 'leave the others out, or name a card under `system`', ['upstreams', second], 'key')];
  if (upstreams.length === 1) return [];
  return Object.entries(scenario.clients).flatMap(([client, { script }]) =>
    script.flatMap(({ kind }, index) =>
      ALONE.includes(kind)
        ? []
        : [unknown(`there is neither a system nor an upstream, so nobody whom \`${kind}\` could mean`, 'define an upstream, or name a card under `system`', ['clients', client, 'script', index], 'value')],
    ),
  );
};

/** What a client can do that has nobody to talk to. */
const ALONE: readonly string[] = ['wait', 'barrier', 'await'];

const offeredFindings = (scenario: Scenario, card: Card): readonly Finding[] => {
  const settings = Object.keys(card.settings);
  const requests = Object.keys(card.requests);
  return [
    ...axisFindings(scenario, card),
    ...Object.keys(scenario.system.settings)
      .filter((name) => !settings.includes(name))
      .map((name) =>
        unknown(
          `the card \`${card.system}\` has no setting \`${name}\``,
          didYouMean(name, settings, 'offered'),
          ['system', 'settings', name],
          'key',
        ),
      ),
    ...Object.entries(scenario.clients).flatMap(([client, { script }]) =>
      script.flatMap((step, index) => {
        const name = step.kind === 'request' ? String(step.options.name) : null;
        return name === null || requests.includes(name)
          ? []
          : [
              unknown(
                `the card \`${card.system}\` has no request \`${name}\``,
                didYouMean(name, requests, 'it has'),
                ['clients', client, 'script', index, 'request', 'name'],
                'value',
              ),
            ];
      }),
    ),
    ...upstreamsOf(card)
      .filter((name) => !(name in scenario.upstreams))
      .map((name) =>
        unknown(`the card \`${card.system}\` wants an upstream called \`${name}\``, 'define it under `upstreams`', ['upstreams'], 'key'),
      ),
  ];
};

/** A setting, or a place on an axis, is meant for the scenario's own card: to another one that does not offer it the scenario does not apply, unless it can be without. */
const isAboutSettings = ({ path }: Finding): boolean => path[0] === 'system' && ['settings', VERSION, 'axes'].includes(String(path[1]));

/** A scenario does not apply to a card that lacks its request, where others do; a card that fits none of them is a mistake. */
const isAboutRequests = ({ path }: Finding): boolean => path.at(-2) === 'request';

/**
 * @param cardOf a scenario's own card; null where it cannot be had, which is told elsewhere
 * @param isOther it is a card that was asked for instead of the scenario's own
 * @returns every problem, located in the scenarios' files
 */
export const checkPairs = async (
  scenarios: readonly Scenario[],
  cardOf: (scenario: Scenario) => Card | null,
  isOther = false,
): Promise<readonly Problem[]> => {
  const problems: Problem[] = [];
  const someApply = scenarios.some((scenario) => {
    const card = cardOf(scenario);
    return card !== null && whyNoRequest(card, scenario) === null;
  });
  const isExcused = (finding: Finding): boolean => isOther && (isAboutSettings(finding) || (someApply && isAboutRequests(finding)));
  for (const [file, cells] of Map.groupBy(scenarios, (scenario) => scenario.file)) {
    const findings = cells.flatMap((scenario) => {
      const card = cardOf(scenario);
      return card === null ? [] : pairFindings(scenario, card).filter((finding) => !isExcused(finding));
    });
    if (findings.length === 0) continue;
    const { source, root } = await loadTree(file);
    if (root !== null) problems.push(...sortProblems(locateAll(source, root, findings)));
  }
  return problems;
};
