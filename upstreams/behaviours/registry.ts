// The behaviours an upstream can have. Adding one is a file here and a line in this list.
import { createRegistry } from '../../harness/model/registry.ts';
import type { BehaviourDefinition } from '../behaviour.ts';
import { definition as endless } from './endless.ts';
import { definition as errorStatus } from './error-status.ts';
import { definition as finite } from './finite.ts';
import { definition as flood } from './flood.ts';
import { definition as headerWait } from './header-wait.ts';
import { definition as refused } from './refused.ts';
import { definition as silent } from './silent.ts';
import { definition as sseKeepalive } from './sse-keepalive.ts';
import { definition as truncated } from './truncated.ts';
import { definition as unfinished } from './unfinished.ts';

export const behaviours = createRegistry<BehaviourDefinition>([
  finite, silent, endless, sseKeepalive, flood, headerWait, refused, errorStatus, truncated, unfinished,
]);
