/** Reads event streams as clients do, with an external parser. A field that no event has is an error. */
import { createParser } from 'eventsource-parser';

/** The data of the events that have come to their end in the text; empty for one that only brings an id. */
export function eventDataOf(text: string): string[] {
  const found: string[] = [];
  const parser = createParser({
    onEvent: ({ data }) => found.push(data),
    onError(error) {
      throw error;
    },
  });
  parser.feed(text);
  return found;
}

/** The JSON-RPC messages of the events that have come to their end in the text. */
export function messagesOf(text: string): Record<string, unknown>[] {
  return eventDataOf(text).flatMap((data) => (data === '' ? [] : [JSON.parse(data) as Record<string, unknown>]));
}
