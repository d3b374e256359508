/** One request to the chat completions of an endpoint, by `openai`, with nothing tried again. */
import { isJsonObject, type JsonObject } from '@longhaul/tasks';
import { firstCharacters } from '@longhaul/tasks/text';
import OpenAI, { APIConnectionError, APIError, APIUserAbortError } from 'openai';
import { Stream } from 'openai/streaming';
import type { ChatDelta, Usage } from '../model/chat-model.js';
import { type Completion, CompletionBuilder } from './completion.js';
import type { Fetch } from './endpoint-fetch.js';
import { ModelError } from '../model/model-error.js';
import { withWellFormedBody } from '../well-formed-body.js';
import type { Redaction } from './redaction.js';
import { refusalOf } from './refusal.js';
import { type ModelTimeouts, RequestWatch } from './request-watch.js';

const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** How an endpoint is reached. */
export interface Connection {
  readonly baseUrl: URL;
  readonly apiKey: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: Fetch;
  readonly timeouts: ModelTimeouts;
  readonly redact: Redaction;
}

/** How one answer is waited for. */
export interface CompletionOptions {
  readonly signal: AbortSignal;
  readonly onDelta?: ((delta: ChatDelta) => void) | undefined;
  /** Called with what the endpoint has counted, also where its answer cannot be used. */
  readonly onUsage: (usage: Usage) => void;
}

type Body = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming;

/**
 * Sends a body and reads the completion, streamed if the body says so and the endpoint does it.
 *
 * @throws EndpointRefusal when the endpoint says why it does not answer; ModelError when it says nothing or no completion; the
 * reason of the signal
 */
export async function requestCompletion(connection: Connection, body: JsonObject, options: CompletionOptions): Promise<Completion> {
  const { timeouts } = connection;
  const isStreamed = body['stream'] === true;
  // Not `using`: what is built for Node would need a package for that.
  const watch = new RequestWatch({
    signal: options.signal,
    timeouts: isStreamed ? timeouts : { ...timeouts, firstByteMs: timeouts.totalMs },
    maxBytes: MAX_ANSWER_BYTES,
  });
  const builder = new CompletionBuilder(options.onDelta, toolNamesOf(body));
  try {
    watch.signal.throwIfAborted();
    const client = clientOf(connection, watch);
    // Bodies have members that only some servers know.
    const response = await client.chat.completions.create(body as unknown as Body, { signal: watch.signal }).asResponse();
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true;
    if (isStream) for await (const chunk of Stream.fromSSEResponse<JsonObject>(response, new AbortController(), client)) builder.add(chunk);
    else builder.add(objectOf(await response.text(), connection));
    // A stream that is aborted ends as if it were complete.
    watch.signal.throwIfAborted();
    return requireComplete(builder.finish(), isStream);
  } catch (error) {
    if (watch.signal.aborted) throw watch.signal.reason;
    throw meaningOf(error, connection);
  } finally {
    watch[Symbol.dispose]();
    const { usage } = builder.finish();
    if (usage !== undefined) options.onUsage(usage);
  }
}

function toolNamesOf({ tools }: JsonObject): ReadonlySet<string> {
  const names = (Array.isArray(tools) ? tools : []).map(
    (tool) => isJsonObject(tool) && isJsonObject(tool['function']) && tool['function']['name'],
  );
  return new Set(names.filter((name) => typeof name === 'string'));
}

/** The environment's settings for OpenAI are not meant for this endpoint. */
function clientOf({ baseUrl, apiKey, headers, fetch }: Connection, watch: RequestWatch): OpenAI {
  return new OpenAI({
    baseURL: baseUrl.href,
    apiKey: apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    defaultHeaders: { ...withoutCustomHeaders(process.env), ...(apiKey === undefined && { authorization: null }), ...headers },
    maxRetries: 0,
    timeout: LONGEST_TIMER_MS,
    logLevel: 'off',
    fetch: watch.through((input, init) => fetch(input, init && withWellFormedBody(init))),
    // The key goes to the endpoint and nowhere else.
    fetchOptions: { redirect: 'manual' },
  });
}

/** `openai` sends these headers wherever it connects, and has no option for that. */
function withoutCustomHeaders({ OPENAI_CUSTOM_HEADERS: lines = '' }: NodeJS.ProcessEnv): Record<string, null> {
  return Object.fromEntries(lines.split('\n').flatMap((line) => (line.includes(':') ? [[line.split(':', 1)[0]?.trim(), null]] : [])));
}

function objectOf(text: string, { redact }: Connection): JsonObject {
  let answer: JsonObject;
  try {
    answer = JSON.parse(text) as JsonObject;
  } catch {
    throw new ModelError('BAD_RESPONSE', `The endpoint answered what is no JSON: ${firstCharacters(redact(text), 100)}`);
  }
  if (answer?.['error']) throw refusalOf({ status: undefined, error: answer['error'] }, redact);
  return answer;
}

function requireComplete(completion: Completion, isStream: boolean): Completion {
  if (!completion.hasChoice) throw new ModelError('BAD_RESPONSE', 'No response');
  if (isStream && completion.finishReason === undefined)
    throw new ModelError('UNAVAILABLE', 'The connection ended in the middle of the answer.');
  return completion;
}

function meaningOf(error: unknown, { redact }: Connection): unknown {
  if (error instanceof APIConnectionError || error instanceof APIUserAbortError) {
    return new ModelError('UNAVAILABLE', `The endpoint cannot be reached: ${redact(rootMessage(error))}`);
  }
  if (error instanceof APIError) {
    const body: unknown = error.error ?? error.message.replace(/^\d+ (status code \(no body\))?/, '');
    return refusalOf({ status: error.status, headers: error.headers, error: body }, redact);
  }
  if (error instanceof SyntaxError) return new ModelError('BAD_RESPONSE', 'The endpoint answered with a stream that has malformed JSON.');
  // What breaks a connection in the middle of an answer.
  if (error instanceof TypeError) return new ModelError('UNAVAILABLE', `The connection broke: ${redact(rootMessage(error))}`);
  return error;
}

function rootMessage(error: Error): string {
  return error.cause instanceof Error ? rootMessage(error.cause) : error.message;
}
