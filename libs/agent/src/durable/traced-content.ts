/** Writes what models read and write in the form that OpenTelemetry's conventions give to content. */
import { isJsonObject, type Json, type JsonObject } from '@longhaul/tasks';
import { firstCharacters } from '@longhaul/tasks/text';
import type { Completion } from '../endpoint/completion.js';

/** Collectors refuse larger spans. */
const MAX_CHARACTERS = 256 * 1024;

/** The content of a request. */
export function inputContent({ messages, input = [], instructions: said, tools }: JsonObject) {
  const sent = messages ?? input;
  const all = (Array.isArray(sent) ? (sent as readonly Json[]) : []).filter(isJsonObject).filter(({ type }) => type !== 'reasoning');
  const ofSystem = all.filter(({ role }) => role === 'system').flatMap(partsOf);
  const instructions = typeof said === 'string' ? [{ type: 'text', content: said }, ...ofSystem] : ofSystem;
  return {
    'gen_ai.input.messages': text(
      all.filter(({ role }) => role !== 'system').map((message) => ({ role: roleOf(message), parts: partsOf(message) })),
    ),
    ...(instructions.length > 0 && { 'gen_ai.system_instructions': text(instructions) }),
    ...(Array.isArray(tools) && { 'gen_ai.tool.definitions': text(tools) }),
  };
}

/** The content of an answer. */
export function outputContent({ content, reasoning, toolCalls, finishReason = '' }: Completion) {
  const parts: JsonObject[] = [
    ...(reasoning === '' ? [] : [{ type: 'reasoning', content: reasoning }]),
    ...(content === '' ? [] : [{ type: 'text', content }]),
    ...toolCalls.map(({ id, function: { name, arguments: args } }) => ({ type: 'tool_call', id, name, arguments: args })),
  ];
  return { 'gen_ai.output.messages': text([{ role: 'assistant', parts, finish_reason: finishReason }]) };
}

/** Calls and results are items of their own in the Responses API. */
function roleOf({ role, type }: JsonObject): Json {
  if (type === 'function_call') return 'assistant';
  return type === 'function_call_output' ? 'tool' : (role ?? '');
}

function partsOf(message: JsonObject): JsonObject[] {
  const { type, call_id: id = '', name = '', arguments: args = '', output = '' } = message;
  if (type === 'function_call') return [{ type: 'tool_call', id, name, arguments: args }];
  if (type === 'function_call_output') return [{ type: 'tool_call_response', id, response: output }];
  const { content, tool_call_id: answered, tool_calls: calls } = message;
  if (typeof answered === 'string') return [{ type: 'tool_call_response', id: answered, response: content ?? '' }];
  const texts = typeof content === 'string' ? (content === '' ? [] : [{ type: 'text', content }]) : contentParts(content);
  return [...texts, ...(Array.isArray(calls) ? (calls as readonly Json[]) : []).filter(isJsonObject).map(callPart)];
}

/** Images are named, and not shown. */
function contentParts(content: Json | undefined): JsonObject[] {
  const parts = (Array.isArray(content) ? (content as readonly Json[]) : []).filter(isJsonObject);
  return parts.map(({ type, text: said }) =>
    typeof said === 'string' ? { type: 'text', content: said } : { type: typeof type === 'string' ? type : 'unknown' },
  );
}

function callPart({ id, function: called }: JsonObject): JsonObject {
  const { name = '', arguments: args = '' } = isJsonObject(called) ? called : {};
  return { type: 'tool_call', id: id ?? '', name, arguments: args };
}

function text(value: Json | readonly JsonObject[]): string {
  return firstCharacters(JSON.stringify(value), MAX_CHARACTERS);
}
