// `hangup list`: what can be used in a scenario, with options and an example of each; and the
// scenarios and cards there are.
import { join } from 'node:path';
import type { Field } from '../model/fields.ts';
import type { Definition, Registry } from '../model/registry.ts';
import { exampleOf, exampleOptions, flow } from '../scenario/example.ts';
import { isRequired } from '../scenario/fields-schema.ts';
import { PACKAGE_ROOT } from '../scenario/identity.ts';
import { readScenarios } from '../scenario/load-scenarios.ts';
import type { Registries } from '../scenario/schema.ts';
import { isUsed } from '../systems/axes/card-at.ts';
import { axesOf } from '../systems/axes/values.ts';
import { listCardNames, readCard } from '../systems/load-card.ts';
import type { CommandOutput } from './output.ts';

export type ListOptions = { readonly registries: Registries; readonly json?: boolean };

const listOption = (key: string, field: Field, bare: string | undefined) => ({
  key,
  type: [...(field.type === 'choice' ? [] : [`${field.type}${field.list ? ' list' : ''}`]), ...(field.choices ?? [])].join(' | '),
  required: isRequired(field),
  default: field.default ?? null,
  about: field.about,
  bare: key === bare,
});

const listKinds = (registry: Registry<Definition>) =>
  registry.all.map((definition) => ({
    kind: definition.kind,
    about: definition.about,
    options: Object.entries(definition.fields.options).map(([key, field]) => listOption(key, field, definition.fields.$bare)),
    exactlyOne: definition.fields.$one ?? null,
    example: exampleOf(definition),
    exampleOptions: exampleOptions(definition) ?? null,
  }));

type Kinds = ReturnType<typeof listKinds>;

const collect = async (registries: Registries) => {
  const { scenarios, problems } = await readScenarios([join(PACKAGE_ROOT, 'scenarios')], { registries });
  const cards = await Promise.all(
    (await listCardNames()).map(async (name) => {
      const { card, problems: wrong } = await readCard(join(PACKAGE_ROOT, 'images', name, 'system.yaml'));
      const axes = card === null ? [] : axesOf(card).filter(({ name: axis }) => isUsed(card, axis)).map((axis) => ({ axis: axis.name, from: axis.axis.from, use: axis.axis.use, package: axis.axis.package }));
      return { name, about: card?.about ?? '', problems: wrong.length, axes };
    }),
  );
  return {
    behaviours: listKinds(registries.behaviours),
    steps: listKinds(registries.steps),
    faults: listKinds(registries.faults),
    expectations: listKinds(registries.expectations),
    scenarios: scenarios.map(({ id, name, file, tags, catches }) => ({ id, name, file, tags, defects: Object.keys(catches) })),
    cards,
    problems: problems.length,
  };
};

const kindsText = (title: string, kinds: Kinds): readonly string[] => [
  `${title}:`,
  ...kinds.flatMap(({ kind, about, options, exactlyOne, example }) => [
    `  ${kind}  ${about}`,
    ...options.map((option) => {
      const facts = [
        option.type,
        option.required ? 'required' : option.default === null ? 'optional' : `default ${flow(option.default)}`,
      ];
      return `      ${option.key} (${facts.join(', ')}): ${option.about}`;
    }),
    ...(exactlyOne === null ? [] : [`      exactly one of: ${exactlyOne.join(', ')}`]),
    `      example: ${example}`,
  ]),
  '',
];

const text = (found: Awaited<ReturnType<typeof collect>>): string =>
  [
    ...kindsText('Upstream behaviours', found.behaviours),
    ...kindsText('Client steps', found.steps),
    ...kindsText('Faults', found.faults),
    ...kindsText('Expectations', found.expectations),
    'Scenarios:',
    ...found.scenarios.map(({ id, name, tags }) => `  ${id}  ${name}${tags.length > 0 ? `  [${tags.join(', ')}]` : ''}`),
    ...(found.problems > 0 ? [`  ${found.problems} problems: hangup validate shows them`] : []),
    '',
    'Cards:',
    ...found.cards.flatMap(({ name, about, problems, axes }) => [
      `  ${name}  ${problems > 0 ? `${problems} problems: hangup validate shows them` : about}`,
      ...axes.map(({ axis, from, use, package: called }) =>
        `      --axis ${axis}=  from ${from}${called === null ? '' : ` ${called}`}${use === null ? '' : `, ${use} unless given`}`),
    ]),
    '',
  ].join('\n');

/** Always exit 0: what is wrong with a scenario or a card is said by `validate`. */
export const list = async ({ registries, json = false }: ListOptions): Promise<CommandOutput> => {
  const found = await collect(registries);
  return { exitCode: 0, output: json ? `${JSON.stringify(found, null, 2)}\n` : text(found) };
};
