// What is known of a search at this moment, and everybody who is told when it changes.
import type { PhaseName } from '../model/observation.ts';
import type { Sought } from '../plan/bisect-run/answer.ts';
import type { Reckoned } from '../plan/bisect-run/line.ts';
import type { Search } from '../plan/bisect-run/search.ts';
import type { SearchState } from '../plan/bisect-run/state.ts';
import type { BisectView } from '../reports/bisect/view.ts';
import { createLive } from './bisect-live.ts';
import type { Live } from './bisect-live.ts';
import type { BisectOptions } from './bisect-options.ts';
import type { Asked } from './bisect-question.ts';
import { bisectView, placeText } from './bisect-view.ts';
import type { Now } from './bisect-view.ts';
import type { Terminal } from './command.ts';

export type Watch = Pick<Search, 'tell' | 'onRunning'> & {
  readonly live: Live;
  readonly view: (over?: Partial<Now>) => BisectView;
  readonly onPhase: (cell: string, phase: PhaseName) => void;
  readonly show: (sought: Sought | null, line: Reckoned | null) => void;
  /** It is over: nothing is running, and this is what stays on the page. */
  readonly end: (last?: BisectView) => Promise<void>;
};

type Running = { readonly cell: string; readonly at: string; phase: string };

export const createWatch = (terminal: Terminal, options: BisectOptions, asked: Asked, folder: string, state: () => SearchState): Watch => {
  const { question, cellAt, aboutOf } = asked;
  const moment: { phase: string; sought: Sought | null; line: Reckoned | null; last: BisectView | null } = { phase: 'beginning', sought: null, line: null, last: null };
  const running: Running[] = [];
  const view: Watch['view'] = (over = {}) =>
    bisectView(state(), {
      phase: moment.phase, sought: moment.sought, line: moment.line, running: running.map(({ at, phase }) => ({ at, phase })),
      wantedConfidence: options.confidence, maxProbes: options.maxProbes, result: null, commands: [], aboutOf, ...over,
    });
  const live = createLive(terminal, folder, state().probes.length, () => moment.last ?? view());
  return {
    live,
    view,
    tell: (phase) => {
      moment.phase = phase;
      live.changed();
    },
    onRunning: (place, isRunning) => {
      const at = placeText(question.axes, place);
      if (isRunning) running.push({ cell: cellAt(place).id, at, phase: 'waiting' });
      else running.splice(running.findIndex((one) => one.at === at), 1);
      live.changed();
    },
    onPhase: (cell, phase) => {
      for (const one of running) if (one.cell === cell) one.phase = phase;
      live.changed();
    },
    show: (sought, line) => void Object.assign(moment, { sought, line }),
    end: async (last) => {
      running.length = 0;
      moment.last = last ?? null;
      await live.end();
    },
  };
};
