// Which behaviours a wire shape can carry: most are made of what every shape has.
import type { BehaviourDefinition } from '../behaviour.ts';
import type { ShapeDefinition } from './shape.ts';

/** Why this behaviour has no meaning in that shape, or null. */
export const whyNotIn = (shape: ShapeDefinition, { kind, needsComments }: BehaviourDefinition): string | null =>
  needsComments && shape.stream.comment === null ? `${kind} is made of comments, and the shape ${shape.kind} has none` : null;
