import { isJsonObject } from '@longhaul/tasks';
import { callIds, withUniqueIds } from '../conversation/call-ids.js';
import type { ToolCall } from '../conversation/messages.js';
import type { ChatRequest } from '../model/chat-model.js';
import { excerpt, type ReplyProblem } from '../model/reply-problem.js';
import { parseJson } from '../textual-calls/json-value.js';
import { readableArguments } from '../textual-calls/readable-arguments.js';
import { readCallsAfterThoughts, type ReadingOptions, readTextualCalls, type TextualReply } from '../textual-calls/read-textual-calls.js';
import { separateReasoning } from '../textual-calls/separate-reasoning.js';
import type { RawReply, ReadReply } from './tool-mode.js';

/** The text that models put around the name of a tool that they know under another name. */
const AROUND_NAME = /^(?:functions?\.)|(?::\d+|<\|.*)$/gs;

/** Reads the calls of a text that is not empty and has no reasoning. */
export type ReadText = (text: string, request: ChatRequest, isCut: boolean) => TextualReply;

/**
 * Reads a reply: the reasoning first, if the endpoint has not separated it. Calls that the endpoint found win; the text is read
 * only if there are none. Where there is no text either, the model may have called a tool before it had ended its thoughts.
 */
export function readReply(raw: RawReply, request: ChatRequest, readText: ReadText): ReadReply {
  const separated = separateReasoning(raw.content, raw.reasoning === undefined);
  const thoughts = [raw.reasoning, separated.reasoning].filter((text) => text !== undefined).join('\n\n');
  const { isCut = false } = raw;
  const { reasoning, ...said } = saidIn(raw, { content: separated.content, reasoning: thoughts }, request, readText);
  return {
    content: said.content,
    toolCalls: said.calls.map((call) => readableCall(call, request, isCut)),
    ...(reasoning !== '' && { reasoning }),
    ...(said.problem && { problem: said.problem }),
  };
}

/** Reads calls in any of the forms that models are trained on. */
export function readForms(text: string, request: ChatRequest, isCut: boolean): TextualReply {
  return request.tools.length === 0 ? { content: text, calls: [] } : readTextualCalls(text, readingOptions(request, isCut));
}

type Said = TextualReply & { readonly reasoning: string };

function saidIn(
  { toolCalls, isCut = false }: RawReply,
  { content, reasoning }: { readonly content: string; readonly reasoning: string },
  request: ChatRequest,
  readText: ReadText,
): Said {
  if (toolCalls.length > 0) {
    const { whole, cut } = isCut ? withoutCutCall(toolCalls) : { whole: toolCalls, cut: undefined };
    const calls = withUniqueIds(whole, request.messages);
    if (cut === undefined) return { content, reasoning, calls };
    const problem: ReplyProblem = { code: 'UNREADABLE_CALL', message: `The model wrote a call that was cut off: ${excerpt(cut)}` };
    return { content: content.trim() === '' && calls.length === 0 ? cut : content, reasoning, calls, problem };
  }
  if (content.trim() !== '') return { ...readText(content, request, isCut), reasoning };
  // A text that was cut in the middle of a thought is no call yet.
  if (isCut || request.tools.length === 0) return { content, reasoning, calls: [] };
  const thought = readCallsAfterThoughts(reasoning, readingOptions(request, isCut));
  return { content: '', calls: thought.calls, reasoning: thought.content };
}

/** Separates the call that an answer was cut off in, as a text. Without all of its arguments it must not be made. */
function withoutCutCall(calls: readonly ToolCall[]): { readonly whole: readonly ToolCall[]; readonly cut?: string } {
  const last = calls.at(-1)?.function;
  if (last === undefined || isJsonObject(parseJson(readableArguments(last.arguments, true)))) return { whole: calls };
  return { whole: calls.slice(0, -1), cut: `<tool_call>{"name": ${JSON.stringify(last.name)}, "arguments": ${last.arguments}` };
}

function readingOptions({ tools, messages }: ChatRequest, isCut: boolean): ReadingOptions {
  return { tools, idOf: callIds(messages), isCut };
}

function readableCall(call: ToolCall, { tools }: ChatRequest, isCut: boolean): ToolCall {
  const { name, arguments: text } = call.function;
  const isKnown = (known: string): boolean => tools.some((tool) => tool.name === known);
  const plain = name.trim().replaceAll(AROUND_NAME, '').trim();
  return { ...call, function: { name: !isKnown(name) && isKnown(plain) ? plain : name, arguments: readableArguments(text, isCut) } };
}
