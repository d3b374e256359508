/** Makes one request to an endpoint, without retries. */
import { isJsonObject, type Json, type JsonObject } from '@longhaul/tasks';
import { firstCharacters, wellFormedJson } from '@longhaul/tasks/text';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { ChatDelta, Usage } from '../model/chat-model.js';
import type { Completion } from './completion.js';
import type { EndpointApi } from './endpoint-api.js';
import type { Fetch } from '@longhaul/runtime/named-host-fetch';
import { ModelError } from '../model/model-error.js';
import type { ObserveRequest } from './observe-request.js';
import type { Redaction } from './redaction.js';
import { endpointRefusal } from './refusal.js';
import { LAST_EVENTS } from './response-reader.js';
import { type ModelTimeouts, RequestWatch } from './request-watch.js';

const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const END_OF_STREAM = '[DONE]';

/** How an endpoint is reached. */
export interface Connection {
  readonly api: EndpointApi;
  readonly baseUrl: URL;
  readonly apiKey: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: Fetch;
  readonly timeouts: ModelTimeouts;
  readonly redact: Redaction;
  /** Looks on at each request. */
  readonly observe?: ObserveRequest | undefined;
}

/** How one answer is waited for. */
export interface CompletionOptions {
  readonly signal: AbortSignal;
  readonly onDelta?: ((delta: ChatDelta) => void) | undefined;
  /** Called with what the endpoint has counted, also where its answer cannot be used. */
  readonly onUsage: (usage: Usage) => void;
}

/**
 * Sends a body and reads the completion, streamed if the body says so and the endpoint does it.
 *
 * @throws EndpointRefusal when the endpoint says why it does not answer. ModelError when it says nothing or sends no completion. The reason
 * of the signal.
 */
export async function requestCompletion(connection: Connection, body: JsonObject, options: CompletionOptions): Promise<Completion> {
  const { observe, baseUrl } = connection;
  if (observe === undefined) return receiveCompletion(connection, body, options);
  return observe({ baseUrl, body }, (onUsage) => {
    const counting = (usage: Usage): void => {
      onUsage(usage);
      options.onUsage(usage);
    };
    return receiveCompletion(connection, body, { ...options, onUsage: counting });
  });
}

async function receiveCompletion(connection: Connection, body: JsonObject, options: CompletionOptions): Promise<Completion> {
  const { timeouts } = connection;
  const isStreamed = body['stream'] === true;
  // Not `using`: what is built for Node would need a package for that.
  const watch = new RequestWatch({
    signal: options.signal,
    timeouts: isStreamed ? timeouts : { ...timeouts, firstByteMs: timeouts.totalMs },
    maxBytes: MAX_ANSWER_BYTES,
  });
  const reader = connection.api.reader(body, options.onDelta);
  try {
    watch.signal.throwIfAborted();
    const response = await post(connection, body, watch);
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true;
    const pieces = isStream ? chunksOf(response) : [objectOf(await response.text(), connection)];
    for await (const piece of pieces) {
      // An error may have counts with it.
      reader.add(piece);
      requireNoError(piece, connection);
    }
    // A stream that is aborted ends as if it were complete.
    watch.signal.throwIfAborted();
    return requireComplete(reader.finish(), isStream);
  } catch (error) {
    if (watch.signal.aborted) throw watch.signal.reason;
    throw error instanceof TypeError
      ? new ModelError('UNAVAILABLE', `The connection broke: ${connection.redact(rootMessage(error))}`)
      : error;
  } finally {
    watch[Symbol.dispose]();
    const { usage } = reader.finish();
    if (usage !== undefined) options.onUsage(usage);
  }
}

/** @throws EndpointRefusal for every status that is no success; ModelError when there is no answer */
async function post(
  { api, baseUrl, apiKey, headers, fetch, redact }: Connection,
  body: JsonObject,
  watch: RequestWatch,
): Promise<Response> {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/$/, '')}${api.path}`;
  let response: Response;
  try {
    response = await watch.through(fetch)(url, {
      method: 'POST',
      headers: headersOf(apiKey, headers),
      body: wellFormedJson(JSON.stringify(body)),
      signal: watch.signal,
      // The key goes to the endpoint and nowhere else.
      redirect: 'manual',
    });
  } catch (error) {
    throw new ModelError('UNAVAILABLE', `The endpoint cannot be reached: ${redact(rootMessage(error))}`);
  }
  if (response.ok) return response;
  throw endpointRefusal({ status: response.status, headers: response.headers, error: errorIn(await response.text()) }, redact);
}

function headersOf(apiKey: string | undefined, others: Readonly<Record<string, string>>): Headers {
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'longhaul' });
  if (apiKey !== undefined) headers.set('authorization', `Bearer ${apiKey}`);
  for (const [name, value] of Object.entries(others)) headers.set(name, value);
  return headers;
}

/** Finds the error in a body: the object or the words in it, or all of it. */
function errorIn(body: string): unknown {
  try {
    const parsed = JSON.parse(body) as Json;
    return (isJsonObject(parsed) && parsed['error']) || parsed;
  } catch {
    return body;
  }
}

/** The objects of an event stream, until it says that it is complete. */
async function* chunksOf(response: Response): AsyncIterable<Json> {
  if (response.body === null) return;
  const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { event, data } of events) {
    if (data === END_OF_STREAM) return;
    let chunk: Json;
    try {
      chunk = JSON.parse(data) as Json;
    } catch {
      throw new ModelError('BAD_RESPONSE', 'The endpoint answered with a stream that has malformed JSON.');
    }
    yield event === 'error' ? { error: (isJsonObject(chunk) && chunk['error']) || chunk } : chunk;
    if (isJsonObject(chunk) && LAST_EVENTS.has(chunk['type'])) return;
  }
}

/** @throws EndpointRefusal for an error instead of an answer, or within one */
function requireNoError(piece: Json, { redact }: Connection): void {
  if (!isJsonObject(piece)) return;
  const { type, response, error } = piece;
  const found = error || (type === 'error' ? piece : isJsonObject(response) && response['error']);
  if (found) throw endpointRefusal({ status: undefined, error: found }, redact);
}

function objectOf(text: string, { redact }: Connection): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new ModelError('BAD_RESPONSE', `The endpoint answered what is no JSON: ${firstCharacters(redact(text), 100)}`);
  }
}

function requireComplete(completion: Completion, isStream: boolean): Completion {
  if (!completion.hasChoice) throw new ModelError('BAD_RESPONSE', 'No response');
  if (isStream && completion.finishReason === undefined)
    throw new ModelError('UNAVAILABLE', 'The connection ended in the middle of the answer.');
  return completion;
}

function rootMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? rootMessage(error.cause) : error.message;
}
