/** Writes a scripted reply in the form of OpenAI's chat completions: as one JSON object, or as a stream of events. */
import type { JsonObject } from '@longhaul/tasks';
import type { ScriptedCall, ScriptedReply } from './scripted-reply.js';

const FRAGMENT_CHARACTERS = 8;
export const CREATED = 1_700_000_000;

/** The parts of a completion that are not in the reply. */
export interface CompletionFrame {
  readonly model: string;
  /** The number of the request, from which ids are made. */
  readonly request: number;
  /** The tokens of the messages and the tools, if the reply does not state them. */
  readonly promptTokens: number;
  /** Whether the client asked for the usage at the end of the stream. */
  readonly includesUsage?: boolean;
}

export function fragmentsOf(text: string): string[] {
  const characters = Array.from(text);
  const fragments: string[] = [];
  for (let at = 0; at < characters.length; at += FRAGMENT_CHARACTERS)
    fragments.push(characters.slice(at, at + FRAGMENT_CHARACTERS).join(''));
  return fragments;
}

function usageOf({ usage }: ScriptedReply, { promptTokens }: CompletionFrame): JsonObject | undefined {
  if (usage === null) return undefined;
  const { inputTokens, outputTokens, cachedTokens, reasoningTokens } = { inputTokens: promptTokens, outputTokens: 5, ...usage };
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(cachedTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedTokens } }),
    ...(reasoningTokens !== undefined && { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  };
}

function finishReasonOf({ toolCalls = [] }: ScriptedReply): string {
  return toolCalls.length > 0 ? 'tool_calls' : 'stop';
}

export function idOf(call: ScriptedCall, index: number, { request }: CompletionFrame): string {
  return call.id ?? `call_${request}_${index + 1}`;
}

export function argumentsOf(call: ScriptedCall): string {
  return typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
}

function callPieces(reply: ScriptedReply, frame: CompletionFrame): JsonObject[] {
  const style = reply.callStyle ?? 'fragments';
  return (reply.toolCalls ?? []).flatMap((call, index): JsonObject[] => {
    const head = { id: idOf(call, index, frame), type: 'function' };
    const text = argumentsOf(call);
    const whole = { ...head, function: { name: call.name, arguments: text } };
    if (style === 'without-index') return [whole];
    if (style === 'whole') return [{ index, ...whole }];
    if (style === 'repeated-id') {
      return fragmentsOf(text).map((part) => ({ index, ...head, function: { name: call.name, arguments: part } }));
    }
    return [
      { index, ...head, function: { name: call.name, arguments: '' } },
      ...fragmentsOf(text).map((part) => ({ index, function: { arguments: part } })),
    ];
  });
}

/** The body of an answer that is not streamed. */
export function completionBody(reply: ScriptedReply, frame: CompletionFrame): string {
  const calls = (reply.toolCalls ?? []).map((call, index) => ({
    id: idOf(call, index, frame),
    type: 'function',
    function: { name: call.name, arguments: argumentsOf(call) },
  }));
  const message = {
    role: 'assistant',
    content: reply.content ?? (calls.length > 0 ? null : ''),
    ...(reply.reasoning === undefined ? {} : { [reply.reasoningField ?? 'reasoning_content']: reply.reasoning }),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  return JSON.stringify({
    id: `chatcmpl-${frame.request}`,
    object: 'chat.completion',
    created: CREATED,
    model: frame.model,
    choices: [{ index: 0, message, finish_reason: finishReasonOf(reply) }],
    usage: usageOf(reply, frame),
  });
}

/** The body of an answer that is streamed, with the usage in a chunk without choices at the end if the client asked for it. */
export function streamBody(reply: ScriptedReply, frame: CompletionFrame): string {
  const chunk = (rest: object): string =>
    `data: ${JSON.stringify({ id: `chatcmpl-${frame.request}`, object: 'chat.completion.chunk', created: CREATED, model: frame.model, ...rest })}\n\n`;
  const delta = (delta: object, finishReason: string | null = null): string =>
    chunk({ choices: [{ index: 0, delta, finish_reason: finishReason }] });
  const usage = frame.includesUsage === true ? usageOf(reply, frame) : undefined;
  return [
    delta({ role: 'assistant', content: '' }),
    ...fragmentsOf(reply.reasoning ?? '').map((part) => delta({ [reply.reasoningField ?? 'reasoning_content']: part })),
    ...fragmentsOf(reply.content ?? '').map((part) => delta({ content: part })),
    ...callPieces(reply, frame).map((piece) => delta({ tool_calls: [piece] })),
    delta({}, finishReasonOf(reply)),
    ...(usage === undefined ? [] : [chunk({ choices: [], usage })]),
    ...(reply.withoutDone === true ? [] : ['data: [DONE]\n\n']),
  ].join('');
}
