// Which runtime a run uses: the one that was asked for, or the first that answers.
import { problem } from '../model/problem.ts';
import { runtimes } from './registry.ts';
import type { RuntimeDefinition, RuntimeOptions } from './registry.ts';
import type { Capability, Runtime, RuntimeKind } from './runtime.ts';

export type Selected = {
  readonly runtime: Runtime;
  readonly isolation: Capability['isolation'];
  /** For the user: what answered, and what did not. */
  readonly why: string;
};

const hintOf = (capabilities: readonly Capability[]): { readonly hint?: string } => {
  const hints = capabilities.flatMap((capability) => capability.hint ?? []);
  return hints.length > 0 ? { hint: hints.join('; ') } : {};
};

/**
 * Tries them in order (each bounded to some seconds).
 * @param asked `auto`, or a runtime's kind
 * @throws ProblemError `runtime-unavailable`
 */
export const selectRuntime = async (
  asked: 'auto' | RuntimeKind,
  options: RuntimeOptions = {},
  candidates: readonly RuntimeDefinition[] = runtimes,
): Promise<Selected> => {
  const refused: { readonly kind: string; readonly capability: Capability }[] = [];
  for (const { kind, create } of candidates) {
    if (asked !== 'auto' && asked !== kind) continue;
    const runtime = create(options);
    const capability = await runtime.probe();
    if (capability.available) {
      const others = refused.map((one) => `; not ${one.kind}: ${one.capability.why}`).join('');
      return { runtime, isolation: capability.isolation, why: `${capability.why}${others}` };
    }
    refused.push({ kind, capability });
  }
  const why = refused.map(({ kind, capability }) => `${kind}: ${capability.why}`).join('; ');
  const message = asked === 'auto' ? `no runtime can be used: ${why}` : `runtime ${why}`;
  throw problem('environment', 'runtime-unavailable', message, hintOf(refused.map((one) => one.capability)));
};
