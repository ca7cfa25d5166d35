// Which runtime a run uses: the one that was asked for, or the first that answers and on which something can be run.
import { release } from 'node:os';
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

export type SelectOptions = RuntimeOptions & {
  /** By runtime: why what is to be run cannot be run on it. `auto` takes such a one only where nothing else answers. */
  readonly unfit?: Readonly<Partial<Record<RuntimeKind, string>>>;
  /** False: nothing of what is to be run needs a stage, so nothing is tried out unless an engine was asked for. */
  readonly needsStage?: boolean;
};

/** For scenarios whose clients only wait. */
const withoutStage = (): Selected => ({
  runtime: {
    kind: 'process',
    startsNothing: true,
    probe: async () => ({ available: true, why: 'nothing is started', isolation: 'namespace' }),
    openStage: () => Promise.reject(new Error('nothing was said to need a stage')),
    describe: async () => ({ node: process.version, kernel: release() }),
  },
  isolation: 'namespace',
  why: 'no scenario needs a stage, so nothing is started',
});

type Refused = { readonly kind: string; readonly capability: Pick<Capability, 'why' | 'hint'> };

const hintOf = (capabilities: readonly Refused['capability'][]): { readonly hint?: string } => {
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
  { unfit = {}, needsStage = true, ...options }: SelectOptions = {},
  candidates: readonly RuntimeDefinition[] = runtimes,
): Promise<Selected> => {
  if (!needsStage && asked !== 'docker') return withoutStage();
  const isFit = ({ kind }: RuntimeDefinition): boolean => unfit[kind] === undefined;
  const asFit = [...candidates.filter(isFit), ...candidates.filter((each) => !isFit(each))];
  const passedOver = candidates.filter((each) => !isFit(each)).map(({ kind }): Refused => ({ kind, capability: { why: unfit[kind]! } }));
  const refused: Refused[] = [];
  for (const { kind, create } of asFit) {
    if (asked !== 'auto' && asked !== kind) continue;
    const runtime = create(options);
    const capability = await runtime.probe();
    if (capability.available) {
      const others = [...refused, ...(asked === 'auto' && unfit[kind] === undefined ? passedOver : [])];
      return { runtime, isolation: capability.isolation, why: `${capability.why}${others.map((one) => `; not ${one.kind}: ${one.capability.why}`).join('')}` };
    }
    refused.push({ kind, capability });
  }
  const why = refused.map(({ kind, capability }) => `${kind}: ${capability.why}`).join('; ');
  const message = asked === 'auto' ? `no runtime can be used: ${why}` : `runtime ${why}`;
  throw problem('environment', 'runtime-unavailable', message, hintOf(refused.map((one) => one.capability)));
};
