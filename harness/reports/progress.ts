// What is running now. On a terminal: one line for each running scenario with its phase, rewritten in
// place; elsewhere: one line when a scenario begins and one when it ends, so that a log can be read.
import type { PhaseName } from '../model/observation.ts';
import type { ReportOutput } from './reporter.ts';
import { oneLine } from './text.ts';

export type Progress = {
  readonly phase: (scenario: string, phase: PhaseName) => void;
  /** `line` stays; the scenario is no longer running. */
  readonly finish: (scenario: string, line: string) => void;
  /** No longer running, and nothing to say about it. */
  readonly over: (scenario: string) => void;
  readonly clear: () => void;
};

/** More running lines than this would push the finished ones off a small terminal. */
const MAXIMUM_LINES = 10;
const PHASE_WIDTH = 12;

export const createProgress = (output: ReportOutput): Progress => {
  const running = new Map<string, PhaseName>();
  let drawn = 0;

  const erase = (): void => {
    if (drawn > 0) output.write(`\u001b[${drawn}A\u001b[0J`);
    drawn = 0;
  };
  const draw = (): void => {
    const shown = [...running].slice(0, MAXIMUM_LINES);
    const lines = shown.map(([scenario, phase]) => `  ${phase.padEnd(PHASE_WIDTH)} ${oneLine(scenario)}`);
    const hidden = running.size - shown.length;
    if (hidden > 0) lines.push(`  and ${hidden} more`);
    // A line that wraps would be two to erase.
    output.write(lines.map((line) => `${line.slice(0, Math.max(20, output.columns - 1))}\n`).join(''));
    drawn = lines.length;
  };

  return {
    phase: (scenario, phase) => {
      const isNew = !running.has(scenario);
      running.set(scenario, phase);
      if (!output.isTerminal) {
        if (isNew) output.write(`started  ${oneLine(scenario)}\n`);
        return;
      }
      erase();
      draw();
    },
    finish: (scenario, line) => {
      running.delete(scenario);
      if (output.isTerminal) erase();
      output.write(`${line}\n`);
      if (output.isTerminal) draw();
    },
    over: (scenario) => {
      running.delete(scenario);
      if (!output.isTerminal) return;
      erase();
      draw();
    },
    clear: () => {
      running.clear();
      erase();
    },
  };
};
