// The wire shapes an upstream can speak. Adding one is a file here and a line in this list.
import { createRegistry } from '../../harness/model/registry.ts';
import { definition as openaiChat } from './openai-chat.ts';
import type { ShapeDefinition } from './shape.ts';

export const shapes = createRegistry<ShapeDefinition>([openaiChat]);
