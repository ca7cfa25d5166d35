// All reporters. Adding one is its file and a line here. (report.md is part of every bundle and is
// written whatever reporters are chosen.)
import { createRegistry } from '../model/registry.ts';
import { definition as ctrf } from './ctrf.ts';
import { definition as github } from './github.ts';
import { definition as html } from './html.ts';
import { definition as json } from './json.ts';
import { definition as junit } from './junit.ts';
import { definition as markdown } from './markdown.ts';
import { definition as tap } from './tap.ts';
import { definition as terminal } from './terminal.ts';

export const reporters = createRegistry([terminal, markdown, html, junit, ctrf, github, json, tap]);
