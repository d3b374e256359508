import type { ToolCall } from '../conversation/messages.js';
import type { ChatRequest } from '../model/chat-model.js';

/**
 * The ids for calls that come without one: the n-th call of the answer to `request`, from 0. They say where in the conversation the
 * call stands, so they are the same in a replay, and no two are the same. Nine letters and digits, because Mistral's templates
 * take no others. `request` has to have all assistant messages of the conversation.
 */
export function callIds({ messages }: ChatRequest): (index: number) => string {
  const round = messages.filter(({ role }) => role === 'assistant').length + 1;
  return (index) => `call${round.toString(36).padStart(3, '0')}${index.toString(36).padStart(2, '0')}`;
}

/** Gives an id to calls that have none, or one that an earlier call has: some endpoints count from 0 in every answer. */
export function withUniqueIds(calls: readonly ToolCall[], request: ChatRequest): ToolCall[] {
  const idOf = callIds(request);
  const taken = new Set(
    request.messages.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : [])).map(({ id }) => id),
  );
  return calls.map((call, index) => {
    const id = call.id === '' || taken.has(call.id) ? idOf(index) : call.id;
    taken.add(id);
    return { ...call, id };
  });
}
