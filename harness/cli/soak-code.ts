// The exit code of a night: what was found, then what kept it from finding anything, then what it has not looked at.
import { EXIT, exitCode } from '../model/exit-code.ts';
import type { ScenarioResult } from '../model/exit-code.ts';
import type { Trend } from '../model/soak.ts';
import { codeWithout } from './run-limits.ts';

export type NightFound = {
  /** Each kind once is enough. */
  readonly results: readonly ScenarioResult[];
  readonly trends: readonly Pick<Trend, 'of' | 'outcome'>[];
  /** Scenarios that were selected and had no turn that was ended. */
  readonly notReached: number;
  readonly wasStopped: boolean;
  /** Before its time, told to or not. */
  readonly endedEarly: boolean;
  readonly strict: boolean;
};

export const nightCode = ({ results, trends, notReached, wasStopped, endedEarly, strict }: NightFound): number => {
  const judged = results.filter(({ outcome }) => outcome !== 'interrupted');
  if (judged.length === 0 && wasStopped) return EXIT.interrupted;
  const code = codeWithout(notReached, exitCode(judged, strict));
  const growing = trends.filter(({ outcome }) => outcome === 'grows');
  if (code === EXIT.failed || growing.some(({ of }) => of !== 'hangup')) return EXIT.failed;
  // A night that nobody has ended, and that could not go on, has gone wrong.
  return growing.length > 0 || (endedEarly && !wasStopped) ? EXIT.error : code;
};
