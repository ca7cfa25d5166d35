// `hangup bisect`: a question, its state on the disk, the search, and what is left of it for people and programs.
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { EXIT } from '../model/exit-code.ts';
import type { ExitCode } from '../model/exit-code.ts';
import { problem } from '../model/problem.ts';
import { fewestRuns } from '../plan/bisect-run/fewest-runs.ts';
import { runSearch } from '../plan/bisect-run/outcome.ts';
import type { SearchOutcome } from '../plan/bisect-run/outcome.ts';
import type { Question, SearchAxis } from '../plan/bisect-run/question.ts';
import { checkSameQuestion, readState, STATE_FORMAT } from '../plan/bisect-run/state.ts';
import type { SearchState } from '../plan/bisect-run/state.ts';
import { createStore } from '../plan/bisect-run/store.ts';
import { lockFolder } from '../plan/folder-lock.ts';
import { placesOfAuto } from '../plan/jobs.ts';
import { makeOutput } from '../plan/session.ts';
import { resultText } from '../reports/bisect/text.ts';
import { percent } from '../reports/bisect/view.ts';
import type { BisectResult, BisectView } from '../reports/bisect/view.ts';
import { bisectResult } from './bisect-answer.ts';
import { folderFor, setAside, STATE } from './bisect-folder.ts';
import { STATUS_PAGE } from './bisect-live.ts';
import type { Live } from './bisect-live.ts';
import type { BisectOptions } from './bisect-options.ts';
import { askQuestion } from './bisect-question.ts';
import type { Asked } from './bisect-question.ts';
import { commandsFor, writeComparison, writeResult } from './bisect-result.ts';
import { withRunner } from './bisect-runner.ts';
import { withSymptom } from './bisect-symptom.ts';
import { createWatch } from './bisect-watch.ts';
import type { Watch } from './bisect-watch.ts';
import type { Terminal } from './command.ts';
import { packageVersion } from './package-version.ts';
import type { NamedSymptom } from './symptom-option.ts';

const CODES: Readonly<Record<BisectResult['word'], ExitCode>> = {
  found: EXIT.passed, 'no-difference': EXIT.failed, 'no-good': EXIT.failed,
  range: EXIT.inconclusive, contradiction: EXIT.inconclusive, unverified: EXIT.inconclusive, budget: EXIT.inconclusive,
};

/** More at once only guesses further ahead, and most guesses are wrong. */
const MOST_JOBS = 4;
const jobsOf = ({ jobs }: BisectOptions, { card }: Asked): number =>
  placesOfAuto(jobs, Math.min(MOST_JOBS, Math.floor(availableParallelism() / Math.max(0.5, card.weight.cpu))));

/** What is there already, of the same question; else a new one. */
const stateFor = async (file: string, { question }: Asked): Promise<SearchState> => {
  const found = await readState(file);
  if (found === null)
    return { format: STATE_FORMAT, hangup: packageVersion(), startedAt: new Date().toISOString(), question, symptom: null, background: null, probes: [], result: null };
  await checkSameQuestion(file, found, question);
  return found;
};

type Place = { readonly folder: string; readonly shown: string };

/** Everything that is left of a search, in its folder. @returns what it has come to */
const finish = async (terminal: Terminal, asked: Asked, state: SearchState, outcome: SearchOutcome, { view, live }: Watch, { folder, shown }: Place): Promise<BisectView> => {
  const result = bisectResult(outcome, state.probes, asked.question.axes, asked.aboutOf);
  const comparison = await writeComparison(folder, result.good, result.bad, live.say);
  const made = terminal.secrets.shown.value(view({ phase: 'over', result, commands: commandsFor(result, shown), sought: outcome.sought, line: outcome.line, running: [] }));
  await writeResult(folder, made, comparison);
  return made;
};

const greet = ({ say }: Live, { axes }: Question, shown: string, known: number, named: NamedSymptom | null): void => {
  const along = axes.map(({ axis, values }) => `${axis} (${values.length} values, ${values[0]} .. ${values.at(-1)})`);
  say(`looking along ${along.join(' and ')}; follow it in ${shown}/${STATUS_PAGE}`);
  if (known > 0) say(`going on: ${known} runs are there already`);
  if (named) say(`looked for: ${named.words}`);
};

