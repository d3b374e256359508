/** Writes a scripted reply in the form of OpenAI's Responses API: as one JSON object, or as a stream of events. */
import type { JsonObject } from '@longhaul/tasks';
import { argumentsOf, type CompletionFrame, CREATED, fragmentsOf, idOf } from './completion-body.js';
import type { ScriptedReply } from './scripted-reply.js';

/** An item of the output, and the events that come before it is done. */
interface Item {
  readonly done: JsonObject;
  readonly deltas: readonly (JsonObject & { readonly type: string })[];
}

function itemsOf(reply: ScriptedReply, frame: CompletionFrame): Item[] {
  const { request } = frame;
  const thought = { type: 'reasoning', id: `rs_${request}`, summary: [{ type: 'summary_text', text: reply.reasoning ?? '' }] };
  const text = reply.content ?? '';
  const message = { type: 'message', id: `msg_${request}`, role: 'assistant', status: 'completed' };
  return [
    ...(reply.reasoning === undefined
      ? []
      : [
          {
            done: { ...thought, encrypted_content: reply.encryptedReasoning ?? null },
            deltas: fragmentsOf(reply.reasoning).map((delta) => ({ type: 'response.reasoning_summary_text.delta', delta })),
          },
        ]),
    ...(text === ''
      ? []
      : [
          {
            done: { ...message, content: [{ type: 'output_text', text, annotations: [] }] },
            deltas: fragmentsOf(text).map((delta) => ({ type: 'response.output_text.delta', content_index: 0, delta })),
          },
        ]),
    ...(reply.toolCalls ?? []).map((call, index) => {
      const args = argumentsOf(call);
      const id = idOf(call, index, frame);
      return {
        done: { type: 'function_call', id: `fc_${request}_${index}`, call_id: id, name: call.name, arguments: args, status: 'completed' },
        deltas: fragmentsOf(args).map((delta) => ({ type: 'response.function_call_arguments.delta', delta })),
      };
    }),
  ];
}

function usageOf({ usage }: ScriptedReply, { promptTokens }: CompletionFrame): JsonObject | null {
  if (usage === null) return null;
  const { inputTokens, outputTokens, cachedTokens = 0, reasoningTokens = 0 } = { inputTokens: promptTokens, outputTokens: 5, ...usage };
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  };
}

function statusOf({ incomplete, failure }: ScriptedReply): string {
  if (failure !== undefined) return 'failed';
  return incomplete === undefined ? 'completed' : 'incomplete';
}

function responseOf(reply: ScriptedReply, frame: CompletionFrame): JsonObject {
  const { incomplete, failure } = reply;
  return {
    id: `resp_${frame.request}`,
    object: 'response',
    created_at: CREATED,
    model: frame.model,
    status: statusOf(reply),
    error: failure ?? null,
    incomplete_details: incomplete === undefined ? null : { reason: incomplete },
    output: itemsOf(reply, frame).map(({ done }) => done),
    usage: usageOf(reply, frame),
  };
}

/** The body of an answer that is not streamed. */
export function responseBody(reply: ScriptedReply, frame: CompletionFrame): string {
  return JSON.stringify(responseOf(reply, frame));
}

/** The body of an answer that is streamed. */
export function responseStreamBody(reply: ScriptedReply, frame: CompletionFrame): string {
  const response = responseOf(reply, frame);
  const events: (JsonObject & { readonly type: string })[] = [
    { type: 'response.created', response: { ...response, status: 'in_progress', error: null, output: [], usage: null } },
    ...itemsOf(reply, frame).flatMap(({ done, deltas }, output_index) => [
      { type: 'response.output_item.added', output_index, item: { type: done['type'] ?? '', id: done['id'] ?? '' } },
      ...deltas.map((delta) => ({ ...delta, output_index, item_id: done['id'] ?? '' })),
      { type: 'response.output_item.done', output_index, item: done },
    ]),
    { type: `response.${statusOf(reply)}`, response },
  ];
  return events.map((event, at) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: at })}\n\n`).join('');
}
