// From a bundle to the cell that was run: its own scenario and card, variables, place in the matrix, planted defects.
import type { Bundle } from '../bundle/read.ts';
import { holdsMask } from '../bundle/redact.ts';
import { onlyAxes, withCoordinates } from '../model/coordinates.ts';
import type { Coordinates } from '../model/coordinates.ts';
import { problem } from '../model/problem.ts';
import type { Asked } from '../plan/asked.ts';
import { axisNames, loadedAt } from '../plan/axes.ts';
import { cardFileDifferences, readCardFiles } from '../plan/card-files.ts';
import { selectCells } from '../plan/select.ts';
import { given } from '../reports/rerun.ts';
import type { Selected } from '../runtimes/select.ts';
import { REFERENCE } from '../scenario/interpolate.ts';
import { parseScenarios } from '../scenario/load-scenarios.ts';
import { registries } from '../scenario/registries.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { cardFor } from '../systems/axes/card-at.ts';
import type { Card } from '../systems/card.ts';
import type { Cell } from '../systems/cell.ts';
import { cardOfThen } from './rerun-card.ts';

export type RerunCell = {
  readonly cell: Cell;
  readonly asked: Asked;
  /** One line for each thing that is not as it was. */
  readonly notes: readonly string[];
};

/** Bundles of a time before they were kept have them in their command line, if at all. */
const variablesThen = ({ manifest, resolved }: Bundle): Readonly<Record<string, string>> =>
  resolved.run.variables ??
  Object.fromEntries(
    given(manifest.argv, '--var')
      .filter((pair) => pair.includes('='))
      .map((pair) => {
        const at = pair.indexOf('=');
        return [pair.slice(0, at), pair.slice(at + 1)];
      }),
  );

/** Of the variables that the scenario uses, those whose value is not in the evidence: it was hidden there. */
export const hiddenVariables = (bundle: Bundle): readonly string[] => {
  const used = new Set([...bundle.scenarioText.matchAll(REFERENCE)].map(([, inner = '']) => inner.split(':')[0]!.trim()));
  return Object.entries(variablesThen(bundle)).flatMap(([name, value]) => (used.has(name) && holdsMask(value) ? [name] : []));
};

const impossible = (message: string, hint: string): Error => problem('scenario', 'not-rerunnable', message, { hint });

type Then = { readonly scenario: Scenario; /** Beside what the scenario itself names. */ readonly asked: Coordinates };

/** What was asked for beside what the scenario names itself, where that makes the id of then; null: it is another scenario. */
const askedThen = ({ id, system }: Scenario, all: Coordinates, then: string): Coordinates | null => {
  const others = onlyAxes(all, (axis) => system.coordinates?.[axis] !== all[axis]);
  return [others, all].find((asked) => withCoordinates(id, asked) === then) ?? null;
};

/** On another card what it has no axis for is not repeated; and the runtime is the one that was chosen now. */
const placeNow = (card: Card, asked: Coordinates, runtime: string): { readonly coordinates: Coordinates; readonly notes: readonly string[] } => {
  const names = axisNames(card);
  const missing = Object.keys(asked).filter((axis) => !names.includes(axis));
  return {
    coordinates: Object.fromEntries(
      Object.entries(asked).flatMap(([axis, value]) => (missing.includes(axis) ? [] : [[axis, axis === 'runtime' ? runtime : value]])),
    ),
    notes: missing.map((axis) => `the card of ${card.system} has no axis ${axis}: ${axis}=${asked[axis]} is not repeated`),
  };
};

/** @throws ProblemError `not-rerunnable`, and what is wrong with the stored scenario */
const scenarioOfThen = ({ manifest, resolved, scenarioText }: Bundle, variables: Readonly<Record<string, string>>): Then => {
  if (manifest.isControl)
    throw impossible('this is the evidence of a control, which is never run alone', 'name the bundle of a scenario that has used it');
  const id = manifest.scenario.replace(/\[.*$/, '');
  const scenarios = parseScenarios(resolved.run.file ?? 'scenario.yaml', scenarioText, id, { registries, variables });
  for (const scenario of scenarios) {
    const asked = askedThen(scenario, resolved.run.coordinates ?? {}, manifest.scenario);
    if (asked !== null) return { scenario, asked };
  }
  throw impossible(`the stored scenario makes no ${manifest.scenario}`, `it makes ${scenarios.map((each) => each.id).join(', ')}`);
};

export type RerunInput = {
  readonly bundle: Bundle;
  readonly chosen: Selected;
  readonly secrets: Readonly<Record<string, string>>;
  /** Given anew, since they were hidden. */
  readonly variables?: Readonly<Record<string, string>>;
  /** A card in place of the one of then. */
  readonly system: string | null;
  readonly cwd: string;
};

/** As then, with what was hidden given anew; what is in the evidence is not to be changed by the way. */
const variablesNow = (bundle: Bundle, given: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  const hidden = hiddenVariables(bundle);
  const missing = hidden.find((name) => !Object.hasOwn(given, name));
  if (missing !== undefined)
    throw impossible(`the variable \`${missing}\` was hidden: its value is not in the evidence`, `give it: --var ${missing}=...`);
  const known = Object.keys(given).find((name) => !hidden.includes(name));
  if (known !== undefined)
    throw problem('scenario', 'bad-option', `--var ${known}: only what was hidden in the evidence is given anew, all else is as it was`, {
      hint: hidden.length > 0 ? `hidden were: ${hidden.join(', ')}` : 'leave it out, or use `hangup run` to run something else',
    });
  return { ...variablesThen(bundle), ...given };
};

/** @throws ProblemError `not-rerunnable`, `bad-option`, `unknown-card`, `missing-secret`, and what is wrong with card or scenario */
export const cellOfThen = async ({ bundle, chosen, secrets, variables: given = {}, system, cwd }: RerunInput): Promise<RerunCell> => {
  const { run } = bundle.resolved;
  const variables = variablesNow(bundle, given);
  const { scenario, asked } = scenarioOfThen(bundle, variables);
  const found = await cardOfThen({ bundle, system, named: scenario.system.card, cwd });
  const files = await readCardFiles(found.card);
  // What the scenario plants by itself is planted again.
  const planted = scenario.system.planted ?? [];
  const defects = run.presets ?? run.defects.filter((name) => !planted.includes(name));
  const { coordinates, notes } = placeNow(found.card, asked, chosen.runtime.kind);
  const [cell] = selectCells([loadedAt({ scenario, card: cardFor(scenario, found.card), isNamed: true }, coordinates)], {
    runtime: chosen.runtime.kind,
    isolation: chosen.isolation,
    defects,
    tags: [],
    where: {},
    secrets,
  });
  return {
    cell: cell!,
    asked: { variables, system: found.system, cards: new Map([[found.card.file, { ...found.text, files }]]) },
    notes: [...found.notes, ...notes, ...cardFileDifferences(run.cardFiles, files)],
  };
};
