// The clients' process: `clients` for all, or `client.<name>` for one that will be killed.
import { runActor } from '../model/actor.ts';
import { createCommands } from './commands.ts';

runActor(process.argv[2] ?? 'clients', ({ emit }) => createCommands(emit));
