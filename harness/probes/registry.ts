// All probes. Adding one is its file and a line here.
import { createRegistry } from '../model/registry.ts';
import { definition as http } from './http.ts';
import { definition as ledger } from './ledger.ts';
import { definition as processes } from './process.ts';
import { definition as sockets } from './sockets.ts';

export const probes = createRegistry([ledger, sockets, processes, http]);
