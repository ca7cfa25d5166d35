// The reporter for GitHub Actions: workflow commands, which become annotations beside the scenario's file, and a step summary.
// GitHub shows ten annotations of each level for a step and drops the others in silence, so the tenth says how many there are more.
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { notRunLines } from './not-run.ts';
import { reportedCells } from './reported-cells.ts';
import type { ReportedCell } from './reported-cells.ts';
import type { ReporterDefinition, ReportPlace, RunEnd } from './reporter.ts';
import { renderSetPage } from './set-page.ts';
import { below, shownPath } from './shown-path.ts';
import { headline, lineOf, reasonsOf } from './status.ts';
import type { Status } from './status.ts';
import { oneLine } from './text.ts';

type Level = 'error' | 'warning' | 'notice';

export type Annotation = { readonly level: Level; readonly file: string | null; readonly title: string; readonly message: string };

/** docs.github.com, "Workflow commands", and the limits of annotations for a step. */
const MAXIMUM_ANNOTATIONS = 10;
/** Of the step summary, all that a step appends to it together. */
const MAXIMUM_SUMMARY = 1024 * 1024;
const MAXIMUM_MESSAGE = 4_000;

const LEVELS: Readonly<Record<Status, Level | null>> = {
  failed: 'error', error: 'error', interrupted: 'error', inconclusive: 'warning', untestable: 'warning', known: 'notice', passed: null, 'does-not-apply': null,
};

const escapeData = (text: string): string =>
  text.toWellFormed().replace(/[%\r\n]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`);

const escapeProperty = (text: string): string => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** One line, ready for standard output. */
export const workflowCommand = ({ level, file, title, message }: Annotation): string => {
  const properties = [...(file === null ? [] : [`file=${escapeProperty(file)}`]), `title=${escapeProperty(title)}`];
  return `::${level} ${properties.join(',')}::${escapeData(message)}\n`;
};

/** From the root of the repository, if it lies in it and its name can be shown. */
const fileOf = (file: string | null, { cwd, environment }: ReportPlace): string | null => {
  const path = file === null ? null : below(environment.GITHUB_WORKSPACE || cwd, resolve(cwd, file));
  return path !== null && path === oneLine(path, path.length) ? path : null;
};

const attemptsLine = ({ attempts, isFlaky }: ReportedCell): readonly string[] =>
  attempts.length === 1 ? [] : [`attempts: ${attempts.map(({ status }) => status).join(', ')}${isFlaky ? ' (flaky)' : ''}`];

const annotationOf = (cell: ReportedCell, place: ReportPlace): Annotation | null => {
  const { summary, status } = cell.worst;
  const reasons = reasonsOf(summary);
  const isFixed = status === 'passed' && reasons.some(({ word }) => word === 'fixed');
  const level = LEVELS[status] ?? (isFixed ? 'notice' : null);
  if (level === null) return null;
  const lines = [...(reasons.length === 0 ? [headline(summary, status)] : reasons.map(lineOf)), ...attemptsLine(cell)];
  return {
    level,
    file: fileOf(summary.file, place),
    title: oneLine(`${cell.cell}: ${isFixed ? 'fixed' : status}`),
    message: lines.join('\n').slice(0, MAXIMUM_MESSAGE),
  };
};

/** At most ten of each level; where there are more, the last says how many. */
export const annotationsOf = (end: RunEnd, place: ReportPlace): readonly Annotation[] => {
  const left = notRunLines(end).map((message): Annotation => ({ level: 'warning', file: null, title: 'hangup: not run', message }));
  const all = [...left, ...reportedCells(end).flatMap((cell) => annotationOf(cell, place) ?? [])];
  return (['error', 'warning', 'notice'] as const).flatMap((level): readonly Annotation[] => {
    const mine = all.filter((each) => each.level === level);
    if (mine.length <= MAXIMUM_ANNOTATIONS) return mine;
    const shown = mine.slice(0, MAXIMUM_ANNOTATIONS - 1);
    const more = mine.length - shown.length;
    const places = [
      ...(place.environment.GITHUB_STEP_SUMMARY ? ['the step summary'] : []), ...(end.folder === null ? [] : [shownPath(end.folder, place)]),
    ];
    const message = `and ${more} more${places.length === 0 ? '' : `: see ${places.join(' and ')}`}`;
    return [...shown, { level, file: null, title: `hangup: and ${more} more`, message }];
  });
};

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** @returns whether there was room for one. @throws Error where the file cannot be appended to */
const appendSummary = async (end: RunEnd, path: string, place: ReportPlace): Promise<boolean> => {
  const room = MAXIMUM_SUMMARY - 1 - sizeOf(path);
  const page = renderSetPage(end, { maximum: room, place });
  const hasRoom = Buffer.byteLength(page) <= room;
  if (hasRoom) await appendFile(path, page);
  return hasRoom;
};

const NO_ROOM: Annotation = {
  level: 'warning', file: null, title: 'hangup: no step summary', message: 'what this step has written before leaves no room for a summary below 1 MiB',
};

export const definition: ReporterDefinition = {
  kind: 'github',
  about: 'annotations and a step summary of GitHub Actions',
  fields: { options: {} },
  example: 'github',
  prints: 'always',
  open: (output, place = { cwd: process.cwd(), environment: {} }) => {
    // What systems wrote is shown in between, and must not be taken for a command.
    const token = randomUUID();
    let isStopped = false;
    return {
      begin: () => {
        output.write(`::stop-commands::${token}\n`);
        isStopped = true;
      },
      end: async (end) => {
        if (isStopped) output.write(`::${token}::\n`);
        output.write(annotationsOf(end, place).map(workflowCommand).join(''));
        const path = place.environment.GITHUB_STEP_SUMMARY;
        if (path && !(await appendSummary(end, path, place))) output.write(workflowCommand(NO_ROOM));
      },
    };
  },
};
