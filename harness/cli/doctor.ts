// `hangup doctor`: what this machine can do, what stands in the way, and what to do about it.
import { EXIT } from '../model/exit-code.ts';
import { examine } from '../runtimes/doctor.ts';
import type { Check } from '../runtimes/doctor.ts';
import type { CommandOutput } from './output.ts';

const SIGNS: Readonly<Record<Check['state'], string>> = { ok: 'ok      ', poor: 'poor    ', missing: 'missing ' };

const line = (check: Check, width: number): string =>
  `${SIGNS[check.state]}${check.name.padEnd(width)}  ${check.detail}` +
  (check.hint === undefined ? '' : `\n        ${' '.repeat(width)}  hint: ${check.hint}`);

/** @returns exit 0 when scenarios can be run here, on one runtime at least; 3 otherwise */
export const doctor = async ({ json }: { readonly json: boolean }): Promise<CommandOutput> => {
  const checks = await examine();
  const exitCode = checks.some(({ state }) => state === 'missing') ? EXIT.error : EXIT.passed;
  if (json) return { exitCode, output: `${JSON.stringify(checks, null, 2)}\n` };
  const width = Math.max(...checks.map(({ name }) => name.length));
  return { exitCode, output: `${checks.map((check) => line(check, width)).join('\n')}\n` };
};
