// All commands, in the order in which help shows them. Adding one is its file and a line here.
import type { CommandDefinition } from './command.ts';
import { definition as bisect } from './bisect-command.ts';
import { definition as compare } from './compare-command.ts';
import { definition as diff } from './diff-command.ts';
import { definition as doctor } from './doctor-command.ts';
import { definition as explain } from './explain-command.ts';
import { definition as inspect } from './inspect-command.ts';
import { definition as issue } from './issue-command.ts';
import { definition as judge } from './judge-command.ts';
import { definition as list } from './list-command.ts';
import { definition as merge } from './merge-command.ts';
import { definition as open } from './open-command.ts';
import { definition as report } from './report-command.ts';
import { definition as rerun } from './rerun-command.ts';
import { definition as run } from './run-command.ts';
import { definition as schema } from './schema-command.ts';
import { definition as soak } from './soak-command.ts';
import { definition as validate } from './validate-command.ts';

export const commands: readonly CommandDefinition[] = [run, soak, bisect, merge, explain, validate, list, schema, judge, report, open, compare, diff, issue, rerun, inspect, doctor];
