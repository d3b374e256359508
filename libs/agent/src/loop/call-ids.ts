import type { Message, ToolCall } from '../conversation/messages.js';

/**
 * Gives each call an id that its conversation does not have yet: endpoints may leave it out, or begin anew with each message. An id
 * that is made here has nine letters and digits, which every endpoint takes, and is the same in a replay.
 */
export function withUniqueIds(calls: readonly ToolCall[], before: readonly Message[]): readonly ToolCall[] {
  const taken = new Set(before.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [])));
  return calls.map((call) => {
    const id = call.id === '' || taken.has(call.id) ? freeId(taken) : call.id;
    taken.add(id);
    return id === call.id ? call : { ...call, id };
  });
}

function freeId(taken: ReadonlySet<string>): string {
  for (let number = taken.size + 1; ; number += 1) {
    const id = `call${String(number).padStart(5, '0')}`;
    if (!taken.has(id)) return id;
  }
}
