// `hangup schema`: the JSON Schema of scenario files, of fragments or of system cards, for editors.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../scenario/identity.ts';
import { cardJsonSchema, fragmentJsonSchema, scenarioJsonSchema } from '../scenario/json-schema.ts';
import type { Registries } from '../scenario/schema.ts';
import { cardSchema } from '../systems/card-schema.ts';
import type { CommandOutput } from './output.ts';

export type SchemaOptions = {
  readonly registries: Registries;
  /** The schema of cards instead. */
  readonly card?: boolean;
  /** The schema of fragments instead. */
  readonly fragment?: boolean;
};

const texts = {
  'scenario.schema.json': scenarioJsonSchema,
  'fragment.schema.json': fragmentJsonSchema,
  'card.schema.json': () => cardJsonSchema(cardSchema),
} satisfies Readonly<Record<string, (registries: Registries) => string>>;

/** @returns the schema itself, so that it can be sent into a file */
export const schema = async ({ registries, card = false, fragment = false }: SchemaOptions): Promise<CommandOutput> => ({
  exitCode: 0,
  output: texts[card ? 'card.schema.json' : fragment ? 'fragment.schema.json' : 'scenario.schema.json'](registries),
});

/** Writes the committed schemas (`npm run schema`), which a test holds equal to what is generated. */
export const writeSchemas = async (registries: Registries, folder = join(PACKAGE_ROOT, 'docs')): Promise<CommandOutput> => {
  for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text(registries));
  return { exitCode: 0, output: `written: ${Object.keys(texts).map((name) => join(folder, name)).join(', ')}\n` };
};
