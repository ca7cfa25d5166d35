// The runtimes there are. One file and one line here add another.
import { createDockerRuntime } from './docker.ts';
import { createProcessRuntime } from './process.ts';
import type { Progress } from './images-build.ts';
import type { Runtime, RuntimeKind } from './runtime.ts';

export type RuntimeOptions = { readonly progress?: Progress };

export type RuntimeDefinition = {
  readonly kind: RuntimeKind;
  readonly about: string;
  readonly create: (options?: RuntimeOptions) => Runtime;
};

/** In the order in which `auto` prefers them. */
export const runtimes: readonly RuntimeDefinition[] = [
  { kind: 'docker', about: 'containers, by the engine that testcontainers finds', create: createDockerRuntime },
  { kind: 'process', about: 'plain processes in namespaces of their own; needs no engine', create: () => createProcessRuntime() },
];

export const runtimeKinds: readonly RuntimeKind[] = runtimes.map((runtime) => runtime.kind);
