// Every code that reading scenarios and cards can give. Each is documented in docs/problems.md and
// shown by an entry of the table of bad files; tests hold both.
import type { Location, Problem } from '../model/problem.ts';

export const SCENARIO_CODES = [
  // The file itself.
  'path-not-found',
  'file-unreadable',
  'file-too-large',
  'file-too-complex',
  'not-utf8',
  'control-character',
  'empty-file',
  'too-many-problems',
  // YAML.
  'tab-indentation',
  'yaml-syntax',
  'yaml-alias',
  'yaml-tag',
  'yaml-directive',
  'multiple-documents',
  'root-not-map',
  'key-not-text',
  'duplicate-key',
  'too-deep',
  // Shape and values.
  'unknown-key',
  'missing-key',
  'wrong-type',
  'bad-value',
  'bad-name',
  'bad-duration',
  'bad-size',
  'bad-pattern',
  'unknown-kind',
  'not-one-key',
  // Names that must be defined elsewhere.
  'unknown-name',
  'unknown-reference',
  'unknown-variable',
  'duplicate-mark',
  'reserved-mark',
  'lonely-barrier',
  'not-claimed',
  // Fragments.
  'bad-use',
  'fragment-cycle',
  'not-a-fragment',
  'fragment-not-scenario',
  'missing-variable',
  'conflicting-key',
  // Matrix and identity.
  'matrix-too-large',
  'unused-axis',
  'duplicate-id',
  // Cards.
  'unknown-card',
] as const;

export type ScenarioCode = (typeof SCENARIO_CODES)[number];

/** A problem in a fragment, by whose use it came up. Told once for all of them, see `tellUsers`. */
export type UsedProblem = Problem & { readonly usedBy?: string };

/** A problem of the user's files, exit 4. */
export const scenarioProblem = (code: ScenarioCode, message: string, location?: Location, hint?: string, cause?: unknown): Problem => ({
  family: 'scenario',
  code,
  message,
  ...(hint === undefined ? {} : { hint }),
  ...(location === undefined ? {} : { location }),
  ...(cause === undefined ? {} : { cause }),
});
