// The schema of one upstream of a scenario: its behaviour, and beside it the wire shape it speaks and what
// it does after its peer's FIN.
import { z } from 'zod';
import { shapes } from '../../upstreams/shapes/registry.ts';
import { whyNotIn } from '../../upstreams/shapes/applies.ts';
import type { BehaviourDefinition } from '../../upstreams/behaviour.ts';
import type { Definition, Registry } from '../model/registry.ts';
import { tell } from './issues.ts';
import { itemSchema } from './item.ts';
import type { ScenarioUpstream } from './scenario.ts';

export const upstreamSchema = (behaviours: Registry<Definition>) =>
  itemSchema('behaviour', behaviours, {
    'on-fin': z
      .enum(['continue', 'close'])
      .optional()
      .describe("What the upstream does after its peer's FIN; it goes on unless told to close"),
    shape: z
      .enum(shapes.kinds as [string, ...string[]])
      .optional()
      .describe("The wire shape of its answers; unless given, that of the request's path"),
  }).transform(({ item, siblings }, context): ScenarioUpstream => {
    const shape = shapes.get(typeof siblings.shape === 'string' ? siblings.shape : '');
    const why = shape ? whyNotIn(shape, behaviours.get(item.kind) as BehaviourDefinition) : null;
    if (why !== null) tell(context, { code: 'bad-value', hint: `choose another shape than ${shape!.kind}` }, why, ['shape']);
    return {
      behaviour: item,
      onFin: (siblings['on-fin'] ?? 'continue') as 'continue' | 'close',
      ...(shape ? { shape: shape.kind } : {}),
    };
  });
