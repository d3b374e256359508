/** Largest message that is read from a server. What a model is told of a result is cut later, where the call is known. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

const NEWLINE = 10;

/** What a message that is too large is refused with. */
export class MessageTooLarge extends Error {
  override readonly name = 'MessageTooLarge';

  constructor(maxBytes: number) {
    super(`the server sent a message of more than ${maxBytes} bytes`);
  }
}

/** The response, whose reading fails when it has a larger message. In an event stream each line is counted, as a message is one. */
export function boundedResponse(response: Response, maxBytes = MAX_MESSAGE_BYTES): Response {
  if (!response.ok || response.body === null) return response;
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const newline = isStream ? chunk.lastIndexOf(NEWLINE) : -1;
      const before = bytes + (newline === -1 ? chunk.length : chunk.indexOf(NEWLINE));
      bytes = newline === -1 ? before : chunk.length - newline - 1;
      if (Math.max(before, bytes) > maxBytes) controller.error(new MessageTooLarge(maxBytes));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counted), { status, statusText, headers });
}
