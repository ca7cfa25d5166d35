// All reporters. Adding one is its file and a line here. (report.md is part of every bundle and is
// written whatever reporters are chosen.)
import { createRegistry } from '../model/registry.ts';
import { definition as json } from './json.ts';
import { definition as ndjson } from './ndjson.ts';
import { definition as terminal } from './terminal.ts';

export const reporters = createRegistry([terminal, json, ndjson]);
