import { setTimeout as wait } from 'node:timers/promises';
import type { MessagePace } from './message-pace.js';
import { type MessageBudget, type UnfinishedMessage, UNFINISHED_MESSAGES } from './message-budget.js';

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

/**
 * The response. Reading it fails at a larger message, and when the messages of all servers together are too large. In a stream of events
 * each event is counted, as a message is one.
 *
 * @param pace how fast the events are read
 */
export function boundedResponse(
  response: Response,
  maxBytes = MAX_MESSAGE_BYTES,
  budget: MessageBudget = UNFINISHED_MESSAGES,
  pace?: MessagePace,
): Response {
  return response.body === null ? response : boundedBody(response, response.body.getReader(), { maxBytes, budget, pace });
}

/** The reading of a body. */
type Read = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>>;

interface Bounds {
  readonly maxBytes?: number;
  readonly budget?: MessageBudget;
  readonly pace?: MessagePace | undefined;
  /** The part of the body that was read already. */
  readonly first?: Read;
}

/** The same for a response while its body is read. */
export function boundedBody(
  response: Response,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { maxBytes = MAX_MESSAGE_BYTES, budget = UNFINISHED_MESSAGES, pace, first }: Bounds,
): Response {
  const isStream = isEventStream(response);
  let given: Read | undefined = first;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const fail = (reason: unknown): void => {
    message.end();
    controller?.error(reason);
    void reader.cancel(reason).catch(() => undefined); // Its own failure is the error already.
  };
  const message = budget.message(fail);
  const count = eventCounter({ maxBytes, isStream, message, onEvent: () => pace?.count() });
  const bounded = new ReadableStream<Uint8Array>(
    {
      start: (own) => {
        controller = own;
      },
      async pull(into) {
        try {
          const { done, value } = given ?? (await reader.read());
          given = undefined;
          if (!done) {
            count(value);
            into.enqueue(value);
            const pauseMs = pace?.pauseMs ?? 0;
            if (pauseMs > 0) await wait(pauseMs);
            return;
          }
          message.end();
          into.close();
        } catch (error) {
          fail(error);
        }
      },
      cancel(reason) {
        message.end();
        return reader.cancel(reason);
      },
    },
    // Nothing is read, and counted, before somebody wants it.
    { highWaterMark: 0 },
  );
  const { status, statusText, headers } = response;
  return new Response(bounded, { status, statusText, headers });
}

export function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true;
}

interface CounterOptions {
  readonly maxBytes: number;
  readonly isStream: boolean;
  readonly message: UnfinishedMessage;
  readonly onEvent: () => void;
}

/** Counts the bytes of a message, chunk by chunk. @throws MessageTooLarge, TooManyUnfinished */
function eventCounter({ maxBytes, isStream, message, onEvent }: CounterOptions): (chunk: Uint8Array) => void {
  /** Of the event, and of its last line, which is empty where the event ends. */
  let bytes = 0;
  let lineBytes = 0;
  const count = (part: Uint8Array): void => {
    bytes += part.length;
    lineBytes += part.at(-1) === CARRIAGE_RETURN ? part.length - 1 : part.length;
    if (bytes > maxBytes) throw new MessageTooLarge(maxBytes);
    message.take(part.length);
  };
  return (chunk) => {
    let start = 0;
    for (let end = isStream ? chunk.indexOf(NEWLINE) : -1; end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      count(chunk.subarray(start, end));
      if (lineBytes === 0) {
        bytes = 0;
        message.end();
        onEvent();
      }
      lineBytes = 0;
      start = end + 1;
    }
    count(chunk.subarray(start));
  };
}
