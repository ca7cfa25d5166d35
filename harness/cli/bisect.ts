// `hangup bisect`: a question, its state on the disk, the search, and what is left of it for people and programs.
import { availableParallelism } from 'node:os';
import { existsSync, renameSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { plainName } from '../bundle/plain-name.ts';
import { EXIT } from '../model/exit-code.ts';
import type { ExitCode } from '../model/exit-code.ts';
import type { Sought } from '../plan/bisect-run/answer.ts';
import type { Reckoned } from '../plan/bisect-run/line.ts';
import { runSearch } from '../plan/bisect-run/outcome.ts';
import type { SearchOutcome } from '../plan/bisect-run/outcome.ts';
import { checkSameQuestion, readState, STATE_FORMAT } from '../plan/bisect-run/state.ts';
import type { SearchState } from '../plan/bisect-run/state.ts';
import { createStore } from '../plan/bisect-run/store.ts';
import { makeOutput } from '../plan/session.ts';
import { resultText } from '../reports/bisect/text.ts';
import type { BisectResult, BisectView } from '../reports/bisect/view.ts';
import { bisectResult } from './bisect-answer.ts';
import { createLive, STATUS_PAGE } from './bisect-live.ts';
import type { Live } from './bisect-live.ts';
import { lockFolder } from './bisect-lock.ts';
import type { BisectOptions } from './bisect-options.ts';
import { askQuestion } from './bisect-question.ts';
import type { Asked } from './bisect-question.ts';
import { commandsFor, writeComparison, writeResult } from './bisect-result.ts';
import { withRunner } from './bisect-runner.ts';
import { bisectView, placeText } from './bisect-view.ts';
import type { Now } from './bisect-view.ts';
import type { Terminal } from './command.ts';
import { packageVersion } from './package-version.ts';
import { namedSymptom } from './symptom-option.ts';

const STATE = 'bisect.json';

const CODES: Readonly<Record<BisectResult['word'], ExitCode>> = {
  found: EXIT.passed, 'no-difference': EXIT.failed, 'no-good': EXIT.failed,
  range: EXIT.inconclusive, contradiction: EXIT.inconclusive, unverified: EXIT.inconclusive, budget: EXIT.inconclusive,
};

/** More at once only guesses further ahead, and most guesses are wrong. */
const MOST_JOBS = 4;
const jobsOf = ({ jobs }: BisectOptions, { card }: Asked): number =>
  jobs ?? Math.max(1, Math.min(MOST_JOBS, Math.floor(availableParallelism() / Math.max(0.5, card.weight.cpu))));

const folderFor = ({ cwd }: Terminal, options: BisectOptions, { question }: Asked): string => {
  const name = plainName(`bisect ${question.scenario}`, question.defects, question.card, ...question.axes.map(({ axis }) => axis));
  return join(resolve(cwd, options.output ?? 'evidence'), name);
};

/** Not under the hands of somebody who is at work on it. */
const setAside = (folder: string): void => {
  if (!existsSync(join(folder, STATE))) return;
  lockFolder(folder)[Symbol.dispose]();
  for (let number = 1; ; number += 1) {
    const aside = `${folder}.old-${number}`;
    if (existsSync(aside)) continue;
    renameSync(folder, aside);
    return;
  }
};

/** What is there already, of the same question; else a new one. */
const stateFor = async (file: string, { question }: Asked): Promise<SearchState> => {
  const found = await readState(file);
  if (found === null)
    return { format: STATE_FORMAT, hangup: packageVersion(), startedAt: new Date().toISOString(), question, symptom: null, background: [], probes: [], result: null };
  await checkSameQuestion(file, found, question);
  return found;
};

/** What changes while the search goes on. */
type Moment = { phase: string; sought: Sought | null; lines: readonly Reckoned[]; readonly running: Map<string, { readonly at: string; phase: string }> };

type Place = { readonly folder: string; readonly shown: string };

const finish = async (terminal: Terminal, asked: Asked, state: SearchState, outcome: SearchOutcome, view: (over: Partial<Now>) => BisectView, { folder, shown }: Place, live: Live): Promise<BisectView> => {
  const result = bisectResult(outcome, state.probes, asked.question.axes);
  const comparison = await writeComparison(folder, result.good, result.bad, live.say);
  const made = terminal.secrets.shown.value(view({ phase: 'over', result, commands: commandsFor(result, shown), sought: outcome.sought, lines: outcome.lines }));
  await writeResult(folder, made, comparison);
  return made;
};

const search = async (terminal: Terminal, options: BisectOptions, asked: Asked, place: Place): Promise<number> => {
  const { folder, shown } = place;
  const named = options.symptom === null ? null : await namedSymptom(options.symptom, terminal.cwd);
  const moment: Moment = { phase: 'beginning', sought: null, lines: [], running: new Map() };
  const begun = await stateFor(join(folder, STATE), asked);
  const store = createStore(join(folder, STATE), begun, () => live.changed());
  const view = (over: Partial<Now> = {}): BisectView =>
    bisectView(store.state(), {
      phase: moment.phase, sought: moment.sought, lines: moment.lines, running: [...moment.running.values()], wantedConfidence: options.confidence,
      maxProbes: options.maxProbes, result: null, commands: [], ...over,
    });
  let last: BisectView | undefined;
  const live: Live = createLive(terminal, folder, begun.probes.length, () => last ?? view());
  const { axes } = asked.question;
  live.say(`looking along ${axes.map(({ axis, values }) => `${axis} (${values.length} values, ${values[0]} .. ${values.at(-1)})`).join(' and ')}; follow it in ${shown}/${STATUS_PAGE}`);
  if (begun.probes.length > 0) live.say(`going on: ${begun.probes.length} runs are there already`);
  if (named) live.say(`looked for: ${named.words}`);
  const onPhase = (cell: string, phase: string): void => {
    const running = moment.running.get(cell);
    if (running) running.phase = phase;
    live.changed();
  };
  try {
    const outcome = await withRunner({ terminal, options, asked, folder, progress: live.say, onPhase }, (run) =>
      runSearch(
        {
          store, run, axes, wanted: named?.wanted ?? null, confidence: options.confidence, maxProbes: options.maxProbes, endRuns: options.endRuns,
          jobs: jobsOf(options, asked),
          tell: (phase) => {
            moment.phase = phase;
            live.changed();
          },
          onRunning: (at, isRunning) => {
            const key = asked.cellAt(at).id;
            if (isRunning) moment.running.set(key, { at: placeText(axes, at), phase: 'waiting' });
            else moment.running.delete(key);
            live.changed();
          },
        },
        options.findGood,
        (sought, lines) => Object.assign(moment, { sought, lines }),
      ),
    );
    last = await finish(terminal, asked, store.state(), outcome, view, place, live);
    await store.settle({ result: last.result });
    terminal.write(resultText(last, shown));
    return CODES[outcome.word];
  } catch (error) {
    moment.phase = terminal.signal.aborted ? 'interrupted: the same command goes on' : 'stopped: the same command goes on';
    throw error;
  } finally {
    moment.running.clear();
    await live.end();
  }
};

/**
 * @returns 0 found, 1 nothing to find, 2 not narrowed down to one value; problems end with 3 and 4, an interruption with 130
 * @throws ProblemError what is wrong with the question, `bisect-changed`, `bisect-unreadable`, `bisect-running`, and what keeps it from running anything
 */
export const bisect = async (terminal: Terminal, options: BisectOptions): Promise<number> => {
  for (const [name, secret] of Object.entries(options.secrets)) terminal.secrets.give(secret, `the secret "${name}"`);
  const asked = await askQuestion(terminal, options);
  const folder = folderFor(terminal, options, asked);
  if (options.fresh) setAside(folder);
  await makeOutput(folder);
  using _ = lockFolder(folder);
  return await search(terminal, options, asked, { folder, shown: relative(terminal.cwd, folder) || '.' });
};
