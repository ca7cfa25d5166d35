// `npm run schema`: writes the JSON Schemas that editors use; a test holds them equal to the registries.
import { writeSchemas } from '../cli/schema.ts';
import { registries } from '../scenario/registries.ts';

const { output } = await writeSchemas(registries);
process.stdout.write(output);