const search = async (terminal: Terminal, options: BisectOptions, asked: Asked, named: NamedSymptom | null, place: Place): Promise<number> => {
  const { folder, shown } = place;
  const begun = await stateFor(join(folder, STATE), asked);
  const store = createStore(join(folder, STATE), begun, () => watch.live.changed());
  const watch: Watch = createWatch(terminal, options, asked, folder, store.state);
  const { live, tell, onRunning, onPhase, show } = watch;
  const { confidence, maxProbes, endRuns, findGood } = options;
  const { axes } = asked.question;
  greet(live, asked.question, shown, begun.probes.length, named);
  await store.settle({ result: null });
  try {
    const outcome = await withRunner({ terminal, options, asked, folder, progress: live.say, onPhase }, (run) =>
      runSearch({ store, run, axes, wanted: named?.wanted ?? null, confidence, maxProbes, endRuns, jobs: jobsOf(options, asked), tell, onRunning }, findGood, show),
    );
    const last = await finish(terminal, asked, store.state(), outcome, watch, place);
    await store.settle({ result: last.result });
    await watch.end(last);
    terminal.write(resultText(last, shown));
    return CODES[outcome.word];
  } catch (error) {
    tell(terminal.signal.aborted ? 'interrupted: the same command goes on' : 'stopped: the same command goes on');
    await watch.end();
    live.say(`${watch.view().phase}; ${store.state().probes.length} runs are kept`);
    throw error;
  }
};

const MOST_SHOWN = 30;
const shortened = (values: readonly string[]): string =>
  values.length <= MOST_SHOWN ? values.join(', ') : [...values.slice(0, MOST_SHOWN - 3), '...', ...values.slice(-2)].join(', ');

/** All that is known before anything is started. */
const describe = ({ findGood, confidence, maxProbes }: BisectOptions, asked: Asked, shown: string): string => {
  const { scenario, card, runtime, axes } = asked.question;
  const ends = ({ values, isBackwards }: SearchAxis): string =>
    `${findGood ? 'a good end is looked for' : `good ${values[0]}`}, bad ${values.at(-1)}${isBackwards === true ? '; backwards: where it was put right' : ''}`;
  return [
    `${scenario} on ${card}, runtime ${runtime}`,
    ...axes.map((axis) => `  along ${axis.axis}: ${ends(axis)}; ${axis.values.length} values: ${shortened(axis.values)}`),
    `  until it is ${percent(confidence)} sure, with at most ${maxProbes} runs`, `  in ${shown}`, '',
  ].join('\n');
};

/** What would be asked of every run in vain. @returns why nothing can be shown; null: it can */
const whyNothing = ({ question, cellAt }: Asked): string | null => {
  const { claims } = cellAt(question.axes.map(({ values }) => values.at(-1)!));
  return claims.some(({ notApplicable }) => notApplicable === null) ? null : [...new Set(claims.map(({ notApplicable }) => notApplicable))].join('; ');
};

/** A budget that is spent before anything can be said is refused, with what is needed. */
const checkBudget = ({ axes, confidence, maxProbes, endRuns }: BisectOptions): void => {
  const fewest = fewestRuns({ axes: axes.length, confidence, endRuns });
  if (maxProbes >= fewest) return;
  const why = `with --confidence ${percent(confidence)} the shortest search takes ${fewest} runs`;
  throw problem('scenario', 'bad-option', `--max-probes ${maxProbes} comes to no answer: ${why}`, {
    hint: `give --max-probes ${fewest} or more, or a lower --confidence`,
  });
};

const searchedBy = (holder: string, folder: string): Error =>
  problem('scenario', 'bisect-running', `${holder} is at work on this search in ${folder}`, {
    hint: 'wait for it, end it, or give another folder with --output',
  });

/**
 * @returns 0 found, 1 nothing to find, 2 not narrowed down to one value, 5 no claim applies; problems end with 3 and 4, an interruption with 130
 * @throws ProblemError what is wrong with the question, `bisect-changed`, `bisect-unreadable`, `bisect-running`, and what keeps it from running anything
 */
export const bisect = async (terminal: Terminal, options: BisectOptions): Promise<number> => {
  for (const [name, secret] of Object.entries(options.secrets)) terminal.secrets.give(secret, `the secret "${name}"`);
  checkBudget(options);
  const put = await askQuestion(terminal, options);
  const nothing = whyNothing(put);
  if (nothing !== null) {
    terminal.writeError(`hangup: no claim of ${put.question.scenario} applies to ${put.question.card}: ${nothing}\n`);
    return EXIT.nothing;
  }
  const folder = folderFor(terminal.cwd, options, put);
  const shown = relative(terminal.cwd, folder) || '.';
  const { asked, named } = await withSymptom(terminal, options, put, join(folder, STATE));
  if (options.dryRun) {
    terminal.write(describe(options, asked, shown));
    return EXIT.passed;
  }
  await makeOutput(folder);
  using _ = await lockFolder('bisect', folder, (holder) => searchedBy(holder, folder));
  if (options.fresh) await setAside(folder);
  return await search(terminal, options, asked, named, { folder, shown });
};
