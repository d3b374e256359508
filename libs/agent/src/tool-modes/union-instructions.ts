import { isJsonObject, type Json } from '@longhaul/tasks';
import type { ChatRequest, ToolDescription } from '../model/chat-model.js';

/**
 * Explains a reply that is a call or an answer to a small model: each tool as the call that it has to fill in. From a JSON Schema,
 * such a model copies the defaults and the keywords.
 */
export function unionInstructions({ tools, outputSchema }: ChatRequest): string[] {
  if (tools.length === 0) return [];
  const answer = outputSchema === undefined ? '"…"' : `(JSON that fits ${JSON.stringify(outputSchema)})`;
  return [
    `Reply with one JSON object and nothing else.
To use a tool, write one of these, with the arguments that the question needs:
${tools.map(described).join('\n')}
To answer, when you know what you need: {"answer": ${answer}}`,
  ];
}

/** The request for the answer behind the result of a tool: without it, small models tend to make the same call again. */
export const UNION_REMINDER = 'Do you have the answer? Then write {"answer": …}. Else use another tool.';

function described({ name, description, parameters }: ToolDescription): string {
  const members = isJsonObject(parameters['properties']) ? Object.entries(parameters['properties']) : [];
  const hints = members.map(([member, schema]) => `${JSON.stringify(member)}: ${hintOf(schema)}`);
  const definitions = parameters['$defs'] ?? parameters['definitions'];
  return [
    description === undefined ? `- ${name}` : `- ${name}: ${description}`,
    `  {"tool": ${JSON.stringify(name)}, "arguments": {${hints.join(', ')}}}`,
    ...(definitions === undefined ? [] : [`  where ${JSON.stringify(definitions)}`]),
  ].join('\n');
}

/** A description of a value, in words if they are enough. */
function hintOf(schema: Json | undefined): string {
  if (!isJsonObject(schema)) return '(JSON)';
  const { type, description, enum: values } = schema;
  const isSimple = typeof type === 'string' && type !== 'object' && type !== 'array';
  if (isSimple && typeof description === 'string') return `(${description})`;
  if (Array.isArray(values)) return `one of ${JSON.stringify(values)}`;
  return isSimple ? type : `(JSON that fits ${JSON.stringify(schema)})`;
}
