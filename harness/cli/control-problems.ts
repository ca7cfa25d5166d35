// What is told of controls that broke: at once in one line each, and how to put it right only where no run says the same, since
// a system that does not start for the control does not start for the run.
import type { Problem } from '../model/problem.ts';
import { renderProblem } from '../model/render-problem.ts';

export type ControlProblems = {
  readonly tell: (control: string, problems: readonly Problem[]) => void;
  /** @param told what the runs have said, by now or soon */
  readonly end: (told: readonly Pick<Problem, 'code' | 'message'>[]) => void;
};

const withoutHint = ({ hint: _, ...problem }: Problem): Problem => problem;

/** @param write takes a line, or several */
export const createControlProblems = (write: (text: string) => void): ControlProblems => {
  const all: { readonly control: string; readonly problem: Problem }[] = [];
  return {
    tell: (control, problems) => {
      for (const problem of problems) {
        all.push({ control, problem });
        write(`${control}: ${renderProblem(withoutHint(problem))}`);
      }
    },
    end: (told) => {
      const isTold = ({ code, message }: Problem): boolean => told.some((each) => each.code === code && each.message === message);
      for (const { control, problem } of all) if (problem.hint !== undefined && !isTold(problem)) write(`${control}: ${renderProblem(problem)}`);
    },
  };
};
