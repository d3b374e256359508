import type { Message, ToolCall } from './messages.js';

/**
 * Makes the ids for calls that come without one. An id is the n-th call of the answer after `before`, from 0. It states the position of the
 * call in the conversation, so it is unique, and the same in a replay. Nine letters and digits, because Mistral's templates take no others.
 *
 * @param before has all assistant messages of the conversation
 */
export function callIds(before: readonly Message[]): (index: number) => string {
  const round = before.filter(({ role }) => role === 'assistant').length + 1;
  return (index) => `call${round.toString(36).padStart(3, '0')}${index.toString(36).padStart(2, '0')}`;
}

/** Gives an id to calls that have none, or one that an earlier call has: some endpoints count from 0 in every answer. */
export function withUniqueIds(calls: readonly ToolCall[], before: readonly Message[]): readonly ToolCall[] {
  const idOf = callIds(before);
  const taken = new Set(before.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [])));
  const freeId = (from: number): string => {
    const id = idOf(from);
    return taken.has(id) ? freeId(from + 1) : id;
  };
  return calls.map((call, index) => {
    const id = call.id === '' || taken.has(call.id) ? freeId(index) : call.id;
    taken.add(id);
    return id === call.id ? call : { ...call, id };
  });
}
