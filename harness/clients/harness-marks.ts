// Marks of steps whose act is not the client's own: the harness sets them.
import type { StepContext } from './step.ts';

/** Sets the step's mark, if it has one. */
export const noteMark = (context: StepContext): void => {
  if (context.mark !== null) context.timeline.note({ type: 'mark', mark: context.mark, client: context.client });
};
