// The wire shapes an upstream can speak. Adding one is a file here and a line in this list.
import { createRegistry } from '../../harness/model/registry.ts';
import { definition as anthropicMessages } from './anthropic-messages.ts';
import { definition as ndjson } from './ndjson.ts';
import { definition as openaiChat } from './openai-chat.ts';
import { definition as openaiResponses } from './openai-responses.ts';
import { definition as plain } from './plain.ts';
import type { ShapeDefinition } from './shape.ts';

export const shapes = createRegistry<ShapeDefinition>([openaiChat, openaiResponses, anthropicMessages, ndjson, plain]);

/** The API that serves this path; OpenAI's chat where none does: a marked request of any path is answered. */
export const shapeFor = (path: string): ShapeDefinition => shapes.all.find(({ paths }) => paths.includes(path)) ?? openaiChat;
