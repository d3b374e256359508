/**
 * Takes a short way for the answers that nearly all calls have: one small message. A stream of events passes through a chain of decoders, which
 * costs more than the call itself. A stream that begins with the response to its request has ended, so the response is handed on as JSON.
 */
import { boundedBody, isEventStream } from './bounded-response.js';
import type { MessagePace } from './message-pace.js';

/** Of a response that is small, and of what is read after one. */
const SMALL_BYTES = 65_536;

/** The response to a message that was posted. @param pace how fast the events of a longer one are read. @throws the errors of reading it */
export async function shortAnswer(response: Response, pace?: MessagePace): Promise<Response> {
  const { headers, body } = response;
  if (body === null) return response;
  const isSmall = Number(headers.get('content-length') ?? Infinity) <= SMALL_BYTES && headers.get('content-encoding') === null;
  if (isSmall) return response;
  if (!response.ok || !isEventStream(response)) return boundedBody(response, body.getReader(), { pace });
  const reader = body.getReader();
  const first = await reader.read();
  const json = first.done || first.value.length > SMALL_BYTES ? undefined : responseIn(new TextDecoder().decode(first.value));
  if (json === undefined) return boundedBody(response, reader, { first, pace });
  // Read to its end, the connection can be used again.
  void drained(reader);
  const own = new Headers(headers);
  own.set('content-type', 'application/json');
  own.delete('content-encoding');
  return new Response(json, { status: response.status, statusText: response.statusText, headers: own });
}

/** The JSON of a stream that has one event so far, if that is complete and is a response. */
function responseIn(text: string): string | undefined {
  const end = /\r?\n\r?\n$|\r\r$/.exec(text);
  if (end === null) return undefined;
  const data: string[] = [];
  for (const line of text.slice(0, end.index).split(/\r\n|\n|\r/)) {
    if (line === '') return undefined; // There are several events.
    const [, field, value = ''] = /^([a-z]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'data') data.push(value);
    else if (field === 'event' && value !== 'message') return undefined;
  }
  const [json] = data;
  return data.length === 1 && json !== undefined && isResponse(json) ? json : undefined;
}

function isResponse(json: string): boolean {
  try {
    const message = JSON.parse(json) as unknown;
    return typeof message === 'object' && message !== null && 'id' in message && ('result' in message || 'error' in message);
  } catch {
    return false; // The SDK names the mistake.
  }
}

/** Never rejects. */
async function drained(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    for (let bytes = 0; bytes <= SMALL_BYTES;) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes += value.length;
    }
    await reader.cancel();
  } catch {
    // The response is known. What the rest would have been does not matter.
  }
}
