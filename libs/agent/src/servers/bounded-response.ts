/** Largest message that is read from a server. The result for the model is cut later, where the call is known. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

/** The error for a message that is too large. */
export class MessageTooLarge extends Error {
  override readonly name = 'MessageTooLarge';

  constructor(maxBytes: number) {
    super(`the server sent a message of more than ${maxBytes} bytes`);
  }
}

/** The response. Reading it fails at a larger message. In a stream of events each event is counted, as a message is one. */
export function boundedResponse(response: Response, maxBytes = MAX_MESSAGE_BYTES): Response {
  if (response.body === null) return response;
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  /** Of the event, and of its last line, which is empty where the event ends. */
  let bytes = 0;
  let lineBytes = 0;
  const count = (part: Uint8Array): void => {
    bytes += part.length;
    lineBytes += part.at(-1) === CARRIAGE_RETURN ? part.length - 1 : part.length;
    if (bytes > maxBytes) throw new MessageTooLarge(maxBytes);
  };
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      let start = 0;
      for (let end = isStream ? chunk.indexOf(NEWLINE) : -1; end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        count(chunk.subarray(start, end));
        if (lineBytes === 0) bytes = 0;
        lineBytes = 0;
        start = end + 1;
      }
      count(chunk.subarray(start));
      controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counted), { status, statusText, headers });
}
