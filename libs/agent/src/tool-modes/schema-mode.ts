/**
 * Offers tools in the system prompt, with a JSON Schema for the reply: a call of one of them, or the answer. It is for small models with a
 * template that ignores tools, at endpoints that enforce the schema by a grammar. A reply has one call, because such a model tends to
 * repeat itself; the next rounds bring the others.
 */
import { isJsonObject, type Json, type JsonObject } from '@longhaul/tasks';
import type { AssistantMessage, UserMessage } from '../conversation/messages.js';
import type { ChatRequest } from '../model/chat-model.js';
import { parseJson } from '../textual-calls/json-value.js';
import type { TextualReply } from '../textual-calls/read-textual-calls.js';
import { readableArguments } from '../textual-calls/readable-arguments.js';
import { excerpt, type ReplyProblemCode } from '../model/reply-problem.js';
import { withoutSpecialEnd } from '../textual-calls/special-tokens.js';
import { callIds } from '../conversation/call-ids.js';
import { answerFormat, jsonSchemaFormat, withInstructions } from './instructions.js';
import { plainConversation } from './plain-conversation.js';
import { readForms, readReply } from './read-reply.js';
import type { ToolModeCodec } from './tool-mode.js';
import { UNION_REMINDER, unionInstructions } from './union-instructions.js';
import { unionSchema } from './union-schema.js';

export const schemaMode: ToolModeCodec = {
  request: (request) => ({
    messages: plainConversation([...withInstructions(request.messages, unionInstructions(request)), ...reminder(request)], {
      said: (message) => said(message, request),
      result: (tool) => ({ before: `Result of ${tool}:` }),
    }),
    ...(request.tools.length === 0
      ? answerFormat(request)
      : { responseFormat: jsonSchemaFormat('reply', unionSchema(request.tools, request.outputSchema)) }),
  }),
  reply: (raw, request) => readReply(raw, request, readUnion),
};

function reminder({ messages, tools }: ChatRequest): UserMessage[] {
  return messages.at(-1)?.role === 'tool' && tools.length > 0 ? [{ role: 'user', content: UNION_REMINDER }] : [];
}

/** The assistant's messages as they would have been written in this mode. */
function said({ content, tool_calls: calls = [] }: AssistantMessage, { tools, outputSchema }: ChatRequest): string {
  if (calls.length === 0) return tools.length === 0 ? content : JSON.stringify({ answer: (outputSchema && parseJson(content)) ?? content });
  const written = calls.map(({ function: { name, arguments: text } }) =>
    JSON.stringify({ tool: name, arguments: parseJson(text) ?? text }),
  );
  return [...(content === '' ? [] : [content]), ...written].join('\n');
}

function readUnion(text: string, request: ChatRequest, isCut: boolean): TextualReply {
  if (request.tools.length === 0) return { content: text, calls: [] };
  const reply = unionReply(text, isCut);
  if (reply === undefined) return otherReply(text, request, isCut);
  const { tool, answer, arguments: given } = reply;
  if (typeof tool === 'string') {
    if (given === undefined && unionReply(text, true) === undefined) return otherReply(text, request, isCut);
    if (!request.tools.some(({ name }) => name === tool)) {
      return {
        content: text,
        calls: [],
        problem: { code: 'UNKNOWN_TOOL', message: `The model called a tool that it does not have: ${excerpt(text)}` },
      };
    }
    return {
      content: '',
      calls: [{ id: callIds(request.messages)(0), type: 'function', function: { name: tool, arguments: JSON.stringify(given ?? {}) } }],
    };
  }
  return answer === undefined
    ? unreadable(text, 'UNREADABLE_REPLY', 'The reply has neither "tool" nor "answer"')
    : { content: answerText(answer), calls: [] };
}

/** @param isCut whether no brackets may be missing: what is not in the reply may be what is missing */
function unionReply(text: string, isCut: boolean): JsonObject | undefined {
  const reply = parseJson(readableArguments(withoutSpecialEnd(text), isCut));
  return isJsonObject(reply) ? reply : undefined;
}

function answerText(answer: Json): string {
  return typeof answer === 'string' ? answer : JSON.stringify(answer);
}

/** The reply of an endpoint that does not enforce the schema, or cuts the reply: a call in another form, a part of one, or an answer. */
function otherReply(text: string, request: ChatRequest, isCut: boolean): TextualReply {
  const other = readForms(text, request, isCut);
  if (other.calls.length > 0 || other.problem !== undefined) return other;
  if (/^(```\w*)?\s*\{/.test(text.trimStart())) return unreadable(text, 'UNREADABLE_CALL', 'The reply is a part of a JSON object');
  return unreadable(text, 'UNREADABLE_REPLY', 'The reply is no JSON object');
}

function unreadable(text: string, code: ReplyProblemCode, why: string): TextualReply {
  return { content: text, calls: [], problem: { code, message: `${why}: ${excerpt(text)}` } };
}
