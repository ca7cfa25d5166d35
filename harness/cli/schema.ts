// `hangup schema`: the JSON Schema of scenario files or of system cards, for editors.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../scenario/identity.ts';
import { cardJsonSchema, scenarioJsonSchema } from '../scenario/json-schema.ts';
import type { Registries } from '../scenario/schema.ts';
import { cardSchema } from '../systems/card-schema.ts';
import type { CommandOutput } from './output.ts';

export type SchemaOptions = {
  readonly registries: Registries;
  /** The schema of cards instead. */
  readonly card?: boolean;
};

/** @returns the schema itself, so that it can be sent into a file */
export const schema = async ({ registries, card = false }: SchemaOptions): Promise<CommandOutput> => ({
  exitCode: 0,
  output: card ? cardJsonSchema(cardSchema) : scenarioJsonSchema(registries),
});

/** Writes both committed schemas (`npm run schema`), which a test holds equal to what is generated. */
export const writeSchemas = async (registries: Registries, folder = join(PACKAGE_ROOT, 'docs')): Promise<CommandOutput> => {
  await writeFile(join(folder, 'scenario.schema.json'), scenarioJsonSchema(registries));
  await writeFile(join(folder, 'card.schema.json'), cardJsonSchema(cardSchema));
  return { exitCode: 0, output: `written: ${join(folder, 'scenario.schema.json')}, ${join(folder, 'card.schema.json')}\n` };
};
